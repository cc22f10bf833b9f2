/** The documents of the workspace: an index updated in the background, and reads from disk. */
import { lstat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { present } from '../base/present.ts'
import { orAborted } from '../base/wait.ts'
import { WritError } from '../errors/writ-error.ts'
import { covers } from '../gate/stages/content.ts'
import { type DocHit, type Docs, type DocText, MAX_ANSWER, type Progress, type Refreshed } from '../ports/docs.ts'
import type { Database } from '../storage/database.ts'
import { docsArchive, type FoundSection } from '../storage/docs-archive.ts'
import { claimPath } from '../tool/guard/paths.ts'
import type { World } from '../tool/tool.ts'
import { openExtractor } from './docs-extractor.ts'
import { isProse, MAX_PDF, refreshDocs } from './docs-refresh.ts'
import { snippetOf } from './docs-snippet.ts'
import { decode, kindOf, readPlain } from './docs-text.ts'
import { findRoots, readWhole, realPlace, type View } from './docs-walk.ts'
import { formsOf, words } from './words.ts'

export interface DocsDeps {
  db: Database
  world: World
  /** Folders to search, relative to the workspace. */
  roots: readonly string[]
  blockedPaths: readonly string[]
  clock: Clock
}

/** How long a search waits for an index update before it answers from the current index. */
const WAIT_MS = 1_000
/** The same when the index is still empty. */
const FIRST_WAIT_MS = 5_000
/** Prose ranks above code, and above what a program wrote: a list of everything has every word and explains none. */
const CODE = 0.4
const GENERATED = 0.5
const SAYS_GENERATED = /\bdo not edit\b|@generated\b/i
const MAX_QUERY = 4_000
const MAX_QUERY_WORDS = 60

export function openDocs({ db, world, roots, blockedPaths, clock }: DocsDeps): Docs {
  const archive = docsArchive(db, world.workspace)
  const view: View = { world, blockedPaths }
  const closing = new AbortController()
  let running: { progress(): Progress; ended: Promise<Refreshed> } | undefined

  function start(onProgress: (progress: Progress) => void, signal: AbortSignal) {
    let progress: Progress = { done: 0, total: 0 }
    const note = (now: Progress) => {
      progress = now
      onProgress(now)
    }
    const ended = refreshDocs({ archive, view, roots, clock }, note, signal).finally(() => {
      running = undefined
    })
    // Marked handled: the caller may be gone when it fails, which must not crash the process.
    ended.catch(() => {})
    running = { progress: () => progress, ended }
    return running
  }

  return {
    async search(query, { limit, signal }) {
      const queryWords = words(query.slice(0, MAX_QUERY)).slice(0, MAX_QUERY_WORDS)
      const run = running ?? start(() => {}, closing.signal)
      const isNew = (await archive.count()).documents === 0
      const isCurrent = await orAborted(within(run.ended, isNew ? FIRST_WAIT_MS : WAIT_MS), signal)
      const forms = queryWords.map(formsOf)
      const found = await archive.search([...new Set(forms.flat())], 4 * limit + 20)
      const hits: DocHit[] = []
      for (const hit of rank(found, forms)) {
        if (hits.length === limit) break
        if (await isReadable(hit.id, view)) hits.push(hit)
      }
      signal.throwIfAborted()
      return { hits: scaled(hits), ...(isCurrent ? {} : { indexing: run.progress() }) }
    },
    read: (id, options = {}) => readDoc(id, options, view),
    async refresh(onProgress, signal) {
      while (running !== undefined)
        await orAborted(
          running.ended.catch(() => {}),
          signal,
        )
      return start(onProgress, AbortSignal.any([signal, closing.signal])).ended
    },
    async status() {
      const { found, lost } = await findRoots(roots, view)
      const indexing = present({ indexing: running?.progress() })
      return { roots: found.map(({ path }) => path), lost, ...(await archive.count()), ...indexing }
    },
    async close() {
      closing.abort()
      await running?.ended.catch(() => {})
    },
  }
}

/** True when it ended in time. Rejects when it failed. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  try {
    return await Promise.race([work.then(() => true), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The best section of each document, best document first. */
function rank(found: readonly FoundSection[], query: readonly string[][]): DocHit[] {
  const read = found.map((section) => {
    const { path, title, heading, text } = section
    const snippet = snippetOf(text, query.flat())
    const named = heading === '' ? title : `${title} › ${heading}`
    const has = new Set([...snippet.seen, ...words(`${named}\n${path}`)])
    return { section, snippet, named, shared: query.map((forms) => forms.some((form) => has.has(form))) }
  })
  // What most sections have, like "how" and "the", says little about any of them.
  const weights = query.map((_, i) => Math.log(1 + found.length / (1 + read.filter(({ shared }) => shared[i]).length)))
  const all = sumOf(weights)
  const hits = read.map(({ section: { path, line, rank: raw, opening }, snippet, named, shared }) => {
    const covered = sumOf(weights.filter((_, i) => shared[i])) / all
    const score = raw * (0.5 + covered) * weightOf(path, opening)
    return { id: path, title: named, line: line + snippet.line, snippet: snippet.text, score }
  })
  const best = new Map<string, DocHit>()
  for (const hit of hits.sort((a, b) => b.score - a.score)) if (!best.has(hit.id)) best.set(hit.id, hit)
  return [...best.values()]
}

function weightOf(path: string, opening: string): number {
  if (!isProse(path)) return CODE
  return SAYS_GENERATED.test(opening) ? GENERATED : 1
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function scaled(hits: readonly DocHit[]): DocHit[] {
  const most = hits[0]?.score ?? 1
  return hits.map((hit) => ({ ...hit, score: Math.round((100 * hit.score) / most) / 100 }))
}

/** The index may be older than the policy and the disk. */
async function isReadable(id: string, view: View): Promise<boolean> {
  const real = await realPlace(id, view)
  if (real === undefined) return false
  return (await lstat(real).catch(() => undefined))?.isFile() === true
}

async function readDoc(
  id: string,
  { offset = 1, limit = Number.POSITIVE_INFINITY, signal }: { offset?: number; limit?: number; signal?: AbortSignal },
  { world, blockedPaths }: View,
): Promise<DocText> {
  const real = await claimPath({ path: id, access: 'read' }, world)
  const isBlocked = blockedPaths.some((entry) => covers(entry, { path: id, real }))
  if (isBlocked) throw new WritError('PATH_BLOCKED', { path: id })
  const path = relative(world.workspace, real)
  const lines = await linesAt(real, path, signal)
  if (offset > 1 && offset > lines.length) throw new WritError('DOC_END', { path, line: offset })
  const room = Math.max(500, MAX_ANSWER - 120 - JSON.stringify(path).length)
  const shown: string[] = []
  for (let used = 0; shown.length < limit && offset - 1 + shown.length < lines.length; ) {
    const line = lines[offset - 1 + shown.length] ?? ''
    used += JSON.stringify(line).length
    if (used > room && shown.length > 0) break
    shown.push(line)
  }
  const to = offset - 1 + shown.length
  const text = shown.join('\n')
  return { id: path, from: offset, to, total: lines.length, text, ...(to < lines.length ? { next: to + 1 } : {}) }
}

async function linesAt(real: string, path: string, signal?: AbortSignal): Promise<string[]> {
  const read = await readWhole(real, MAX_PDF)
  if (read === undefined) throw new WritError('DOC_UNREADABLE.notAFile', { path })
  if (read.bytes === undefined) throw new WritError('DOC_TOO_LARGE', { path, max: MAX_PDF })
  const kind = kindOf(path)
  if (kind === 'text' || kind === 'markdown') {
    const text = decode(read.bytes)
    if (text === undefined) throw new WritError('DOC_UNREADABLE.binary', { path })
    return readPlain(text, path).lines
  }
  const extractor = openExtractor()
  try {
    const work = extractor.extract({ bytes: read.bytes, path, want: 'lines' })
    const extracted = await (signal === undefined ? work : orAborted(work, signal))
    if ('lines' in extracted) return extracted.lines
    if ('skipped' in extracted && extracted.skipped === 'costly') throw new WritError('DOC_TOO_COSTLY', { path })
    throw new WritError('DOC_UNREADABLE.noText', { path })
  } finally {
    await extractor.close()
  }
}
