import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensurePrerequisites } from '../../../scripts/prerequisites.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NOTHING = { PATH: '/nowhere', WRIT_CHROMIUM: '/nowhere/chromium' }

function prepare(env: NodeJS.ProcessEnv, { isRoot }: { isRoot: boolean }) {
  const texts: string[] = []
  const installed: string[] = []
  const ready = ensurePrerequisites({
    env,
    isRoot,
    say: (text) => texts.push(text),
    install: (packages) => installed.push(...packages),
  })
  return { ready, texts, installed }
}

test('where nothing is missing, nothing is said and nothing is installed', () => {
  expect(prepare(process.env, { isRoot: true })).toEqual({ ready: true, texts: [], installed: [] })
})

test('what is missing stops the tests with one message: the packages, and the command that installs them', () => {
  const { ready, texts, installed } = prepare(NOTHING, { isRoot: false })
  expect({ ready, installed }).toEqual({ ready: false, installed: [] })
  const names = /missing programs: (.*)$/m.exec(texts.join())?.[1] ?? ''
  expect(names.split(' ')).toEqual(
    expect.arrayContaining(['git', 'chromium', 'tmux', 'bubblewrap', 'socat', 'ripgrep', 'redis-server']),
  )
  expect(texts).toEqual([expect.stringContaining(`\nInstall them: sudo apt-get install -y ${names}`)])
})

test('as root that is said, and they are installed', () => {
  const { ready, texts, installed } = prepare(NOTHING, { isRoot: true })
  expect({ ready, texts }).toEqual({ ready: true, texts: [expect.stringContaining(installed.join(' '))] })
  expect(installed).toContain('tmux')
})

test.each(['README.md', 'README.zh-CN.md'])('%s lists all of them', (name) => {
  const source = readFileSync(join(ROOT, 'scripts/prerequisites.ts'), 'utf8')
  const packages = [...source.matchAll(/\{ name: '([\w-]+)'/g)].map(([, each]) => each)
  expect(packages).toHaveLength(12)
  expect(readFileSync(join(ROOT, name), 'utf8')).toContain(`apt-get install -y ${packages.join(' ')}`)
})
