/** Finds what a command in the fence left in repositories, through which git would run a program later. */
import { chmodSync, type Dirent, realpathSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { WritError } from '../../base/errors.ts'
import { linkedPaths } from './git-index.ts'
import { commonFolder, decidingFiles, gitFileTarget, markOf } from './git-pointers.ts'
import { isSafeGitConfig } from './git-settings.ts'
import { isUnreadable } from './hidden.ts'
import { openFolders } from './leftovers.ts'
import { isWithin } from './paths.ts'
import { lookAt, looksBare, readText } from './repositories.ts'

const READ_AT_ONCE = 64
const MAX_FOLDERS = 500_000
/** Too much is installed there to walk through it for every command. What git and editors look at is looked at. */
const PASSED_OVER = 'node_modules'
/** Git goes there step by step; a path much longer cannot be looked at as a whole. */
const MAX_PATH = process.platform === 'linux' ? 3_800 : 900

interface Look {
  ino: number
  /** What each deciding file looked like. */
  files: ReadonlyMap<string, string>
}

/** What every repository below the workspace looked like, by the path of its folder or its `.git` file. */
export type Repositories = ReadonlyMap<string, Look>

interface Search {
  workspace: string
  /** A command has ended: what it shut behind itself is opened, and there is no limit that it could exhaust. */
  after: boolean
  found: Map<string, Look>
  /** The folders of that name that were passed over; undefined when none is. */
  passed: string[] | undefined
}

export function repositoriesBelow(workspace: string): Promise<Repositories> {
  return search({ workspace, after: false, found: new Map(), passed: [] })
}

async function search(state: Search): Promise<Repositories> {
  await walk([state.workspace], state)
  const passed = state.passed ?? []
  for (const folder of passed) await lookAtPackages(folder, state)
  if (passed.length > 0 && !lookBehindLinks(state)) await walk(passed, { ...state, passed: undefined })
  return state.found
}

async function walk(pending: string[], state: Search): Promise<void> {
  let seen = 0
  while (pending.length > 0) {
    const now = pending.splice(-READ_AT_ONCE)
    seen += now.length
    if (seen > MAX_FOLDERS && !state.after)
      throw new WritError('SANDBOX_FULL', `the workspace has more than ${MAX_FOLDERS} folders`, {
        hint: 'Start in a smaller folder.',
      })
    const listed = await Promise.all(now.map((path) => list(path, state)))
    for (const [i, entries] of listed.entries()) pending.push(...lookAmong(entries, now[i] ?? '', state))
  }
}

async function list(folder: string, state: Search): Promise<Dirent[]> {
  if (isTooLong(folder, state)) return []
  const { workspace, after } = state
  const read = async (): Promise<Dirent[]> => {
    const entries = await readdir(folder, { withFileTypes: true })
    if (!entries.some((entry) => entry.isDirectory() && isUnreadable(entry.name))) return entries
    if (!after)
      throw new WritError('SANDBOX_FULL', `${folder} holds a folder whose name is not UTF-8`, {
        hint: 'Rename it: what lies below it cannot be looked at.',
      })
    await makeReadable(folder)
    return readdir(folder, { withFileTypes: true })
  }
  return read().catch(async (error: unknown) => {
    if (error instanceof WritError) throw error
    if (!after) return []
    try {
      openFolders(folder, workspace)
      return await read()
    } catch {
      // It is gone, or not ours: then no command could change anything in it either.
      return []
    }
  })
}

/** Before a command there was no such folder: the command made it, and where it lies must be known. */
async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory() || !isUnreadable(entry.name.toString())) continue
    const from = Buffer.concat([Buffer.from(`${folder}/`), entry.name])
    await rename(from, join(folder, `not-utf8-${entry.name.toString('hex')}`))
  }
}

/** What a command made too deep to be looked at counts as planted, from where it can still be moved. */
function isTooLong(path: string, { found }: Search): boolean {
  if (Buffer.byteLength(path) <= MAX_PATH) return false
  let top = path
  while (Buffer.byteLength(top) > MAX_PATH) top = dirname(top)
  found.set(path, { ino: 0, files: new Map([[top, 'deep']]) })
  return true
}

/** Answers the folders to go on with. */
function lookAmong(entries: readonly Dirent[], folder: string, state: Search): string[] {
  if (looksBare(new Set(entries.map(({ name }) => name)))) note(folder, state)
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === '.git') note(path, state)
    if (!entry.isDirectory() || isObjects(path)) return []
    if (entry.name !== PASSED_OVER || state.passed === undefined) return [path]
    state.passed.push(path)
    return []
  })
}

