/** Working in the home folder: what programs obey there, Writ's own code among them, is out of a command's reach. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import { makePlace, type Place } from '../support/cli.ts'

const { active } = await sandboxStatus('auto')
let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const atHome = () => ({ HOME: place.workspace, NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '' })

function script(command: string): string {
  return place.script('script.json', [
    { purpose: 'main', calls: [{ tool: 'shell', args: { command } }] },
    { purpose: 'main', text: 'done' },
  ])
}

/** The line itself names nothing. */
const run = (commands: string) => {
  place.file('build.sh', commands)
  return place.writ(
    ['run', 'build it', '--script', script('sh build.sh'), '--yes', '--data', join(place.root, 'data')],
    {
      env: atHome(),
    },
  )
}

test('Writ keeps no compiled code in the folder that it works in', async () => {
  await place.start(['--version'], { env: atHome() }).ended
  expect(existsSync(join(place.workspace, '.cache/writ'))).toBe(false)
  const below = join(place.workspace, 'cache')
  await place.start(['--version'], { env: { ...atHome(), HOME: place.root, XDG_CACHE_HOME: below } }).ended
  expect(existsSync(below)).toBe(false)
})

test.skipIf(!active)(
  'what a command puts where that code, or what a login runs, is looked for is moved aside',
  async () => {
    const { stderr } = await run(
      'mkdir -p .cache/writ .local/bin; touch .cache/writ/code .local/bin/git .bash_login .zshenv; echo ok > out.txt',
    )
    expect(stderr).toContain('PATH_PROTECTED')
    for (const name of ['.cache/writ', '.local/bin', '.bash_login', '.zshenv']) {
      expect([name, place.has(name), place.has(`${name}.refused`)]).toEqual([name, false, true])
    }
    expect(place.has('out.txt')).toBe(true)
  },
)

test.skipIf(!active)('code that is there cannot be changed, nor the folder above it be replaced', async () => {
  place.file('.cache/writ/code', 'mine')
  await run('echo x >> .cache/writ/code; mv .cache c; mkdir -p .cache/writ; echo forged > .cache/writ/code')
  expect(place.read('.cache/writ/code')).toBe('mine')
})
