import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const exec = promisify(execFile)
const runtime = join(import.meta.dirname, '../..')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'writ-pack-'))
  await exec('npm', ['pack', '--pack-destination', folder], { cwd: runtime })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await writeFile(join(folder, 'package.json'), '{"name":"newcomer","private":true,"type":"module"}')
  await exec('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
}, 240_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the packed library, installed into an empty folder, runs an agent', async () => {
  const program = `
    import { createAgent } from 'writ'
    const agent = await createAgent({ model: 'rules', lang: 'en' })
    const { reply, stopReason } = await agent.run('list the files here')
    console.log(JSON.stringify({ reply, stopReason }))
    await agent.close()
  `
  await writeFile(join(folder, 'program.js'), program)
  const { stdout } = await exec(process.execPath, ['program.js'], { cwd: folder })
  const { reply, stopReason } = JSON.parse(stdout)
  expect(stopReason).toBe('final')
  expect(reply).toContain('program.js')
})

test('the packed command runs a task', async () => {
  const bin = join(folder, 'node_modules/writ/bin/writ.js')
  const { stdout } = await exec(process.execPath, [bin, 'run', 'list the files here'], { cwd: folder })
  expect(stdout).toContain('package.json')
})

test('the package carries no source, no tests and no secrets', async () => {
  const files = await readdir(join(folder, 'node_modules/writ'), { recursive: true })
  expect(files.filter((name) => /\.test\.|(^|\/)src\/|(^|\/)\.writ\//.test(name))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['dist/index.d.ts', 'dist/console/index.html']))
})
