import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/** Titles that people gave to conversations; the others are named by their first message. */
export function addSessionTitles({ sql: build }: Database): CompiledQuery[] {
  return [build.schema.alterTable('session_owners').addColumn('title', 'text').compile()]
}
