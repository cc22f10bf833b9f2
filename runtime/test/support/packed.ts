/** The package as `npm pack` makes it, installed into an empty project without a network. */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const RUNTIME = join(import.meta.dirname, '../..')
const TSC = join(RUNTIME, '../node_modules/typescript/bin/tsc')
/** What the guides use beside the package, and the libraries of the adapters. */
const SHOWN = ['express', '@types/express', 'openai', 'ai', '@langchain/core', '@openai/agents']

export interface PackedProject {
  /** The project. */
  folder: string
  /** The installed package. */
  installed: string
  tarball: string
  bytes: { packed: number; unpacked: number }
  /** Runs a program of the project with this Node. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<{ stdout: string; stderr: string }>
  /** Complaints of `tsc`; empty where there are none. */
  typeErrors(compilerOptions: object, include: readonly string[]): Promise<string>
  remove(): Promise<void>
}

/** Makes the package: a build and `npm pack`. */
export async function packProject(): Promise<PackedProject> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'writ-pack-')))
  await exec('npm', ['pack', '--pack-destination', folder], { cwd: RUNTIME, maxBuffer: 1e8 })
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '')
  await writeFile(join(folder, 'package.json'), '{"name":"newcomer","private":true,"type":"module"}')
  const installed = join(folder, 'node_modules/writ')
  await installOffline(tarball, folder)
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME, ...outer } = process.env
  const ownHome = { ...outer, HOME: folder }
  return {
    folder,
    installed,
    tarball,
    bytes: { packed: (await stat(tarball)).size, unpacked: await sizeOf(installed) },
    // The state of the one who runs the tests is not theirs to read or write.
    run: (args, env = {}) => exec(process.execPath, args, { cwd: folder, env: { ...ownHome, ...env } }),
    async typeErrors(compilerOptions, include) {
      const project = join(folder, 'tsconfig.json')
      const strict = { strict: true, skipLibCheck: false, noEmit: true, noUncheckedIndexedAccess: true }
      await writeFile(project, JSON.stringify({ compilerOptions: { ...strict, ...compilerOptions }, include }))
      return exec(process.execPath, [TSC, '--checkers', '1', '-p', project], { cwd: folder }).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      )
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What `npm install` does, with the packages that are here already: only those the package declares, the types of Node, and
 * what the guides show. */
async function installOffline(tarball: string, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'writ'), { recursive: true })
  await exec('tar', ['-xzf', tarball, '-C', join(modules, 'writ'), '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(modules, 'writ/package.json'), 'utf8'))
  for (const name of [...Object.keys(dependencies), '@types/node', ...SHOWN]) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(await installedHere(name), join(modules, name))
  }
}

async function installedHere(name: string): Promise<string> {
  const [own, shared] = [join(RUNTIME, 'node_modules', name), join(RUNTIME, '../node_modules', name)]
  return access(own).then(
    () => own,
    () => shared,
  )
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}
