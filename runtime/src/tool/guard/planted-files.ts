/**
 * Moves aside protected files that a sandboxed command created. The sandbox can lock only paths that exist: a lock on a
 * missing path would be visible to every `ls`. So files created at protected paths are moved when the command ends,
 * before they are read as the agent's rules. They are not deleted, because a person may have created them meanwhile. A
 * note in the temporary folder lets the next process do this if this one is killed.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fingerprint } from '../../base/hash.ts'
import { isObject } from '../../base/json.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { AUTORUN_AT_HOME } from './autorun-files.ts'
import { isWithin } from './paths.ts'

export interface Moved {
  path: string
  /** The new path. */
  aside: string
}

export interface CleanupResult {
  moved: Moved[]
  /** Files that could not be moved. */
  stuck: string[]
  /** Files that were restored. */
  restored?: string[]
}

interface Note {
  /** Absent: the process has ended. */
  pid?: number
  /** Absent in notes of older versions, which put empty files at such paths. */
  at?: number
  empty: string[]
}

/** Files that other programs run or follow as soon as the folder is opened in them. */
const AUTORUN = [
  '.mcp.json',
  '.vscode/mcp.json',
  '.vscode/settings.json',
  '.vscode/tasks.json',
  '.idea',
  '.claude',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zprofile',
  '.gitconfig',
  '.ripgreprc',
]

/** The autorun files of a folder that commands may write. */
export function autorunPathsIn(root: string, { HOME }: World['env']): string[] {
  return (root === HOME ? [...AUTORUN, ...AUTORUN_AT_HOME] : AUTORUN).map((name) => join(root, name))
}

/** No command runs longer: files created later came from elsewhere. */
const COMMAND_MS = 130_000

interface Empty {
  path: string
  /** A dangling link exists here, and must stay dangling. */
  dangling: boolean
}

const running = new Map<string, { count: number; empty: Empty[] }>()

/** Call before a sandboxed command; call the returned function when it has ended. It returns what was moved. */
export function watchMissingPaths(
  { workspace, protectedPaths, env, writePaths = [] }: World,
  { autorun = true }: { autorun?: boolean } = {},
): () => CleanupResult {
  const note = noteFor(workspace)
  const now = running.get(note)
  if (now === undefined) moveAsideLeftovers(workspace)
  const roots = [workspace, ...writePaths]
  const autorunHere = autorun ? roots.flatMap((root) => autorunPathsIn(root, env)) : []
  const places = [...new Set([...protectedPaths, ...autorunHere])]
  const empty = now?.empty ?? places.filter((path) => roots.some((root) => isWithin(path, root))).flatMap(emptyAt)
  running.set(note, { count: (now?.count ?? 0) + 1, empty })
  const missing = empty.filter(({ dangling }) => !dangling).map(({ path }) => path)
  writeNote(note, { pid: process.pid, at: Date.now(), empty: missing })
  return () => {
    const count = (running.get(note)?.count ?? 1) - 1
    if (count > 0) running.set(note, { count, empty })
    else running.delete(note)
    const cleanup = clearAll(empty, workspace)
    // The note is removed last: if this process is killed earlier, the next one finds it.
    if (count === 0) endNote(note, cleanup)
    return cleanup
  }
}

/**
 * Moves aside what a command of an earlier process left at protected paths. Throws when a file cannot be moved: it
 * would be read as the agent's rules.
 */
export function moveAsideLeftovers(workspace: string): Moved[] {
  const note = noteFor(workspace)
  const found = readNote(note)
  if (found === undefined || (found.pid !== undefined && found.pid !== process.pid && isOwnProcess(found.pid)))
    return []
  const { at } = found
  if (at === undefined) {
    for (const path of found.empty) removeIfEmpty(path)
    removeNote(note)
    return []
  }
  const made = found.empty.map((path) => ({ path, dangling: false, before: at + COMMAND_MS }))
  const cleanup = clearAll(made, workspace)
  if (!running.has(note)) endNote(note, cleanup)
  if (cleanup.stuck.length === 0) return cleanup.moved
  const files = cleanup.stuck.map((path) => relative(workspace, path))
  throw new WritError('PATH_PROTECTED.leftover', { files, note })
}

