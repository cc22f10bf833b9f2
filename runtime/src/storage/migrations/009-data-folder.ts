import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/** The unique id of the database, for the binding in the user's configuration folder. A server database needs none. */
export function createDataFolder({ dialect, sql: build }: Database): CompiledQuery[] {
  if (dialect !== 'sqlite') return []
  return [
    build.schema
      .createTable('data_folder')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('seal', 'text')
      .modifyEnd(sql`strict`)
      .compile(),
  ]
}
