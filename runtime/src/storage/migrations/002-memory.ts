import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createMemory({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const sqlite = dialect === 'sqlite'
  const whole = sqlite ? 'integer' : 'bigint'

  const memories = schema
    .createTable('memories')
    .addColumn('pos', sqlite ? 'integer' : 'bigserial', (c) =>
      sqlite ? c.primaryKey().autoIncrement() : c.primaryKey(),
    )
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('run_id', 'text', (c) => c.notNull())
    .addColumn('tool', 'text')
    .addColumn('mark', 'text')
    .addColumn('created_at', whole, (c) => c.notNull())
    .modifyEnd(sqlite ? sql`strict` : sql``)
    .compile()
  const byAge = schema.createIndex('memories_age').on('memories').columns(['created_at', 'pos']).compile()

  // Words arrive folded and split. Accents must stay, and letters unknown to SQLite's old tables must count as letters,
  // or the two databases would find different entries.
  if (sqlite) {
    const tokenizer = "unicode61 remove_diacritics 0 categories ''L* N* M* Co Cn''"
    return [
      memories,
      byAge,
      CompiledQuery.raw(`create virtual table memory_index using fts5(words, tokenize = '${tokenizer}')`),
    ]
  }
  return [
    memories,
    byAge,
    schema
      .createTable('memory_index')
      .addColumn('rowid', 'bigint', (c) => c.primaryKey())
      .addColumn('words', sql`tsvector`, (c) => c.notNull())
      .compile(),
    schema.createIndex('memory_words').on('memory_index').using('gin').column('words').compile(),
  ]
}
