/** What the workspace contains now: a tree in the shadow repository, and what a tree cannot hold. */

import { randomUUID } from 'node:crypto'
import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { closedPathTest } from '../guard/closed-files.ts'
import { isWithin } from '../guard/paths.ts'
import type { World } from '../tool.ts'
import { ignoredBefore } from './ignored-before.ts'
import { isFolder, type Tree } from './plan.ts'
import { plainPerm, readTree } from './recorded-tree.ts'
import type { Shadow } from './shadow.ts'

const MAX_FILES = 100_000
/** A larger file is not recorded: this share of the limit for the whole workspace. */
const FILE_SHARE = 10
/** A pipe called `.gitignore` would block git for ever. */
const LIST_MS = 30_000

/** Why a path is not recorded. `ignored`: only where the ignore rules changed since. */
export type SkipReason = 'ignored' | 'large' | 'nested' | 'closed' | 'special'

export interface Snapshot {
  tree: string
  /** Permissions other than 644 and 755, by path. */
  perms: Record<string, number>
  /** Permissions of the folders, which a tree of git does not have; their paths end with a slash. */
  folders: Record<string, number>
  skipped: Record<string, SkipReason>
}

export interface SnapshotLimits {
  maxBytes: number
  /** True: only single files are limited. */
  anySize?: true
  /** An earlier recording to compare with: what was not recorded then is not recorded now. */
  since?: Snapshot | undefined
  signal?: AbortSignal | undefined
}

/**
 * Paths are relative to the workspace, each byte a character (latin1): names need not be UTF-8. Undefined: the workspace
 * is over the limit.
 */