async function lookAtPackages(folder: string, state: Search): Promise<void> {
  for (const { name } of await list(folder, state)) {
    const path = join(folder, name)
    if (name.startsWith('@')) await lookAtPackages(path, state)
    const git = name === '.git' ? path : join(path, '.git')
    if (lookAt(git) !== undefined) note(git, state)
  }
}

/** Thousands of folders, and nothing else, in every repository. */
function isObjects(path: string): boolean {
  return /\/\.git\/objects\/([0-9a-f]{2}|pack|info)$/.test(path)
}

function note(path: string, state: Search): void {
  if (state.found.has(path)) return
  if (state.after) openRepository(path, state.workspace)
  const stat = lookAt(path)
  const isFolder = stat?.isDirectory() === true
  const files = isFolder ? decidingFiles(path) : [path]
  state.found.set(path, { ino: stat?.ino ?? 0, files: new Map(files.map((file) => [file, markOf(file)])) })
  const next = isFolder ? commonFolder(path) : gitFileTarget(path)
  if (next !== undefined) note(next, state)
}

function openRepository(path: string, workspace: string): void {
  try {
    if (lookAt(path) === undefined) openFolders(dirname(path), workspace)
    for (const folder of [path, join(path, 'hooks')]) {
      const stat = lookAt(folder)
      if (stat?.isDirectory() === true && (stat.mode & 0o700) !== 0o700) chmodSync(folder, (stat.mode & 0o7777) | 0o700)
    }
  } catch {
    // Not ours.
  }
}

/**
 * `git status` looks into the repositories that the index names, wherever they are. False when an index cannot be
 * read: they may be anywhere then.
 */
function lookBehindLinks(state: Search): boolean {
  // Goes on with what is noted meanwhile: a Map hands out what is added to it.
  for (const path of state.found.keys()) {
    const repository = lookAt(path)?.isDirectory() === true ? path : gitFileTarget(path)
    if (repository === undefined) continue
    const links = linksOf(repository)
    if (links === undefined) return false
    const root = basename(path) === '.git' ? dirname(path) : path
    for (const link of links) {
      const git = join(root, link, '.git')
      if (isWithin(git, state.workspace) && !isTooLong(git, state) && lookAt(git) !== undefined) note(git, state)
    }
  }
  return true
}

const known = new Map<string, { mark: string; links: string[] | undefined }>()

function linksOf(repository: string): string[] | undefined {
  const index = join(repository, 'index')
  // Longer names of objects make it another format.
  if (/objectformat/i.test(readText(join(repository, 'config')) ?? '')) return undefined
  const mark = markOf(index)
  const before = known.get(index)
  if (before?.mark === mark) return before.links
  const read = mark === '' ? [] : linkedPaths(index)
  const links = read?.some(isUnreadable) === true ? undefined : read
  known.set(index, { mark, links })
  return links
}

/** The files, new or changed since, through which git would run a program or look elsewhere. */
export async function plantedIn(workspace: string, before: Repositories): Promise<string[]> {
  const now = await search({ workspace, after: true, found: new Map(), passed: [] })
  const planted = [...now].flatMap(([path, look]) => {
    const then = before.get(path)
    if (then === undefined && isHidden(path, workspace)) return [path]
    const isSame = then?.ino === look.ino
    const changed = [...look.files].filter(([file, mark]) => !isSame || then.files.get(file) !== mark)
    return changed.flatMap(([file]) => dangersAt(file, { repository: path, workspace }))
  })
  // What lies outside, no command can have changed that had it not opened.
  return [...new Set(planted)].filter((file) => isWithin(file, workspace))
}

/** Inside of a `.git`, where git itself puts repositories in two places only. */
function isHidden(path: string, workspace: string): boolean {
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
    return isWithin(place, at.workspace) && !relative(at.workspace, place).split('/').includes(PASSED_OVER)
  }
  return isSafeGitConfig(text, isInside) ? [] : [file]
}

/** A `.git` that is a file or a link: all of what it names is looked at, and not only what is new there. */
function behindLink(path: string, workspace: string): string[] {
  const target = gitFileTarget(path)
  if (target === undefined || !isWithin(target, workspace) || isHidden(target, workspace)) return [path]
  return decidingFiles(target).flatMap((file) => dangersAt(file, { repository: target, workspace }))
}

/** True of a linked worktree of the repository that it lies in, and of one that names itself. */
function leadsHome({ repository, workspace }: { repository: string; workspace: string }): boolean {
  const target = commonFolder(repository)
  if (target === undefined) return false
  const isOwn = basename(dirname(repository)) === 'worktrees' && dirname(dirname(repository)) === target
  return isOwn || target === realpathSync(repository) || target === join(workspace, '.git')
}
