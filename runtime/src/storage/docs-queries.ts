/** The queries of the document index. How words are kept and searched is each database's own. */
import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DocFileTable, DocSectionTable, Tables } from './schema.ts'

type Builder = Kysely<Tables>

/** The words of a section with a space between them, each as often as it stands there. */
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
  /** Higher is better; comparable within one answer only. */
  rank: number
}

/** A document has at most this many sections; the place of each follows from the document's own. */
export const MAX_SECTIONS = 2048

/** How much more a word counts in the title and in a heading than in the text. */
const WEIGHT = { title: 4, heading: 2.5, body: 1 }
/** PostgreSQL takes at most 256 places of a word; more of them add next to nothing. */
const MAX_TIMES = 16

export function listFiles(
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

/** Whoever stores the same file at the same time waits here for the other to finish, and then has the last word. */
export function upsertFile(build: Builder, row: Insertable<DocFileTable>): CompiledQuery<{ pos: number }> {
  const { place: _, path: __, ...news } = row
  return build
    .insertInto('doc_files')
    .values(row)
    .onConflict((on) => on.columns(['place', 'path']).doUpdateSet(news))
    .returning('pos')
    .compile()
}

export function touchFile(
  build: Builder,
  { place, path, ...news }: Pick<Insertable<DocFileTable>, 'place' | 'path' | 'stamp' | 'indexed_at'>,
): CompiledQuery {
  return build.updateTable('doc_files').set(news).where('place', '=', place).where('path', '=', path).compile()
}

export function deleteFile(build: Builder, place: string, path: string): CompiledQuery<{ pos: number }> {
  return build.deleteFrom('doc_files').where('place', '=', place).where('path', '=', path).returning('pos').compile()
}

export function deleteSections(build: Builder, file: number): CompiledQuery[] {
  const [first, last] = [file * MAX_SECTIONS, file * MAX_SECTIONS + MAX_SECTIONS - 1]
  return [
    build.deleteFrom('doc_index').where('rowid', '>=', first).where('rowid', '<=', last).compile(),
    build.deleteFrom('doc_sections').where('pos', '>=', first).where('pos', '<=', last).compile(),
  ]
}

export function insertSections(build: Builder, rows: readonly Insertable<DocSectionTable>[]): CompiledQuery {
  return build.insertInto('doc_sections').values(rows).compile()
}

export function insertSectionWords(
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

/** As they are: PostgreSQL's own parser would cut and drop words that the question will then be asked with. */
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

export function countFiles(
  build: Builder,
  place: string,
): CompiledQuery<{ skipped: string | null; files: number; sections: number; indexed_at: number }> {
  return build
    .selectFrom('doc_files')
    .select(({ fn }) => [
      'skipped',
      fn.countAll<number>().as('files'),
      // A sum of bigints is a decimal to PostgreSQL, which comes as text.
      sql<number>`cast(sum(sections) as bigint)`.as('sections'),
      fn.max('indexed_at').as('indexed_at'),
    ])
    .where('place', '=', place)
    .groupBy('skipped')
    .compile()
}

/** Sections of the place that share a word with `words`: the more, the rarer and the more prominent, the earlier. */
export function searchSections(
  db: Database,
  { place, words, limit }: { place: string; words: readonly string[]; limit: number },
): CompiledQuery<FoundSection> {
  const found = db.dialect === 'sqlite' ? searchFts(db.sql, words) : searchVectors(db.sql, words)
  return found.where('place', '=', place).orderBy('rank', 'desc').orderBy('doc_sections.pos').limit(limit).compile()
}

const SHOWN = ['path', 'doc_files.title', 'doc_sections.heading', 'line', 'text'] as const

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

/** PostgreSQL's own rank counts "the" for as much as a name; here a word weighs by how few sections have it. */
function searchVectors(build: Builder, words: readonly string[]) {
  const terms = words.map(lexeme)
  const { title, heading, body } = WEIGHT
  const weights = [body, body, heading, title].map((weight) => weight / title)
  const asked = sql<{ word: string }>`unnest(${terms}::tsquery[])`.as<'asked'>(sql`asked(word)`)
  const size = build.selectFrom('doc_index').select(({ fn }) => fn.countAll<number>().as('total'))
  const having = build.selectFrom('doc_index').where(sql<boolean>`words @@ word`)
  return (
    build
      // Materialised, or the counting would be done again for every section.
      .with(
        (cte) => cte('terms').materialized(),
        (make) =>
          make
            .selectFrom([asked, size.as('size')])
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