function clearAll(places: readonly (Empty & { before?: number })[], workspace: string): CleanupResult {
  const moved: Moved[] = []
  const stuck: string[] = []
  for (const place of places) {
    try {
      const done = clear(place, workspace)
      if (done !== undefined) moved.push(done)
    } catch {
      stuck.push(place.path)
    }
  }
  return { moved, stuck }
}

function clear(place: Empty & { before?: number }, workspace: string): Moved | undefined {
  const attempt = (): Moved | undefined => {
    const { path, dangling, before = Number.POSITIVE_INFINITY } = place
    const isMade = isThere(path) && (!dangling || existsSync(path))
    return isMade && lstatSync(path).birthtimeMs <= before
      ? moveAside(linkOnTheWay(path, workspace) ?? path)
      : undefined
  }
  try {
    return attempt()
  } catch {
    // The command may have removed our access to the folder.
    openFolders(dirname(place.path), workspace)
    return attempt()
  }
}

/** The target of a link may be anything: move the link itself. */
function linkOnTheWay(path: string, workspace: string): string | undefined {
  const parents = foldersBetween(workspace, dirname(path))
  return parents.find((folder) => folder !== workspace && lstatSync(folder).isSymbolicLink())
}

/** Restores our access to every folder on the path. */
export function openFolders(folder: string, workspace: string): void {
  for (const path of foldersBetween(workspace, folder)) {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return
    if ((stat.mode & 0o700) !== 0o700) chmodSync(path, (stat.mode & 0o7777) | 0o700)
  }
}

/** From outer to inner, both included. */
function foldersBetween(outer: string, inner: string): string[] {
  return inner === outer || !isWithin(inner, outer) ? [outer] : [...foldersBetween(outer, dirname(inner)), inner]
}

function noteFor(workspace: string): string {
  return join(tmpdir(), `writ-fence-${process.getuid?.() ?? 0}-${fingerprint(workspace).slice(0, 24)}.json`)
}

function readNote(note: string): Note | undefined {
  try {
    if (!isOurs(note)) return undefined
    const value: unknown = JSON.parse(readFileSync(note, 'utf8'))
    if (!isObject(value)) return undefined
    const { pid, at, empty } = value
    return {
      ...(typeof pid === 'number' ? { pid } : {}),
      ...(typeof at === 'number' ? { at } : {}),
      empty: Array.isArray(empty) ? empty.filter((path) => typeof path === 'string') : [],
    }
  } catch {
    return undefined
  }
}

/** Any user can write to the temporary folder; only our own note decides what is moved. */
function isOurs(note: string): boolean {
  const stat = lstatSync(note)
  return stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid())
}

/**
 * Renamed into place, so that a link there is replaced, not followed. If another user's file has the name, no note is
 * written: a kill may then leave files behind, but other users cannot block every command.
 */
function writeNote(note: string, content: Note): void {
  const draft = `${note}.${randomUUID()}`
  try {
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
    renameSync(draft, note)
  } catch {
    rmSync(draft, { force: true })
  }
}

function removeNote(note: string): void {
  try {
    if (isOurs(note)) unlinkSync(note)
  } catch {
    // There is no note.
  }
}

function endNote(note: string, { stuck }: CleanupResult): void {
  if (stuck.length === 0) removeNote(note)
  else writeNote(note, { at: Date.now(), empty: stuck })
}

/** An unreadable path may exist, and a command cannot create it. */
function emptyAt(path: string): Empty[] {
  try {
    const dangling = isThere(path)
    return dangling && existsSync(path) ? [] : [{ path, dangling }]
  } catch {
    return []
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

export function moveAside(path: string): Moved {
  let aside = `${path}.refused`
  for (let n = 2; isThere(aside); n++) aside = `${path}.refused-${n}`
  renameSync(path, aside)
  return { path, aside }
}

function removeIfEmpty(path: string): void {
  try {
    const stat = lstatSync(path)
    if (stat.isDirectory()) rmdirSync(path)
    else if (stat.isFile() && stat.size === 0) unlinkSync(path)
  } catch {
    // Already gone, or in use by now.
  }
}

/** A process of another user that has the same id by now did not write the note. */
function isOwnProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
