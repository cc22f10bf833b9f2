/** Finds files that a sandboxed command left in repositories and that would make git run a program later. */
import { chmodSync, type Dirent, realpathSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { isUnreadable } from './closed-files.ts'
import { linkedPaths } from './git-index.ts'
import { commonFolder, fileState, gitFileTarget, hookAndConfigFiles } from './git-pointers.ts'
import { isSafeGitConfig } from './git-safe-config.ts'
import { isWithin } from './paths.ts'
import { openFolders } from './planted-files.ts'
import { looksBare, readText, statOf } from './repository-locks.ts'

const FOLDERS_AT_A_TIME = 64
const MAX_FOLDERS = 500_000
/** Too large to walk for every command. The paths that git and editors read are checked. */
const SKIPPED = 'node_modules'
/** Git descends folder by folder; a much longer path cannot be opened at once. */
const MAX_PATH = process.platform === 'linux' ? 3_800 : 900

interface Snapshot {
  ino: number
  /** State of each hook and settings file. */
  files: ReadonlyMap<string, string>
}

/** All repositories below the workspace, keyed by the path of their folder or `.git` file. */
export type Repositories = ReadonlyMap<string, Snapshot>

interface Search {
  workspace: string
  /** After the command: folders it made inaccessible are opened, and there is no limit it could exhaust. */
  afterCommand: boolean
  found: Map<string, Snapshot>
  /** The skipped folders; undefined when nothing is skipped. */
  skipped: string[] | undefined
}

export function repositoriesBelow(workspace: string): Promise<Repositories> {
  return search({ workspace, afterCommand: false, found: new Map(), skipped: [] })
}

async function search(state: Search): Promise<Repositories> {
  await walk([state.workspace], state)
  const skipped = state.skipped ?? []
  for (const folder of skipped) await scanPackages(folder, state)
  if (skipped.length > 0 && !scanSubmodules(state)) await walk(skipped, { ...state, skipped: undefined })
  return state.found
}

async function walk(pending: string[], state: Search): Promise<void> {
  let seen = 0
  while (pending.length > 0) {
    const now = pending.splice(-FOLDERS_AT_A_TIME)
    seen += now.length
    if (seen > MAX_FOLDERS && !state.afterCommand) throw new WritError('SANDBOX_FULL.folders', { most: MAX_FOLDERS })
    const listed = await Promise.all(now.map((path) => list(path, state)))
    for (const [i, entries] of listed.entries()) pending.push(...scanEntries(entries, now[i] ?? '', state))
  }
}

async function list(folder: string, state: Search): Promise<Dirent[]> {
  if (isTooLong(folder, state)) return []
  const { workspace, afterCommand } = state
  const read = async (): Promise<Dirent[]> => {
    const entries = await readdir(folder, { withFileTypes: true })
    if (!entries.some((entry) => entry.isDirectory() && isUnreadable(entry.name))) return entries
    if (!afterCommand) throw new WritError('SANDBOX_FULL.name', { folder })
    await renameUnreadable(folder)
    return readdir(folder, { withFileTypes: true })
  }
  return read().catch(async (error: unknown) => {
    if (error instanceof WritError) throw error
    if (!afterCommand) return []
    try {
      openFolders(folder, workspace)
      return await read()
    } catch {
      // Deleted, or not accessible to us: then the command could not change it either.
      return []
    }
  })
}

/** The folder did not exist before the command. It is renamed so that its content can be checked. */
async function renameUnreadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory() || !isUnreadable(entry.name.toString())) continue
    const from = Buffer.concat([Buffer.from(`${folder}/`), entry.name])
    await rename(from, join(folder, `not-utf8-${entry.name.toString('hex')}`))
  }
}

/** A path too long to check counts as planted, and is moved from the deepest folder that can be. */
function isTooLong(path: string, { found }: Search): boolean {
  if (Buffer.byteLength(path) <= MAX_PATH) return false
  let top = path
  while (Buffer.byteLength(top) > MAX_PATH) top = dirname(top)
  found.set(path, { ino: 0, files: new Map([[top, 'deep']]) })
  return true
}

/** Returns the folders to visit next. */
function scanEntries(entries: readonly Dirent[], folder: string, state: Search): string[] {
  if (looksBare(new Set(entries.map(({ name }) => name)))) record(folder, state)
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === '.git') record(path, state)
    if (!entry.isDirectory() || isObjects(path)) return []
    if (entry.name !== SKIPPED || state.skipped === undefined) return [path]
    state.skipped.push(path)
    return []
  })
}

async function scanPackages(folder: string, state: Search): Promise<void> {
  for (const { name } of await list(folder, state)) {
    const path = join(folder, name)
    if (name.startsWith('@')) await scanPackages(path, state)
    const git = name === '.git' ? path : join(path, '.git')
    if (statOf(git) !== undefined) record(git, state)
  }
}

