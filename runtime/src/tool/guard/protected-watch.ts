/**
 * Without a sandbox: detects changes to the agent's own files when a program has ended, and undoes them before anything
 * reads them. What the program wrote is kept, because a person may have written it: in the workspace if it was there, else
 * where no tool reads it.
 */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { RULES_FOLDER } from '../../config/remembered-rules.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { isWithin, OPEN_DATA } from './paths.ts'
import type { CleanupResult, Moved } from './planted-files.ts'

/** Limits for the number of files, and for the bytes kept to restore them. */
const MAX_ENTRIES = 20_000
const MAX_BYTES = 32 * 1024 * 1024

interface Entry {
  kind: 'folder' | 'file' | 'link' | 'other'
  mark: string
  mode: number
  /** Content of a file or target of a link; absent when it is too large to keep. */
  content?: Buffer | string
}

type Entries = Map<string, Entry>

/** Call before a program outside the sandbox; call the returned function when it has ended. */
export function watchProtected(world: World): () => CleanupResult {
  const places = watchedPlaces(world)
  const before = look(places, { keep: true })
  return () => {
    const cleanup: CleanupResult = { moved: [], stuck: [] }
    const now = look(places, { keep: false })
    const isNew = [...now.keys()].filter((path) => !before.has(path))
    // A new folder stands for everything in it.
    for (const path of isNew.filter((path) => !isNew.includes(dirname(path)))) attempt(path, world, cleanup)
    for (const [path, entry] of before) {
      const after = now.get(path)
      // A rule that a person revoked meanwhile stays revoked.
      if (after === undefined && isRememberedRule(path)) continue
      if (after?.mark === entry.mark || (after !== undefined && isSame(path, entry, after))) continue
      if (after !== undefined && entry.kind !== 'folder') attempt(path, world, cleanup)
      else if (after !== undefined && after.kind !== 'folder') attempt(path, world, cleanup)
      putBack(path, entry, cleanup)
    }
    return cleanup
  }
}

function isRememberedRule(path: string): boolean {
  return basename(dirname(path)) === RULES_FOLDER && path.endsWith('.json')
}

/** Without the journal and other files that Writ itself writes meanwhile. */
function watchedPlaces({ protectedPaths, data }: World): string[] {
  const places = protectedPaths.flatMap((path) => {
    if (data === undefined || !isWithin(path, data)) return [path]
    return path === data ? OPEN_DATA.filter((name) => name !== 'artifacts').map((name) => join(data, name)) : []
  })
  return [...new Set(places)]
}

/** Here other Writ processes note which data folders they have open, all the time. */
const OPEN_MARKS = /\/[0-9a-f]{64}\.open$/

function look(places: readonly string[], { keep }: { keep: boolean }): Entries {
  const found: Entries = new Map()
  const pending = [...places]
  let bytes = 0
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    // Installed packages are too many, and agents install those of their plugins by themselves.
    if (found.has(path) || basename(path) === 'node_modules') continue
    const entry = entryAt(path)
    if (entry === undefined) continue
    if (found.size >= MAX_ENTRIES) throw new WritError('SANDBOX_FULL.ownFiles', { most: MAX_ENTRIES })
    if (keep && entry.kind === 'file') {
      const content = contentOf(path, MAX_BYTES - bytes)
      if (content !== undefined) entry.content = content
      bytes += content?.length ?? 0
    }
    found.set(path, entry)
    if (entry.kind === 'folder' && !OPEN_MARKS.test(path))
      pending.push(...namesIn(path).map((name) => join(path ?? '', name)))
  }
  return found
}

function entryAt(path: string): Entry | undefined {
  try {
    const stat = lstatSync(path)
    const mark = [stat.dev, stat.ino, stat.ctimeMs, stat.size, stat.mode].join(' ')
    const mode = stat.mode & 0o7777
    // A folder's times change with its content, which is compared separately.
    if (stat.isDirectory()) return { kind: 'folder', mark: 'folder', mode }
    if (stat.isSymbolicLink()) return { kind: 'link', mark, mode, content: readlinkSync(path) }
    return { kind: stat.isFile() ? 'file' : 'other', mark, mode }
  } catch {
    return undefined
  }
}

function contentOf(path: string, room: number): Buffer | undefined {
  try {
    return lstatSync(path).size <= room ? readFileSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Touched, but with the same content. */
function isSame(path: string, before: Entry, after: Entry): boolean {
  if (before.kind !== after.kind || before.content === undefined) return false
  if (before.kind === 'link') return before.content === after.content
  return before.kind === 'file' && contentOf(path, MAX_BYTES)?.equals(before.content as Buffer) === true
}

function attempt(path: string, world: World, cleanup: CleanupResult): void {
  try {
    cleanup.moved.push(takeAway(path, world))
  } catch {
    cleanup.stuck.push(path)
  }
}

/** Moved out of its folder: a skill that is only renamed is still a skill. */
function takeAway(path: string, { workspace, data }: World): Moved {
  const folder = isWithin(path, workspace) ? workspace : refusedFolder(data)
  const aside = freeName(join(folder, `${basename(path)}.refused`))
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(path, aside, { recursive: true, verbatimSymlinks: true })
    rmSync(path, { recursive: true })
  }
  return { path, aside }
}

function refusedFolder(data: string | undefined): string {
  if (data === undefined) return mkdtempSync(join(tmpdir(), 'writ-refused-'))
  const folder = join(data, 'refused')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? path : `${path}-${n}`
    if (entryAt(name) === undefined) return name
  }
}

function putBack(path: string, entry: Entry, cleanup: CleanupResult): void {
  try {
    if (entry.kind === 'folder') mkdirSync(path, { recursive: true, mode: entry.mode })
    else if (entry.content === undefined) throw new Error('not kept')
    else {
      mkdirSync(dirname(path), { recursive: true })
      if (entry.kind === 'link') symlinkSync(entry.content as string, path)
      else writeFileSync(path, entry.content, { mode: entry.mode, flag: 'wx' })
    }
    cleanup.restored = [...(cleanup.restored ?? []), path]
  } catch {
    cleanup.stuck.push(path)
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
