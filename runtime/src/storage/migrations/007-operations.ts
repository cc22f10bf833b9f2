import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Tombstones, which tell deleted runs from lost ones, and leases. */
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
