/** What the workspace contains now: a tree in the shadow repository, and what a tree cannot hold. */

import { randomUUID } from 'node:crypto'
import { accessSync, constants, lstatSync, type Stats } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { closedPathTest } from '../guard/closed-files.ts'
import { isWithin } from '../guard/paths.ts'
import type { World } from '../tool.ts'
import type { Shadow } from './shadow.ts'

const MAX_FILES = 100_000
/** A larger file is not recorded: this share of the limit for the whole workspace. */
const FILE_SHARE = 10

/** Why a path is not recorded. */
export type SkipReason = 'large' | 'nested' | 'closed' | 'special'

export interface Snapshot {
  tree: string
  /** Permissions other than 644 and 755, by path. */
  perms: Record<string, number>
  skipped: Record<string, SkipReason>
}

export interface SnapshotLimits {
  maxBytes: number
  /** True: only single files are limited. */
  anySize?: true
  signal?: AbortSignal | undefined
}

/**
 * Paths are relative to the workspace, each byte a character (latin1): names need not be UTF-8. Undefined: the workspace
 * is over the limit.
 */
export async function takeSnapshot(
  shadow: Shadow,
  world: World,
  { maxBytes, anySize, signal }: SnapshotLimits,
): Promise<Snapshot | undefined> {
  const index = join(shadow.folder, `index.${randomUUID()}`)
  // Shares the file times that git remembers; a copy would have another time, and git would miss changes. Git replaces
  // the file when it writes, so concurrent recordings do not disturb each other.
  await link(join(shadow.folder, 'index'), index).catch(ignoreMissing)
  try {
    const own = [...ownFolders(world)].flatMap((path) => ['-x', `/${escaped(path)}`])
    const listing = await shadow.git(['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard', ...own], {
      index,
      signal,
    })
    const sorted = await sortPaths(listing.toString('latin1').split('\0'), { world, maxBytes, anySize })
    if (sorted === undefined) return undefined
    const { recorded, dropped, perms, skipped } = sorted
    const update = (flags: readonly string[], paths: readonly string[]) =>
      shadow.git(['update-index', ...flags, '-z', '--stdin'], {
        index,
        signal,
        stdin: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
      })
    if (dropped.length > 0) await update(['--force-remove'], dropped)
    await update(['--add', '--remove', '--replace'], recorded)
    const tree = (await shadow.git(['write-tree'], { index, signal })).toString().trim()
    await rename(index, join(shadow.folder, 'index'))
    return { tree, perms, skipped }
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
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
}

async function sortPaths(
  lines: readonly string[],
  { world, maxBytes, anySize }: SnapshotLimits & { world: World; anySize: true | undefined },
): Promise<Sorted | undefined> {
  const own = [...ownFolders(world)]
  const isClosed = await closedPathTest(world)
  const sorted: Sorted = {
    recorded: [],
    dropped: [],
    perms: Object.create(null),
    skipped: Object.create(null),
  }
  const places = new Places(world, isClosed)
  let bytes = 0
  for (const line of new Set(lines)) {
    if (line === '') continue
    const isKnown = line.startsWith('H ')
    const path = line.slice(2)
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
    const reason = typeof found === 'string' ? found : skipReason(path, found, { maxBytes, places })
    if (reason !== undefined) {
      sorted.skipped[path.replace(/\/$/, '')] = reason
      if (isKnown) sorted.dropped.push(path)
      continue
    }
    const stat = found as Stats
    bytes += stat.size
    if (anySize !== true && (bytes > maxBytes || sorted.recorded.length >= MAX_FILES)) return undefined
    sorted.recorded.push(path)
    const perm = stat.mode & 0o777
    if (stat.isFile() && perm !== plainPerm((perm & 0o100) !== 0)) sorted.perms[path] = perm
  }
  return sorted
}

export function plainPerm(isExecutable: boolean): number {
  return isExecutable ? 0o755 : 0o644
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

type Found = Stats | 'missing' | 'elsewhere' | 'closed'

/** Looks paths up without following links; folders are looked up once. */
class Places {
  readonly #root: Buffer
  readonly #workspace: string
  readonly #isClosed: (real: string) => boolean
  readonly #folders = new Map<string, 'folder' | 'missing' | 'elsewhere' | 'closed'>()

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

  #folder(path: string): 'folder' | 'missing' | 'elsewhere' | 'closed' {
    if (path === '') return 'folder'
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const above = this.#folder(path.split('/').slice(0, -1).join('/'))
    const found = above === 'folder' ? this.#kind(path) : above
    this.#folders.set(path, found)
    return found
  }

  #kind(path: string): 'folder' | 'missing' | 'elsewhere' | 'closed' {
    if (this.#closes(path)) return 'closed'
    const stat = this.#stat(path)
    if (stat === undefined) return 'missing'
    return stat.isDirectory() ? 'folder' : 'elsewhere'
  }

  #closes(path: string): boolean {
    return this.#isClosed(join(this.#workspace, Buffer.from(path, 'latin1').toString()))
  }

  #stat(path: string): Stats | undefined {
    return lstatSync(this.#absolute(path), { throwIfNoEntry: false })
  }

  #absolute(path: string): Buffer {
    return Buffer.concat([this.#root, Buffer.from(path, 'latin1')])
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
