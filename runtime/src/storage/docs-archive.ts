/** The document index in the database. Callers split texts into words. */

import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { SkipReason } from '../ports/docs.ts'
import { ask, type Database, type Steps } from './database.ts'
import type { DocFileTable, DocSectionTable, Tables } from './schema.ts'

export interface DocSection {
  /** Its first line in the document. */
  line: number
  heading: string
  text: string
  words: SectionWords
}

/** A file at the time it was read. */
export interface KnownFile {
  path: string
  /** Metadata from the file system: a different stamp means the file may have changed. */
  stamp: string
  hash: string
  indexedAt: number
}

export type NewFile = KnownFile & { title: string } & (
    | { sections: readonly DocSection[] }
    | { skipped: SkipReason }
    /** Read again, unchanged. */
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
  /** Atomic. The last writer of a file wins. */
  save(files: readonly NewFile[]): Promise<void>
  remove(paths: readonly string[]): Promise<void>
  search(words: readonly string[], limit: number): Promise<FoundSection[]>
  count(): Promise<DocCounts>
}

const ROWS = 20

/** Workspaces may share a database; each sees only its own documents. */
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

/** Always in the same order, so that processes do not deadlock. */
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

type Builder = Kysely<Tables>

/** The words of a section separated by spaces, repeated as in the text. */
export interface SectionWords {
  title: string
  heading: string
  body: string
}

export interface FoundSection {
  path: string
  title: string
  heading: string
  line: number
  text: string
  /** How the document begins. */
  opening: string
  /** Higher is better; comparable only within one answer. */
  rank: number
}

/** Maximum sections of a document; their positions follow from that of the document. */
const MAX_SECTIONS = 2048

/** How much of a document's first section is its opening. */
const OPENING = 500

/** Weights of a word in the title and in a heading, relative to the text. */
const WEIGHT = { title: 4, heading: 2.5, body: 1 }
/** PostgreSQL stores at most 256 positions of a word; more would add almost nothing. */
const MAX_TIMES = 16

function listFiles(
  build: Builder,
  place: string,
): CompiledQuery<Pick<Selectable<DocFileTable>, 'path' | 'stamp' | 'hash' | 'indexed_at'>> {
  return build
    .selectFrom('doc_files')
    .select(['path', 'stamp', 'hash', 'indexed_at'])
    .where('place', '=', place)
    .orderBy('path')
    .compile()
}

/** Concurrent writers of the same file wait here; the last one wins. */
function upsertFile(build: Builder, row: Insertable<DocFileTable>): CompiledQuery<{ pos: number }> {
  const { place: _, path: __, ...news } = row
  return build
    .insertInto('doc_files')
    .values(row)
    .onConflict((on) => on.columns(['place', 'path']).doUpdateSet(news))
    .returning('pos')
    .compile()
}

function touchFile(
  build: Builder,
  { place, path, ...news }: Pick<Insertable<DocFileTable>, 'place' | 'path' | 'stamp' | 'indexed_at'>,
): CompiledQuery {
  return build.updateTable('doc_files').set(news).where('place', '=', place).where('path', '=', path).compile()
}

function deleteFile(build: Builder, place: string, path: string): CompiledQuery<{ pos: number }> {
  return build.deleteFrom('doc_files').where('place', '=', place).where('path', '=', path).returning('pos').compile()
}

function deleteSections(build: Builder, file: number): CompiledQuery[] {
  const [first, last] = [file * MAX_SECTIONS, file * MAX_SECTIONS + MAX_SECTIONS - 1]
  return [
    build.deleteFrom('doc_index').where('rowid', '>=', first).where('rowid', '<=', last).compile(),
    build.deleteFrom('doc_sections').where('pos', '>=', first).where('pos', '<=', last).compile(),
  ]
}

function insertSections(build: Builder, rows: readonly Insertable<DocSectionTable>[]): CompiledQuery {
  return build.insertInto('doc_sections').values(rows).compile()
}

function insertSectionWords(
  { dialect, sql: build }: Database,
  rows: readonly { pos: number; words: SectionWords }[],
): CompiledQuery {
  const insert = build.insertInto('doc_index')
  if (dialect === 'sqlite') {
    const values = rows.map(({ pos, words: { body, ...words } }) => ({ rowid: pos, ...words, words: body }))
    return insert.values(values).compile()
  }
  const values = rows.map(({ pos, words }) => ({ rowid: pos, words: sql<string>`${vectorOf(words)}::tsvector` }))
  return insert.values(values).compile()
}

