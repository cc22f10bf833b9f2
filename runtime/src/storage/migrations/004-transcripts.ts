import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createTranscripts({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const sqlite = dialect === 'sqlite'
  return [
    schema
      .createTable('transcripts')
      .addColumn('session', 'text', (c) => c.primaryKey().notNull())
      .addColumn('messages', 'text', (c) => c.notNull())
      .addColumn('expires_at', sqlite ? 'integer' : 'bigint', (c) => c.notNull())
      .modifyEnd(sqlite ? sql`strict` : sql``),
    schema.createIndex('transcripts_expiry').on('transcripts').column('expires_at'),
  ].map((statement) => statement.compile())
}
