import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/** Approvals given to a routine in advance; empty for existing routines, whose seals stay valid. */
export function addRoutineApprovals({ sql: build }: Database): CompiledQuery[] {
  return [build.schema.alterTable('routines').addColumn('approvals', 'text').compile()]
}
