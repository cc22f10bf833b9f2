/**
 * What in a repository decides which programs git runs. A command in the fence must not leave any of it behind: the
 * next `git status`, ours or the user's, runs outside.
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from './paths.ts'
import { shareFor } from './shared-names.ts'

/** Says that the repository is its own common folder, which is so anyway: left behind by a kill, it changes nothing. */
const OWN = '.\n'

interface Name {
  name: string
  kind: 'file' | 'folder'
  /** What stands at the name while nothing else does. */
  text?: string
}

const SHUT: readonly Name[] = [
  { name: 'config', kind: 'file', text: '' },
  { name: 'config.worktree', kind: 'file', text: '' },
  { name: 'commondir', kind: 'file', text: OWN },
  { name: 'info/attributes', kind: 'file', text: '' },
  { name: 'objects/info/alternates', kind: 'file', text: '' },
  { name: 'hooks', kind: 'folder' },
  { name: 'worktrees', kind: 'folder' },
  { name: 'branches', kind: 'folder' },
  { name: 'remotes', kind: 'folder' },
]
const MAX_MODULES = 100

export interface ShutNames {
  /** All of them exist, so that each can be held shut without a name that is not there being shown. */
  paths: string[]
  release(): void
}

/** Holds, for one command, the names shut in the workspace's own repository and its submodules. */
export function shutRepository(workspace: string, opened: readonly string[]): ShutNames {
  const git = join(workspace, '.git')
  const stat = lookAt(git)
  if (stat === undefined) return { paths: [], release: () => {} }
  if (!stat.isDirectory()) return { paths: [git], release: () => {} }
  const folders = [git, ...modulesBelow(join(git, 'modules'))]
  const isOpen = (path: string): boolean => opened.some((outer) => isWithin(path, outer))
  const names = folders.flatMap((folder) =>
    SHUT.map((entry) => ({ ...entry, path: join(folder, entry.name) })).filter(({ path }) => !isOpen(path)),
  )
  const share = shareFor(workspace)
  share.enter((made) => names.filter((name) => hold(name, made)).map(({ path }) => path))
  return {
    paths: names.map(({ path }) => path),
    release: () => share.leave((path) => isWithin(path, git) && letGo(path)),
  }
}

/** True when it had to be made, or was left by a process that was killed: then it goes with the last command. */
function hold({ path, kind, text = '' }: Name & { path: string }, made: ReadonlySet<string>): boolean {
  const isThere = lookAt(path) !== undefined
  if (isThere) return made.has(path) || isLeftOver(path)
  mkdirSync(dirname(path), { recursive: true })
  if (kind === 'folder') mkdirSync(path, { recursive: true })
  else writeFileSync(path, text, { flag: 'w' })
  return true
}

function letGo(path: string): void {
  try {
    const stat = lstatSync(path)
    if (stat.isDirectory()) rmdirSync(path)
    else if (stat.isFile() && (stat.size === 0 || isLeftOver(path))) unlinkSync(path)
  } catch {
    // It is gone, or holds something by now.
  }
}

/** A process that was killed could not take it away. */
function isLeftOver(path: string): boolean {
  return path.endsWith('/commondir') && readText(path) === OWN
}

/** `.git/modules/NAME`, where names may have slashes and repositories others in them. */
function modulesBelow(folder: string, depth = 4): string[] {
  if (depth === 0) return []
  const found = foldersIn(folder).flatMap((path) =>
    looksBare(new Set(namesIn(path)))
      ? [path, ...modulesBelow(join(path, 'modules'), depth - 1)]
      : modulesBelow(path, depth - 1),
  )
  return found.slice(0, MAX_MODULES)
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Git takes any folder for a repository that has these. */
export function looksBare(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

/** Of a file of reasonable size, never through a link. */
export function readText(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size < 1_000_000 ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
