/**
 * Locks the files of a repository that decide which programs git runs. A sandboxed command must not change them: the
 * next `git status`, by Writ or the user, runs outside the sandbox.
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

/**
 * Says that the repository is its own common folder, which is the default: if a kill leaves it behind, it changes
 * nothing.
 */
const OWN = '.\n'

interface Name {
  name: string
  kind: 'file' | 'folder'
  /** Content of the placeholder. */
  text?: string
}

const LOCKED: readonly Name[] = [
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

export interface LockedNames {
  /** All of them exist, so each can be locked without adding a visible name. */
  paths: string[]
  release(): void
}

/** For one command: locks these names in the workspace's repository and its submodules. */
export function lockRepository(workspace: string, opened: readonly string[]): LockedNames {
  const git = join(workspace, '.git')
  const stat = statOf(git)
  if (stat === undefined) return { paths: [], release: () => {} }
  if (!stat.isDirectory()) return { paths: [git], release: () => {} }
  const folders = [git, ...modulesBelow(join(git, 'modules'))]
  const isOpen = (path: string): boolean => opened.some((outer) => isWithin(path, outer))
  const names = folders.flatMap((folder) =>
    LOCKED.map((entry) => ({ ...entry, path: join(folder, entry.name) })).filter(({ path }) => !isOpen(path)),
  )
  const share = shareFor(workspace)
  share.enter((made) => names.filter((name) => createIfMissing(name, made)).map(({ path }) => path))
  return {
    paths: names.map(({ path }) => path),
    release: () => share.leave((path) => isWithin(path, git) && removeIfOurs(path)),
  }
}

/** True when it was created here, or was left by a killed process: then it is removed with the last command. */
function createIfMissing({ path, kind, text = '' }: Name & { path: string }, made: ReadonlySet<string>): boolean {
  const isThere = statOf(path) !== undefined
  if (isThere) return made.has(path) || isLeftOver(path)
  mkdirSync(dirname(path), { recursive: true })
  if (kind === 'folder') mkdirSync(path, { recursive: true })
  else writeFileSync(path, text, { flag: 'w' })
  return true
}

function removeIfOurs(path: string): void {
  try {
    const stat = lstatSync(path)
    if (stat.isDirectory()) rmdirSync(path)
    else if (stat.isFile() && (stat.size === 0 || isLeftOver(path))) unlinkSync(path)
  } catch {
    // Gone, or in use by now.
  }
}

/** Left behind by a killed process. */
function isLeftOver(path: string): boolean {
  return path.endsWith('/commondir') && readText(path) === OWN
}

/** `.git/modules/NAME`; names may contain slashes, and repositories may be nested. */
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

/** Git accepts any folder with these names as a repository; some file systems ignore their case. */
export function looksBare(found: ReadonlySet<string>): boolean {
  const names = new Set([...found].map((name) => name.toLowerCase()))
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

/** Of a file of limited size, never through a link. */
export function readText(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size < 1_000_000 ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
