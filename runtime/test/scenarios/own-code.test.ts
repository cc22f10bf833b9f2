/** The compiled code that is kept beside a bundle: `bin/own-code.js`. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const OWN_CODE = join(import.meta.dirname, '../../bin/own-code.js')
const MAIN = `const { word } = require('./part.cjs')\nmodule.exports = { word, own: [__filename, module.exports === exports] }`

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-code-')))
  writeFileSync(join(folder, 'main.cjs'), MAIN)
  writeFileSync(join(folder, 'part.cjs'), part('ours'))
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { load } from ${JSON.stringify(OWN_CODE)}
     const { word, own } = load(process.argv[2])
     console.log(word(), ...own)`,
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cache = () => join(folder, 'cache')

function part(word: string): string {
  return `module.exports = { word: () => '${word}' }`
}

async function run(env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = [join(folder, 'run.mjs'), join(folder, 'main.cjs')]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
  })
  expect(stderr).toBe('')
  const [word = '', ...rest] = stdout.trim().split(' ')
  expect(rest).toEqual([join(folder, 'main.cjs'), 'true'])
  return word
}

test('code that imports runs without a warning of Node', async () => {
  writeFileSync(join(folder, 'part.cjs'), "import('node:vm')\nmodule.exports = { word: () => 'ours' }")
  expect(await run()).toBe('ours')
})

/** The cache of other code of the same length, which V8 itself takes for this code's. */
async function plant(): Promise<string> {
  writeFileSync(join(folder, 'part.cjs'), part('evil'))
  await run()
  writeFileSync(join(folder, 'part.cjs'), part('ours'))
  const file = readdirSync(cache()).find((name) => name.startsWith('part-'))
  if (file === undefined) throw new Error('nothing was kept')
  return join(cache(), file)
}

/** With the checksum of this code in place of the other's. */
async function forge(): Promise<string> {
  const file = await plant()
  const forged = readFileSync(file)
  rmSync(cache(), { recursive: true })
  await run()
  readFileSync(file).copy(forged, 0, 0, 4)
  writeFileSync(file, forged)
  return file
}

test('X-START-3: compiled code is kept beside the bundle, for its owner alone, and the next process runs it', async () => {
  expect(await run()).toBe('ours')
  expect(readdirSync(cache()).map((name) => name.split('-')[0])).toEqual(['main', 'part'])
  // What the owner could have written is run: so the cache is in use.
  await forge()
  expect(await run()).toBe('evil')
})

test('X-START-3: compiled code of a file that has changed since is not run, and is replaced', async () => {
  const file = await plant()
  const before = readFileSync(file)
  expect(await run()).toBe('ours')
  expect(readFileSync(file)).not.toEqual(before)
})

test('X-START-3: compiled code that others could have written, or that is a link, is not run', async () => {
  const file = await forge()
  chmodSync(file, 0o622)
  expect(await run()).toBe('ours')

  await forge()
  renameSync(file, join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), file)
  expect(await run()).toBe('ours')

  await forge()
  chmodSync(cache(), 0o777)
  expect(await run()).toBe('ours')
  chmodSync(cache(), 0o700)

  await forge()
  renameSync(cache(), join(folder, 'moved'))
  symlinkSync(join(folder, 'moved'), cache())
  expect(await run()).toBe('ours')
})

test('X-START-3: a damaged cache is ignored, and one that cannot be written is left out', async () => {
  expect(await run()).toBe('ours')
  for (const name of readdirSync(cache())) {
    const file = join(cache(), name)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9)]))
  }
  expect(await run()).toBe('ours')
  rmSync(cache(), { recursive: true })
  writeFileSync(cache(), 'not a folder')
  expect(await run()).toBe('ours')
  expect(readFileSync(cache(), 'utf8')).toBe('not a folder')
})

test('X-START-3: a program with a compile cache of its own keeps it', async () => {
  const own = join(folder, 'own')
  mkdirSync(own)
  expect(await run({ NODE_COMPILE_CACHE: own })).toBe('ours')
  expect(readdirSync(folder)).not.toContain('cache')
})
