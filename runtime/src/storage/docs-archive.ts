/** Where the document index is kept. It knows words, not language: what the words of a text are is said by its caller. */
import { ask, type Database, type Steps } from './database.ts'
import type { SkipReason } from './docs-port.ts'
import {
  countFiles,
  deleteFile,
  deleteSections,
  type FoundSection,
  insertSections,
  insertSectionWords,
  listFiles,
  MAX_SECTIONS,
  type SectionWords,
  searchSections,
  touchFile,
  upsertFile,
} from './docs-queries.ts'

export interface DocSection {
  /** Its first line in the document. */
  line: number
  heading: string
  text: string
  words: SectionWords
}

/** A file as it was when it was read. */
export interface KnownFile {
  path: string
  /** What the disk said about it: a file with another stamp may be another file. */
  stamp: string
  hash: string
  indexedAt: number
}

export type NewFile = KnownFile & { title: string } & (
    | { sections: readonly DocSection[] }
    | { skipped: SkipReason }
    /** Read again and found to be the same. */
    | { unchanged: true }
  )

export interface DocCounts {
  documents: number
  sections: number
  skipped: Partial<Record<SkipReason, number>>
  indexedAt?: number
}

export interface DocsArchive {
  list(): Promise<KnownFile[]>
  /** All of them or none. Who stores a file last is right about it. */
  save(files: readonly NewFile[]): Promise<void>
  remove(paths: readonly string[]): Promise<void>
  search(words: readonly string[], limit: number): Promise<FoundSection[]>
  count(): Promise<DocCounts>
}

const ROWS = 20

/** Several workspaces may share a database; each sees its own documents only. */
export function docsArchive(db: Database, place: string): DocsArchive {
  return {
    async list() {
      const rows = await db.query(listFiles(db.sql, place))
      return rows.map(({ indexed_at: indexedAt, ...row }) => ({ ...row, indexedAt }))
    },
    save: (files) => db.transact(save(db, place, files)),
    remove: (paths) => db.transact(remove(db, place, paths)),
    search: async (words, limit) => (words.length === 0 ? [] : db.query(searchSections(db, { place, words, limit }))),
    async count() {
      const rows = await db.query(countFiles(db.sql, place))
      const indexed = rows.filter(({ skipped }) => skipped === null)
      const times = rows.map(({ indexed_at }) => indexed_at)
      return {
        documents: indexed.reduce((sum, { files }) => sum + files, 0),
        sections: indexed.reduce((sum, { sections }) => sum + sections, 0),
        skipped: Object.fromEntries(rows.flatMap(({ skipped, files }) => (skipped === null ? [] : [[skipped, files]]))),
        ...(times.length === 0 ? {} : { indexedAt: Math.max(...times) }),
      }
    },
  }
}

/** In one order everywhere: two processes that lock the same files in different orders would wait for each other. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function* save(db: Database, place: string, files: readonly NewFile[]): Steps<void> {
  for (const file of files.toSorted((a, b) => inOrder(a.path, b.path))) {
    const { path, stamp, hash, indexedAt: indexed_at, title } = file
    if ('unchanged' in file) {
      yield touchFile(db.sql, { place, path, stamp, indexed_at })
      continue
    }
    const sections = 'sections' in file ? file.sections.slice(0, MAX_SECTIONS) : []
    const skipped = 'skipped' in file ? file.skipped : null
    const row = { place, path, stamp, hash, title, skipped, sections: sections.length, indexed_at }
    for (const { pos } of yield* ask(upsertFile(db.sql, row))) {
      yield* deleteSections(db.sql, pos)
      yield* insertAll(db, pos, sections)
    }
  }
}

function* insertAll(db: Database, file: number, sections: readonly DocSection[]): Steps<void> {
  const placed = sections.map((section, i) => ({ ...section, pos: file * MAX_SECTIONS + i }))
  for (let at = 0; at < placed.length; at += ROWS) {
    const part = placed.slice(at, at + ROWS)
    yield insertSections(
      db.sql,
      part.map(({ pos, line, heading, text }) => ({ pos, file, line, heading, text })),
    )
    yield insertSectionWords(db, part)
  }
}

function* remove({ sql }: Database, place: string, paths: readonly string[]): Steps<void> {
  for (const path of paths.toSorted(inOrder)) {
    for (const { pos } of yield* ask(deleteFile(sql, place, path))) yield* deleteSections(sql, pos)
  }
}
