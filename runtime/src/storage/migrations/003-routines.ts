import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createRoutines({ dialect, sql: build }: Database): CompiledQuery[] {
  const sqlite = dialect === 'sqlite'
  const whole = sqlite ? 'integer' : 'bigint'
  return [
    build.schema
      .createTable('routines')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('schedule', 'text', (c) => c.notNull())
      .addColumn('time_zone', 'text', (c) => c.notNull())
      .addColumn('task', 'text', (c) => c.notNull())
      .addColumn('autonomy', 'text')
      .addColumn('paused', whole, (c) => c.notNull())
      .addColumn('created_at', whole, (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('last_run_at', whole)
      .addColumn('last_run_id', 'text')
      .addColumn('last_stop', 'text')
      .addColumn('next_due_at', whole, (c) => c.notNull())
      .addColumn('held_by', 'text')
      .addColumn('held_until', whole)
      .modifyEnd(sqlite ? sql`strict` : sql``)
      .compile(),
  ]
}
