/**
 * The fence holds what is there, and cannot hold a name that is not there yet without showing it to every `ls`. So
 * what a fenced command makes at a protected place is moved aside when it ends, before anyone takes it for the agent's
 * rules. It is moved and not removed: a person may have made it meanwhile. A note in the temporary folder lets the
 * next process do the same when this one is killed in between.
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
import { WritError } from '../../base/errors.ts'
import { fingerprint } from '../../base/hash.ts'
import { isObject } from '../../base/json.ts'
import type { World } from '../tool.ts'
import { OBEYED_AT_HOME } from './obeyed.ts'
import { isWithin } from './paths.ts'

export interface Moved {
  path: string
  /** Where it is now. */
  aside: string
}

export interface Settled {
  moved: Moved[]
  /** What is still there, because it could not be moved. */
  stuck: string[]
  /** What is again as it was before. */
  restored?: string[]
}

interface Note {
  /** Absent: nobody is at it any more. */
  pid?: number
  /** Absent in notes from when empty files were laid over such places. */
  at?: number
  empty: string[]
}

/** What other programs run or obey as soon as somebody opens the folder with them. */
const OBEYED = [
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

/** What programs obey in a folder that commands may write. */
export function obeyedIn(root: string, { HOME }: World['env']): string[] {
  return (root === HOME ? [...OBEYED, ...OBEYED_AT_HOME] : OBEYED).map((name) => join(root, name))
}

/** No command runs longer; what was made later was made by somebody else. */
const COMMAND_MS = 130_000

interface Empty {
  path: string
  /** A link that leads to nothing is there, and must go on doing so. */
  dangling: boolean
}

const running = new Map<string, { count: number; empty: Empty[] }>()

/** Call before a fenced command; the answer is called when it has ended, and says what had to be moved. */
export function watchEmptyPlaces(
  { workspace, protectedPaths, env, writePaths = [] }: World,
  { obeyed = true }: { obeyed?: boolean } = {},
): () => Settled {
  const note = noteFor(workspace)
  const now = running.get(note)
  if (now === undefined) sweepLeftovers(workspace)
  const roots = [workspace, ...writePaths]
  const obeyedHere = obeyed ? roots.flatMap((root) => obeyedIn(root, env)) : []
  const places = [...new Set([...protectedPaths, ...obeyedHere])]
  const empty = now?.empty ?? places.filter((path) => roots.some((root) => isWithin(path, root))).flatMap(emptyAt)
  running.set(note, { count: (now?.count ?? 0) + 1, empty })
  const missing = empty.filter(({ dangling }) => !dangling).map(({ path }) => path)
  writeNote(note, { pid: process.pid, at: Date.now(), empty: missing })
  return () => {
    const count = (running.get(note)?.count ?? 1) - 1
    if (count > 0) running.set(note, { count, empty })
    else running.delete(note)
    const settled = clearAll(empty, workspace)
    // The note goes last: whoever is killed before has left it to the next one.
    if (count === 0) endNote(note, settled)
    return settled
  }
}

/**
 * Moves aside what a command of an earlier process left at protected places of this workspace. Throws when something
 * cannot be moved: whoever went on would take it for the agent's rules.
 */
export function sweepLeftovers(workspace: string): Moved[] {
  const note = noteFor(workspace)
  const found = readNote(note)
  if (found === undefined || (found.pid !== undefined && found.pid !== process.pid && isAlive(found.pid))) return []
  const { at } = found
  if (at === undefined) {
    for (const path of found.empty) removeIfEmpty(path)
    removeNote(note)
    return []
  }
  const made = found.empty.map((path) => ({ path, dangling: false, before: at + COMMAND_MS }))
  const settled = clearAll(made, workspace)
  if (!running.has(note)) endNote(note, settled)
  if (settled.stuck.length === 0) return settled.moved
  const names = settled.stuck.map((path) => relative(workspace, path)).join(', ')
  throw new WritError('PATH_PROTECTED', `${names} was made while a command ran, and cannot be moved aside`, {
    hint: `Move it away, or remove ${note} if it is your own.`,
  })
}

function clearAll(places: readonly (Empty & { before?: number })[], workspace: string): Settled {
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
    // A command that shut the folder behind it, so that nothing in it can be moved.
    openFolders(dirname(place.path), workspace)
    return attempt()
  }
}

/** What lies behind a link may be anybody's: the link itself is moved then. */
function linkOnTheWay(path: string, workspace: string): string | undefined {
  const parents = foldersBetween(workspace, dirname(path))
  return parents.find((folder) => folder !== workspace && lstatSync(folder).isSymbolicLink())
}

/** Gives us back the rights to every folder on the way. */
export function openFolders(folder: string, workspace: string): void {
  for (const path of foldersBetween(workspace, folder)) {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return
    if ((stat.mode & 0o700) !== 0o700) chmodSync(path, (stat.mode & 0o7777) | 0o700)
  }
}

/** From the outermost inwards, both included. */
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

/** Anyone may write to the temporary folder; only a note of our own says what may be moved. */
function isOurs(note: string): boolean {
  const stat = lstatSync(note)
  return stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid())
}

/**
 * Put in place by its name, so that a link there is replaced and not followed. Where somebody else's file holds the
 * name there is no note: what is then left by a kill is left, but no stranger stops every command.
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
    // There is none.
  }
}

function endNote(note: string, { stuck }: Settled): void {
  if (stuck.length === 0) removeNote(note)
  else writeNote(note, { at: Date.now(), empty: stuck })
}

/** What cannot be looked at may well be there, and is nothing that this command makes. */
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
    // Gone already, or somebody's by now.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
