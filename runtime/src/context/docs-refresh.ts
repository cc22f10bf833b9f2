/** Updates the index from disk, in slices that leave the thread free in between. */
import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { orAborted } from '../base/wait.ts'
import type { Progress, Refreshed } from '../ports/docs.ts'
import type { DocsArchive, KnownFile, NewFile } from '../storage/docs-archive.ts'
import { type Extractor, openExtractor } from './docs-extractor.ts'
import { kindOf } from './docs-text.ts'
import { FORM, type FoundFile, findRoots, readWhole, stampOf, type View, walkDocs } from './docs-walk.ts'

export const MAX_TEXT = 2 * 1024 * 1024
export const MAX_PDF = 20 * 1024 * 1024
/** A file modified this recently may change again without a new timestamp. */
const DOUBT_MS = 2_000
/** Bytes read at a time, limited to what memory can hold. */
const GROUP_FILES = 32
const GROUP_BYTES = 32 * 1024 * 1024
/** Groups that are processed while an earlier one is stored. */
const AHEAD = 3
/** Sections stored in one transaction: others wait for it. */
const MAX_STORED = 40

export interface RefreshDeps {
  archive: DocsArchive
  view: View
  roots: readonly string[]
  clock: Clock
}

export async function refreshDocs(
  deps: RefreshDeps,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { archive, view, roots } = deps
  const known = new Map((await archive.list()).map((file) => [file.path, file]))
  const todo: FoundFile[] = []
  let total = 0
  let removed = 0
  const gone = new Set(known.keys())
  for await (const file of walkDocs((await findRoots(roots, view)).found, view, signal)) {
    total++
    gone.delete(file.path)
    if (!isFresh(known.get(file.path), file)) todo.push(file)
    if (total % MAX_STORED === 0) onProgress({ done: total - todo.length, total })
  }
  // Prose first: with many files, first searches look for it.
  todo.sort((a, b) => Number(isProse(b.path)) - Number(isProse(a.path)))
  let done = total - todo.length
  onProgress({ done, total })
  for (const paths of batches([...gone], () => 1 / MAX_STORED)) {
    await archive.remove(paths)
    removed += paths.length
    await breathe(undefined, { signal })
  }

  let renewed = 0
  const extractor = openExtractor()
  try {
    const groups = batches(todo, ({ size }) => Math.max(size / GROUP_BYTES, 1 / GROUP_FILES))
    const prepare = (group: readonly FoundFile[]) => {
      const files = Promise.all(group.map((file) => prepareFile(file, known.get(file.path), { ...deps, extractor })))
      // Marked handled: if storing an earlier group fails, this one is not awaited.
      files.catch(() => {})
      return files
    }
    const ahead = groups.slice(0, AHEAD).map(prepare)
    for (const [i, group] of groups.entries()) {
      const ready = await orAborted(ahead.shift() ?? prepare(group), signal)
      const files = ready.filter((file) => file !== undefined)
      const next = groups[i + AHEAD]
      if (next !== undefined) ahead.push(prepare(next))
      for (const part of batches(files, sizeOf)) {
        await archive.save(part)
        await breathe(undefined, { signal })
      }
      renewed += files.filter((file) => !('unchanged' in file)).length
      done += group.length
      onProgress({ done, total })
    }
  } finally {
    await extractor.close()
  }
  return { files: total, renewed, removed }
}

export function isProse(path: string): boolean {
  return kindOf(path) !== 'text' || /\.(?:txt|rst|adoc|org)$/i.test(path)
}

function isFresh(known: KnownFile | undefined, { stamp, changedAt }: FoundFile): boolean {
  return known !== undefined && known.stamp === stamp && known.indexedAt - changedAt > DOUBT_MS
}

/** Undefined: the file has disappeared. */
async function prepareFile(
  { path, real, stamp }: FoundFile,
  known: KnownFile | undefined,
  { extractor, clock }: { extractor: Extractor; clock: Clock },
): Promise<NewFile | undefined> {
  const indexedAt = clock.now()
  const file = { path, title: path, stamp, hash: '', indexedAt }
  try {
    const read = await readWhole(real, kindOf(path) === 'pdf' ? MAX_PDF : MAX_TEXT)
    if (read === undefined) return undefined
    const { stats, bytes } = read
    const now = { ...file, stamp: stampOf(stats) }
    if (bytes === undefined) return { ...now, skipped: 'large' }
    const content = `${FORM}:${hash('sha256', bytes, 'hex')}`
    if (content === known?.hash) return { ...now, hash: content, unchanged: true }
    return { ...now, hash: content, ...(await extractor.extract({ bytes, path, want: 'sections' })) } as NewFile
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'PATH_CHANGED') return undefined
    if (syscall === undefined) throw error
    return { ...file, skipped: 'unreadable' }
  }
}

function sizeOf(file: NewFile): number {
  return (1 + ('sections' in file ? file.sections.length : 0)) / MAX_STORED
}

/** In order, with a total weight of at most 1, unless one item alone exceeds it. */
function batches<T>(items: readonly T[], weigh: (item: T) => number): T[][] {
  const parts: T[][] = []
  let room = 0
  for (const item of items) {
    const weight = weigh(item)
    if (weight > room) {
      parts.push([])
      room = 1
    }
    parts.at(-1)?.push(item)
    room -= weight
  }
  return parts
}
