import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createDocs({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const sqlite = dialect === 'sqlite'
  const whole = sqlite ? 'integer' : 'bigint'
  const end = sqlite ? sql`strict` : sql``

  const tables = [
    schema
      .createTable('doc_files')
      .addColumn('pos', sqlite ? 'integer' : 'bigserial', (c) =>
        sqlite ? c.primaryKey().autoIncrement() : c.primaryKey(),
      )
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('stamp', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('skipped', 'text')
      .addColumn('sections', whole, (c) => c.notNull())
      .addColumn('indexed_at', whole, (c) => c.notNull())
      .addUniqueConstraint('doc_files_place', ['place', 'path'])
      .modifyEnd(end),
    schema
      .createTable('doc_sections')
      .addColumn('pos', whole, (c) => c.primaryKey().notNull())
      .addColumn('file', whole, (c) => c.notNull())
      .addColumn('line', whole, (c) => c.notNull())
      .addColumn('heading', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .modifyEnd(end),
  ].map((statement) => statement.compile())

  if (sqlite) {
    // The same tokens as in the memory index, for the same reason. Contentless: the text is in doc_sections.
    const tokenizer = "unicode61 remove_diacritics 0 categories ''L* N* M* Co Cn''"
    const columns = "title, heading, words, content = '', contentless_delete = 1"
    return [
      ...tables,
      CompiledQuery.raw(`create virtual table doc_index using fts5(${columns}, tokenize = '${tokenizer}')`),
    ]
  }
  return [
    ...tables,
    schema
      .createTable('doc_index')
      .addColumn('rowid', 'bigint', (c) => c.primaryKey())
      .addColumn('words', sql`tsvector`, (c) => c.notNull())
      .compile(),
    schema.createIndex('doc_words').on('doc_index').using('gin').column('words').compile(),
  ]
}
