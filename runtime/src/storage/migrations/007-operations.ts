import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/** What tells a deleted run from one that vanished, and who is at work on what. */
export function createOperations({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const sqlite = dialect === 'sqlite'
  return [
    schema.alterTable('seals').addColumn('tombstone', 'text').compile(),
    schema
      .createTable('leases')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('held_until', sqlite ? 'integer' : 'bigint', (c) => c.notNull())
      .modifyEnd(sqlite ? sql`strict` : sql``)
      .compile(),
  ]
}
