import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createTokens({ dialect, sql: build }: Database): CompiledQuery[] {
  const sqlite = dialect === 'sqlite'
  const whole = sqlite ? 'integer' : 'bigint'
  const end = sqlite ? sql`strict` : sql``
  const { schema } = build
  return [
    schema
      .createTable('tokens')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('created_at', whole, (c) => c.notNull())
      .addColumn('used_at', whole)
      .addColumn('revoked_at', whole)
      .modifyEnd(end),
    // A revoked token keeps its name in its row; the name can be used again.
    schema.createIndex('tokens_name').on('tokens').column('name').unique().where(sql.ref('revoked_at'), 'is', null),
    schema
      .createTable('session_owners')
      .addColumn('session_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('created_at', whole, (c) => c.notNull())
      .modifyEnd(end),
    schema.createIndex('session_owners_owner').on('session_owners').column('owner'),
  ].map((statement) => statement.compile())
}
