import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  await installOffline(join(folder, tarball))
}, 240_000)

/** What `npm install` does, with the packages that are here already: only those the package declares. */
async function installOffline(tarball: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'writ'), { recursive: true })
  await exec('tar', ['-xzf', tarball, '-C', join(modules, 'writ'), '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(modules, 'writ/package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(await installed(name), join(modules, name))
  }
}

async function installed(name: string): Promise<string> {
  const [own, shared] = [join(runtime, 'node_modules', name), join(runtime, '../node_modules', name)]
  return access(own).then(
    () => own,
    () => shared,
  )
}

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
  expect(files).toEqual(
    expect.arrayContaining(['dist/index.d.ts', 'dist/console/index.html', 'bin/launch.js', 'bin/tether.js']),
  )
})