/** Words are passed unchanged: PostgreSQL's parser would split and drop some that queries contain. */
function vectorOf({ title, heading, body }: SectionWords): string {
  const places = new Map<string, string[]>()
  const add = (word: string, label: string) => {
    const known = places.get(word) ?? []
    if (known.length < MAX_TIMES) known.push(`${known.length + 1}${label}`)
    places.set(word, known)
  }
  for (const word of new Set(title.split(' '))) add(word, 'A')
  for (const word of new Set(heading.split(' '))) add(word, 'B')
  for (const word of body.split(' ')) add(word, 'D')
  places.delete('')
  return [...places].map(([word, at]) => `${lexeme(word)}:${at.join(',')}`).join(' ')
}

function lexeme(word: string): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`
}

function countFiles(
  build: Builder,
  place: string,
): CompiledQuery<{ skipped: string | null; files: number; sections: number; indexed_at: number }> {
  return build
    .selectFrom('doc_files')
    .select(({ fn }) => [
      'skipped',
      fn.countAll<number>().as('files'),
      // PostgreSQL returns a sum of bigints as decimal text.
      sql<number>`cast(sum(sections) as bigint)`.as('sections'),
      fn.max('indexed_at').as('indexed_at'),
    ])
    .where('place', '=', place)
    .groupBy('skipped')
    .compile()
}

/** Sections with a word of `words`: more, rarer and more prominent words rank higher. */
function searchSections(
  db: Database,
  { place, words, limit }: { place: string; words: readonly string[]; limit: number },
): CompiledQuery<FoundSection> {
  const found = db.dialect === 'sqlite' ? searchFts(db.sql, words) : searchVectors(db.sql, words)
  return found.where('place', '=', place).orderBy('rank', 'desc').orderBy('doc_sections.pos').limit(limit).compile()
}

const SHOWN = [
  'path',
  'doc_files.title',
  'doc_sections.heading',
  'line',
  'text',
  sql<string>`coalesce((
    select substr(opening.text, 1, ${sql.lit(OPENING)}) from doc_sections opening
    where opening.pos = doc_sections.file * ${sql.lit(MAX_SECTIONS)}
  ), '')`.as('opening'),
] as const

function searchFts(build: Builder, words: readonly string[]) {
  const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ')
  const { title, heading, body } = WEIGHT
  return build
    .selectFrom('doc_index')
    .innerJoin('doc_sections', 'doc_sections.pos', 'doc_index.rowid')
    .innerJoin('doc_files', 'doc_files.pos', 'doc_sections.file')
    .select(SHOWN)
    .select(sql<number>`-bm25(doc_index, ${title}, ${heading}, ${body})`.as('rank'))
    .where(sql<boolean>`doc_index match ${match}`)
}

/** PostgreSQL's rank treats "the" like a name; here a word counts by how few sections contain it. */
function searchVectors(build: Builder, words: readonly string[]) {
  const terms = words.map(lexeme)
  const { title, heading, body } = WEIGHT
  const weights = [body, body, heading, title].map((weight) => weight / title)
  const queried = sql<{ word: string }>`unnest(${terms}::tsquery[])`.as<'queried'>(sql`queried(word)`)
  const size = build.selectFrom('doc_index').select(({ fn }) => fn.countAll<number>().as('total'))
  const having = build.selectFrom('doc_index').where(sql<boolean>`words @@ word`)
  return (
    build
      // Materialised, or the count would be repeated for every section.
      .with(
        (cte) => cte('terms').materialized(),
        (make) =>
          make
            .selectFrom([queried, size.as('size')])
            .innerJoinLateral(having.select(({ fn }) => fn.countAll<number>().as('hits')).as('found'), (on) =>
              on.onTrue(),
            )
            .select(['word', sql<number>`ln(1 + (total - hits + 0.5) / (hits + 0.5))`.as('weight')]),
      )
      .selectFrom('doc_index')
      .innerJoin('doc_sections', 'doc_sections.pos', 'doc_index.rowid')
      .innerJoin('doc_files', 'doc_files.pos', 'doc_sections.file')
      .innerJoinLateral(
        (make) =>
          make
            .selectFrom('terms')
            .where(sql<boolean>`words @@ word`)
            .select(sql<number>`sum(weight * ts_rank(${weights}::float4[], words, word))`.as('weight'))
            .as('shared'),
        (on) => on.onTrue(),
      )
      .select(SHOWN)
      .select(sql<number>`shared.weight / (1 + ln(1 + length(words)))`.as('rank'))
      .where(sql<boolean>`words @@ ${terms.join(' | ')}::tsquery`)
  )
}
