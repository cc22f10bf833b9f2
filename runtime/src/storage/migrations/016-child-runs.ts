import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/** The end of every run asks for the runs it started; without this, all runs of the store are read. Most have none. */
export function indexChildRuns({ sql: build }: Database): CompiledQuery[] {
  return [
    build.schema
      .createIndex('runs_parent')
      .on('runs')
      .columns(['parent_run_id', 'started_at', 'run_id'])
      .where(sql.ref('parent_run_id'), 'is not', null)
      .compile(),
  ]
}
