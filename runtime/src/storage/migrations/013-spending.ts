import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/** What model calls have cost, for money budgets. Not part of a run: it stays when the run is deleted. */
export function createSpending({ sql: build }: Database): CompiledQuery[] {
  return [
    build.schema
      .createTable('spending')
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('root_run_id', 'text', (column) => column.notNull())
      .addColumn('usd', sql`double precision`, (column) => column.notNull())
      .addPrimaryKeyConstraint('spending_pk', ['run_id', 'day'])
      .compile(),
    build.schema.createIndex('spending_owner').on('spending').columns(['owner', 'day', 'root_run_id', 'usd']).compile(),
  ]
}
