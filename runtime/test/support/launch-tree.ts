/** This repository as npm 9 and 10 install it, without `node_modules/.bin/node`, and the Nodes a machine may have; for tests. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const NEEDED = 24

/** Without the lockfile no bundle is kept, and every command makes one. */
const COPIED = [
  'scripts',
  'runtime/bin',
  'runtime/package.json',
  'package.json',
  'package-lock.json',
  'console/package.json',
]

/** Reports itself as Node 20 and can no more replace its process than that could. */
const AGED = `
  Object.defineProperty(process, 'version', { value: 'v20.19.0' })
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })
  delete process.execve
`

export interface LaunchTree {
  root: string
  /** Starts a command with the given Node as the machine's own. */
  start(machine: string, command: readonly string[], options?: { stdin?: 'pipe' }): ChildProcess
  run(machine: string, command: readonly string[]): Promise<{ code: number | null; output: string }>
  file(name: string, text: string): string
  remove(): void
}

/** Folders that hold a `node`: the machine's own where that is old, else one that passes for it; and this one. */
export function machineNodes(folder: string): [name: string, bin: string][] {
  const old = ownOldNode() ?? ['an old Node', agedNode(join(folder, 'aged'))]
  return [old, [`Node ${process.versions.node}`, dirname(process.execPath)]]
}

export function agedNode(folder: string): string {
  mkdirSync(folder)
  writeFileSync(join(folder, 'age.mjs'), AGED)
  writeFileSync(
    join(folder, 'node'),
    `#!/bin/sh\nexec '${process.execPath}' --import '${join(folder, 'age.mjs')}' "$@"\n`,
  )
  chmodSync(join(folder, 'node'), 0o755)
  return folder
}

function ownOldNode(): [string, string] | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => existsSync(join(folder, 'node')))
  for (const folder of folders) {
    const version = execFileSync(join(folder, 'node'), ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
    if (Number.parseInt(version, 10) < NEEDED) return [`the machine's Node ${version}`, folder]
  }
  return undefined
}

export function makeLaunchTree(): LaunchTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-launch-')))
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  }
  for (const name of ['runtime/src', 'console/build.ts']) symlinkSync(join(ROOT, name), join(root, name))
  linkPackages(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const start: LaunchTree['start'] = (machine, [program = '', ...words], { stdin = 'ignore' as const } = {}) =>
    spawn(program, words, {
      cwd: root,
      env: {
        PATH: `${machine}${delimiter}${process.env.PATH}`,
        HOME: root,
        TMPDIR: tmpdir(),
        LANG: 'C.UTF-8',
        npm_config_update_notifier: 'false',
      },
      stdio: [stdin, 'pipe', 'pipe'],
    })
  return {
    root,
    start,
    async run(machine, command) {
      const child = start(machine, command)
      const output = outputOf(child)
      const [code] = await once(child, 'close')
      return { code, output: output() }
    },
    file(name, text) {
      writeFileSync(join(root, name), text)
      return join(root, name)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Everything the process has said so far. */
export function outputOf(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk.toString()
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, '.bin'), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '.bin' && name !== 'writ') symlinkSync(join(from, name), join(to, name))
  }
  symlinkSync('../runtime', join(to, 'writ'))
  for (const name of readdirSync(join(from, '.bin'))) {
    if (name !== 'node' && name !== 'writ') symlinkSync(realpathSync(join(from, '.bin', name)), join(to, '.bin', name))
  }
  symlinkSync('../writ/bin/writ.js', join(to, '.bin/writ'))
}