export async function takeSnapshot(
  shadow: Shadow,
  world: World,
  { maxBytes, anySize, since, signal }: SnapshotLimits,
): Promise<Snapshot | undefined> {
  const index = join(shadow.folder, `index.${randomUUID()}`)
  // Shares the file times that git remembers; a copy would have another time, and git would miss changes. Git replaces
  // the file when it writes, so concurrent recordings do not disturb each other.
  await link(join(shadow.folder, 'index'), index).catch(ignoreMissing)
  try {
    const listed = await listPaths(shadow, world, { index, signal })
    const hidden = since === undefined ? undefined : await hiddenSince(shadow, since, [...listed.keys()])
    const sorted = await sortPaths(listed, { world, maxBytes, anySize, hidden })
    if (sorted === undefined) return undefined
    const { recorded, dropped, perms, skipped, places } = sorted
    const update = (flags: readonly string[], paths: readonly string[]) =>
      shadow.git(['update-index', ...flags, '-z', '--stdin'], {
        index,
        signal,
        stdin: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
      })
    if (dropped.length > 0) await update(['--force-remove'], dropped)
    await update(['--add', '--remove', '--replace'], recorded)
    const tree = await writeTree(shadow, { index, isEmpty: !sorted.isAny, signal })
    await lookIntoEmptyFolders(places, { shadow, world, skipped, index, signal })
    // An empty workspace may have none.
    await rename(index, join(shadow.folder, 'index')).catch(ignoreMissing)
    return { tree, perms, folders: places.folders, skipped }
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

interface IndexUse {
  index: string
  signal: AbortSignal | undefined
}

/** Folders without a recorded file: git lists them once the index has all the others. */
async function lookIntoEmptyFolders(
  places: Places,
  { shadow, world, skipped, index, signal }: IndexUse & { shadow: Shadow; world: World; skipped: Snapshot['skipped'] },
): Promise<void> {
  const args = ['ls-files', '-z', '--others', '--directory', '--exclude-standard', ...ownExcludes(shadow, world)]
  const listing = await shadow.git(args, { index, signal })
  const found = listing.toString('latin1').split('\0')
  places.lookBelow(
    found.filter((path) => path !== './' && isFolder(path) && !Object.hasOwn(skipped, path.slice(0, -1))),
  )
}

/** Path to whether the index has it. Files that the user's repository tracks are listed even if they match its rules. */
async function listPaths(shadow: Shadow, world: World, { index, signal }: IndexUse): Promise<Map<string, boolean>> {
  const { repository } = shadow
  const args = ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard', ...ownExcludes(shadow, world)]
  const users = repository === undefined ? undefined : join(repository.folder, 'index')
  const [listing, tracked] = await Promise.all([
    shadow.git(args, { index, signal, timeoutMs: LIST_MS }),
    users === undefined || !isFile(users)
      ? ''
      : // Read only; one in a format that needs the user's settings is left out.
        shadow.git(['ls-files', '-z', '--cached'], { index: users, signal, timeoutMs: LIST_MS }).catch(() => ''),
  ])
  const paths = new Map<string, boolean>()
  for (const path of tracked.toString('latin1').split('\0')) if (isPlain(path)) paths.set(path, false)
  for (const line of listing.toString('latin1').split('\0'))
    if (line !== '') paths.set(line.slice(2), line.startsWith('H '))
  return paths
}

function ownExcludes({ prefix }: Shadow, world: World): string[] {
  return [...ownFolders(world)].flatMap((path) => ['-x', `/${escaped(join(prefix, path))}`])
}

/** An index can name anything; git checks names only when it writes them. */
function isPlain(path: string): boolean {
  return path !== '' && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

type Hidden = (path: string) => SkipReason | undefined

/** What the earlier recording left out. */
async function hiddenSince(shadow: Shadow, since: Snapshot, paths: readonly string[]): Promise<Hidden> {
  const before: Tree = await readTree(shadow, since)
  const ignored = await ignoredBefore(
    shadow,
    before,
    paths.filter((path) => !before.has(path)),
  )
  return (path) => (ignored.has(path) ? 'ignored' : skippedIn(since, path))
}

/** Why the recording does not have the path, or a folder above it. */
export function skippedIn({ skipped }: Snapshot, path: string): SkipReason | undefined {
  for (let at = path.replace(/\/$/, ''); at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    if (Object.hasOwn(skipped, at)) return skipped[at]
  return undefined
}

async function writeTree(shadow: Shadow, { index, isEmpty, signal }: IndexUse & { isEmpty: boolean }): Promise<string> {
  const { prefix } = shadow
  // Git refuses a prefix without files. An index that does not exist is an empty one.
  const [args, from] = isEmpty ? [[], `${index}.none`] : [prefix === '' ? [] : [`--prefix=${prefix}/`], index]
  return (await shadow.git(['write-tree', ...args], { index: from, signal })).toString().trim()
}

/** Writ's own folders inside the workspace, relative to it. */
export function ownFolders({ workspace, data, undo }: World): Set<string> {
  const inside = [data, undo].filter((path) => path !== undefined && path !== workspace && isWithin(path, workspace))
  return new Set(['.writ', ...inside.map((path) => (path ?? '').slice(workspace.length + 1))])
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&')
}

interface Sorted {
  recorded: string[]
  /** In the index, but not to be recorded any more. */
  dropped: string[]
  perms: Record<string, number>
  skipped: Record<string, SkipReason>
  /** False: there is nothing to record. */
  isAny: boolean
  places: Places
}

async function sortPaths(
  paths: ReadonlyMap<string, boolean>,
  {
    world,
    maxBytes,
    anySize,
    hidden,
  }: SnapshotLimits & { world: World; anySize: true | undefined; hidden: Hidden | undefined },
): Promise<Sorted | undefined> {
  const own = [...ownFolders(world)]
  const isClosed = await closedPathTest(world)
  const sorted: Sorted = {
    recorded: [],
    dropped: [],
    perms: Object.create(null),
    skipped: Object.create(null),
    isAny: false,
    places: new Places(world, isClosed),
  }
  const { places } = sorted
  let bytes = 0
  for (const [path, isKnown] of paths) {
    if (own.some((folder) => isWithin(path, folder))) continue
    const found = places.look(path)
    if (found === 'missing') {
      if (isKnown) sorted.recorded.push(path)
      continue
    }
    if (found === 'elsewhere') {
      if (isKnown) sorted.dropped.push(path)
      continue
    }
    const reason = typeof found === 'string' ? found : (hidden?.(path) ?? skipReason(path, found, { maxBytes, places }))
    if (reason !== undefined) {
      sorted.skipped[path.replace(/\/$/, '')] = reason
      if (isKnown) sorted.dropped.push(path)
      continue
    }
    const stat = found as Stats
    bytes += stat.size
    if (anySize !== true && (bytes > maxBytes || sorted.recorded.length >= MAX_FILES)) return undefined
    sorted.recorded.push(path)
    sorted.isAny = true
    const perm = stat.mode & 0o777
    if (stat.isFile() && perm !== plainPerm((perm & 0o100) !== 0)) sorted.perms[path] = perm
  }
  return sorted
}

function skipReason(
  path: string,
  stat: Stats,
  { maxBytes, places }: { maxBytes: number; places: Places },
): SkipReason | undefined {
  if (path.endsWith('/')) return 'nested'
  // Git refuses these names, and with them the whole recording.
  if (path.split('/').some((name) => name.toLowerCase() === '.git')) return 'special'
  if (stat.isSymbolicLink()) return /(^|\/)\.gitmodules$/i.test(path) ? 'special' : undefined
  if (!stat.isFile()) return 'special'
  if (stat.size > maxBytes / FILE_SHARE) return 'large'
  return isReadable(stat) || places.canRead(path) ? undefined : 'special'
}

const UID = process.getuid?.()

function isReadable({ uid, mode }: Stats): boolean {
  return UID === 0 || (uid === UID && (mode & 0o400) !== 0)
}

type Found = Stats | 'missing' | 'elsewhere' | 'closed' | 'special'

type Folder = 'folder' | Exclude<Found, Stats>

/** Folders without a recorded file; what is in ignored ones is not looked at. */
const MAX_EMPTY = 2_000

/** Looks paths up without following links; folders are looked up once. */
class Places {
  /** Permissions of the folders that were seen. */
  readonly folders: Record<string, number> = Object.create(null)
  readonly #root: Buffer
  readonly #workspace: string
  readonly #isClosed: (real: string) => boolean
  readonly #folders = new Map<string, Folder>()

  constructor({ workspace }: World, isClosed: (real: string) => boolean) {
    this.#root = Buffer.from(`${workspace}/`)
    this.#workspace = workspace
    this.#isClosed = isClosed
  }

  look(path: string): Found {
    const above = this.#folder(path.replace(/\/$/, '').split('/').slice(0, -1).join('/'))
    if (above !== 'folder') return above
    if (this.#closes(path.replace(/\/$/, ''))) return 'closed'
    const stat = this.#stat(path)
    if (stat === 'special') return stat
    // A known file that is now a folder: its files are listed themselves.
    return stat?.isDirectory() && !path.endsWith('/') ? 'elsewhere' : (stat ?? 'missing')
  }

  canRead(path: string): boolean {
    try {
      accessSync(this.#absolute(path), constants.R_OK)
      return true
    } catch {
      return false
    }
  }

  #folder(path: string): Folder {
    if (path === '') return 'folder'
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const above = this.#folder(path.split('/').slice(0, -1).join('/'))
    const found = above === 'folder' ? this.#kind(path) : above
    this.#folders.set(path, found)
    return found
  }

  #kind(path: string): Folder {
    if (this.#closes(path)) return 'closed'
    const stat = this.#stat(path)
    if (stat === undefined) return 'missing'
    if (stat === 'special') return stat
    if (!stat.isDirectory()) return 'elsewhere'
    this.folders[`${path}/`] = stat.mode & 0o7777
    return 'folder'
  }

  /** The folders, and those in them. */
  lookBelow(paths: readonly string[]): void {
    let left = MAX_EMPTY
    const due = paths.map((path) => path.replace(/\/$/, ''))
    for (let path = due.pop(); path !== undefined && left-- > 0; path = due.pop()) {
      if (this.#folder(path) !== 'folder') continue
      for (const name of foldersIn(this.#absolute(path))) due.push(`${path}/${name}`)
    }
  }

  #closes(path: string): boolean {
    return this.#isClosed(join(this.#workspace, Buffer.from(path, 'latin1').toString()))
  }

  /** `special`: it cannot be looked at. That is not the same as deleted. */
  #stat(path: string): Stats | 'special' | undefined {
    try {
      return lstatSync(this.#absolute(path), { throwIfNoEntry: false })
    } catch {
      return 'special'
    }
  }

  #absolute(path: string): Buffer {
    return Buffer.concat([this.#root, Buffer.from(path, 'latin1')])
  }
}

function foldersIn(place: Buffer): string[] {
  try {
    const entries = readdirSync(place, { encoding: 'buffer', withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name.toString('latin1')] : []))
  } catch {
    return []
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
