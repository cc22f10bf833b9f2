/** Trees of files, compared byte by byte, and the diffs that git writes between them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface TreeFile {
  content: Buffer
  executable: boolean
}

export type Tree = Map<string, TreeFile>

export function git(folder: string, args: readonly string[], input = ''): Buffer {
  const settings = ['core.autocrlf=false', 'core.fileMode=true', 'core.safecrlf=false', 'diff.renames=true']
  const config = settings.flatMap((setting) => ['-c', setting])
  return execFileSync('git', [...config, '-C', folder, ...args], {
    maxBuffer: 256 * 1024 * 1024,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  })
}

export function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [path, { content, executable }] of tree) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, executable ? 0o755 : 0o644)
  }
}

export function readTree(folder: string): Tree {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const executable = (statSync(file).mode & 0o100) !== 0
      return [relative(folder, file), { content: readFileSync(file), executable }]
    }),
  )
}

/** One line per difference; empty when both trees are the same. */
export function differences(one: Tree, other: Tree): string[] {
  const paths = new Set([...one.keys(), ...other.keys()])
  return [...paths].flatMap((path) => {
    const [a, b] = [one.get(path), other.get(path)]
    if (a === undefined || b === undefined) return [`${path}: ${a === undefined ? 'too much' : 'missing'}`]
    if (!a.content.equals(b.content)) return [`${path}: content`]
    return a.executable === b.executable ? [] : [`${path}: mode`]
  })
}
