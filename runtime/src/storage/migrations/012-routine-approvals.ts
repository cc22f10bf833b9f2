import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/** What a person allowed a routine beforehand; empty for those of before, whose seals stay as they are. */
export function addRoutineApprovals({ sql: build }: Database): CompiledQuery[] {
  return [build.schema.alterTable('routines').addColumn('approvals', 'text').compile()]
}
