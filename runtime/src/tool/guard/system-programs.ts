/**
 * Programs that Writ starts for itself come from the system's folders. The user's PATH can lead into the workspace (an
 * activated `.venv/bin`, `node_modules/.bin` under npx), where a repository or an earlier command may have put a
 * program of the same name.
 */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { World } from '../tool.ts'
import { isWithin } from './paths.ts'

const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/run/wrappers/bin',
  '/run/current-system/sw/bin',
  '/nix/var/nix/profiles/default/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
]

const SYSTEM_PATH = SYSTEM_FOLDERS.join(delimiter)

/** Undefined when the system has no such program. */
export function systemProgram(name: string): string | undefined {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** The programs of the sandbox. Left to itself, it would look them up in the PATH. */
export function sandboxPrograms():
  | { bwrapPath: string; socatPath: string; ripgrep: { command: string } }
  | { missing: string } {
  const [bwrapPath, socatPath, command] = ['bwrap', 'socat', 'rg'].map(systemProgram)
  if (bwrapPath !== undefined && socatPath !== undefined && command !== undefined)
    return { bwrapPath, socatPath, ripgrep: { command } }
  const names = { 'bubblewrap (bwrap)': bwrapPath, socat: socatPath, 'ripgrep (rg)': command }
  const missing = Object.entries(names).flatMap(([name, found]) =>
    found === undefined ? [`${name} not installed`] : [],
  )
  return { missing: missing.join('; ') }
}

/** While `work` runs, this process finds programs in the system's folders only: the sandbox asks `which` for a shell. */
export async function withSystemPath<T>(work: () => Promise<T>): Promise<T> {
  const { PATH } = process.env
  process.env.PATH = SYSTEM_PATH
  try {
    return await work()
  } finally {
    if (PATH === undefined) delete process.env.PATH
    else process.env.PATH = PATH
  }
}

/** The PATH without relative folders and without those that commands of the agent can write to. */
export function trustedPath({
  env,
  workspace,
  writePaths = [],
}: Pick<World, 'env' | 'workspace' | 'writePaths'>): string {
  const writable = [workspace, ...writePaths]
  const folders = (env.PATH ?? SYSTEM_PATH).split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false
    return !writable.some((root) => isWithin(folder, root) || isWithin(realOf(folder), root))
  })
  return folders.length === 0 ? SYSTEM_PATH : folders.join(delimiter)
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