/** Thousands of folders with objects only. */
function isObjects(path: string): boolean {
  return /\/\.git\/objects\/([0-9a-f]{2}|pack|info)$/.test(path)
}

function record(path: string, state: Search): void {
  if (state.found.has(path)) return
  if (state.afterCommand) openRepository(path, state.workspace)
  const stat = statOf(path)
  const isFolder = stat?.isDirectory() === true
  const files = isFolder ? hookAndConfigFiles(path) : [path]
  state.found.set(path, { ino: stat?.ino ?? 0, files: new Map(files.map((file) => [file, fileState(file)])) })
  const next = isFolder ? commonFolder(path) : gitFileTarget(path)
  if (next !== undefined) record(next, state)
}

function openRepository(path: string, workspace: string): void {
  try {
    if (statOf(path) === undefined) openFolders(dirname(path), workspace)
    for (const folder of [path, join(path, 'hooks')]) {
      const stat = statOf(folder)
      if (stat?.isDirectory() === true && (stat.mode & 0o700) !== 0o700) chmodSync(folder, (stat.mode & 0o7777) | 0o700)
    }
  } catch {
    // Not accessible to us.
  }
}

/**
 * `git status` enters the submodules named in the index, wherever they are. False when an index cannot be read: they
 * may be anywhere.
 */
function scanSubmodules(state: Search): boolean {
  // Includes entries that are added during the loop.
  for (const path of state.found.keys()) {
    const repository = statOf(path)?.isDirectory() === true ? path : gitFileTarget(path)
    if (repository === undefined) continue
    const links = linksOf(repository)
    if (links === undefined) return false
    const root = basename(path) === '.git' ? dirname(path) : path
    for (const link of links) {
      const git = join(root, link, '.git')
      if (isWithin(git, state.workspace) && !isTooLong(git, state) && statOf(git) !== undefined) record(git, state)
    }
  }
  return true
}

const known = new Map<string, { mark: string; links: string[] | undefined }>()

function linksOf(repository: string): string[] | undefined {
  const index = join(repository, 'index')
  // Longer object ids change the format of the index.
  if (/objectformat/i.test(readText(join(repository, 'config')) ?? '')) return undefined
  const mark = fileState(index)
  const before = known.get(index)
  if (before?.mark === mark) return before.links
  const read = mark === '' ? [] : linkedPaths(index)
  const links = read?.some(isUnreadable) === true ? undefined : read
  known.set(index, { mark, links })
  return links
}

/** New or changed files that would make git run a program or use another folder. */
export async function plantedIn(workspace: string, before: Repositories): Promise<string[]> {
  const now = await search({ workspace, afterCommand: true, found: new Map(), skipped: [] })
  const planted = [...now].flatMap(([path, look]) => {
    const then = before.get(path)
    if (then === undefined && isInsideGitFolder(path, workspace)) return [path]
    const isSame = then?.ino === look.ino
    const changed = [...look.files].filter(([file, mark]) => !isSame || then.files.get(file) !== mark)
    return changed.flatMap(([file]) => dangersAt(file, { repository: path, workspace }))
  })
  // The command could write only to the workspace, unless more was opened for it.
  return [...new Set(planted)].filter((file) => isWithin(file, workspace))
}

/** Inside `.git`, git itself creates repositories in two places only. */
function isInsideGitFolder(path: string, workspace: string): boolean {
  return /(^|\/)\.git\/(?!modules\/|worktrees\/)/.test(relative(workspace, path))
}

function dangersAt(file: string, at: { repository: string; workspace: string }): string[] {
  if (file === at.repository) return behindLink(file, at.workspace)
  const name = basename(file)
  if (dirname(file) !== at.repository || name === 'hooks') return [file]
  const text = readText(file)
  if (text === undefined) return [file]
  if (name === 'commondir') return leadsHome(at) ? [] : [file]
  const isInside = (path: string): boolean => {
    const place = resolve(at.repository, path)
    return isWithin(place, at.workspace) && !relative(at.workspace, place).split('/').includes(SKIPPED)
  }
  return isSafeGitConfig(text, isInside) ? [] : [file]
}

/** A `.git` file or link: everything it points to is checked, not only what is new there. */
function behindLink(path: string, workspace: string): string[] {
  const target = gitFileTarget(path)
  if (target === undefined || !isWithin(target, workspace) || isInsideGitFolder(target, workspace)) return [path]
  return hookAndConfigFiles(target).flatMap((file) => dangersAt(file, { repository: target, workspace }))
}

/** True for a linked worktree inside its own repository, and for a repository that names itself. */
function leadsHome({ repository, workspace }: { repository: string; workspace: string }): boolean {
  const target = commonFolder(repository)
  if (target === undefined) return false
  const isOwn = basename(dirname(repository)) === 'worktrees' && dirname(dirname(repository)) === target
  return isOwn || target === realpathSync(repository) || target === join(workspace, '.git')
}
