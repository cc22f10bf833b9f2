import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COARSEST_MS } from '../../bin/checkout.js'
import { until } from '../support/until.ts'

const exec = promisify(execFile)
const SOURCE = join(import.meta.dirname, '../../..')
let clone = ''

beforeAll(() => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'writ-checkout-')))
  const runtime = ['package.json', 'bin', 'src', 'templates'].map((part) => join('runtime', part))
  for (const part of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts', ...runtime]) {
    cpSync(join(SOURCE, part), join(clone, part), { recursive: true })
  }
  symlinkSync(join(SOURCE, 'node_modules'), join(clone, 'node_modules'))
})

afterAll(() => rmSync(clone, { recursive: true, force: true }))

async function help(): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: clone, LANG: 'en' }
  const { stdout } = await exec(process.execPath, [join(clone, 'runtime/bin/writ.js'), '--help'], { cwd: clone, env })
  return stdout
}

function bundles(): string[] {
  return readdirSync(join(clone, 'runtime')).includes('.bundle') ? readdirSync(join(clone, 'runtime/.bundle')) : []
}

/** Files that have just changed are not bundled: until then, every command would try, and then run the sources. */
async function untilOld(file: string): Promise<void> {
  await until(() => Date.now() - statSync(file).ctimeMs > COARSEST_MS)
}

test('X-START-1: in a checkout, commands run a bundle, and never one that is older than the sources', async () => {
  await untilOld(join(clone, 'runtime/templates'))
  await expect.poll(async () => [await help(), bundles().length].at(-1)).toBe(1)
  const first = await help()
  expect(first).toContain('Usage')
  expect(bundles()).toHaveLength(1)

  const texts = join(clone, 'runtime/src/cli/texts-en.ts')
  const before = readFileSync(texts, 'utf8')
  const times = new Date(Date.now() - 3_600_000)
  writeFileSync(texts, before.replace("'Usage: '", "'USAGE: '"))
  // As long as before, and with an old time of change.
  utimesSync(texts, times, times)
  expect(await help()).toBe(first.replace('Usage: ', 'USAGE: '))
  await untilOld(texts)
  await expect.poll(async () => [await help(), bundles().length].at(-1)).toBe(2)
  expect(await help()).toBe(first.replace('Usage: ', 'USAGE: '))

  writeFileSync(texts, before)
  expect(await help()).toBe(first)
})

test('X-START-2: in a checkout, the library is not loaded from a build that is older than the sources', async () => {
  const program = `import(${JSON.stringify(join(clone, 'runtime/bin/library.js'))}).catch((e) => console.log(e.message))`
  const { stdout } = await exec(process.execPath, ['-e', program], { cwd: clone })
  expect(stdout).toContain('older than the sources')
})
