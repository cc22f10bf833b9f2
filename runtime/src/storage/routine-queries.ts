import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { EVERYONE, type Whose } from '../protocol/principal.ts'
import type { RoutineTable, Tables } from './schema.ts'

type Builder = Kysely<Tables>
export type RoutineRow = Selectable<RoutineTable>

/** No row comes back when the name is taken. */
export function insertRoutine(build: Builder, row: Insertable<RoutineTable>): CompiledQuery<{ name: string }> {
  return build
    .insertInto('routines')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .compile()
}

/** A condition on the owner that cannot be left out: to mean all of them, `whose` has to say so. */
function ownedBy(whose: Whose) {
  return whose === EVERYONE ? sql<boolean>`1 = 1` : sql<boolean>`owner = ${whose}`
}

export function listRoutines(build: Builder, whose: Whose): CompiledQuery<RoutineRow> {
  return build.selectFrom('routines').selectAll().where(ownedBy(whose)).orderBy('created_at').orderBy('name').compile()
}

export function findRoutine(build: Builder, whose: Whose, name: string): CompiledQuery<RoutineRow> {
  return build.selectFrom('routines').selectAll().where('name', '=', name).where(ownedBy(whose)).compile()
}

export function deleteRoutine(build: Builder, whose: Whose, name: string): CompiledQuery<{ name: string }> {
  return build.deleteFrom('routines').where('name', '=', name).where(ownedBy(whose)).returning('name').compile()
}

export type RoutineChange = Partial<Omit<RoutineRow, 'name'>>

/** `dueAt`: only while that is still the next due time. `freeAt`: only while nobody holds the routine then. */
export interface RoutineGuard {
  whose: Whose
  dueAt?: number
  unpaused?: true
  freeAt?: number
  heldBy?: string
}

export function updateRoutine(
  build: Builder,
  name: string,
  { change, only }: { change: RoutineChange; only: RoutineGuard },
): CompiledQuery<RoutineRow> {
  const { whose, dueAt, unpaused, freeAt, heldBy } = only
  let query = build.updateTable('routines').set(change).where('name', '=', name).where(ownedBy(whose))
  if (dueAt !== undefined) query = query.where('next_due_at', '=', dueAt)
  if (unpaused) query = query.where('paused', '=', 0)
  if (heldBy !== undefined) query = query.where('held_by', '=', heldBy)
  if (freeAt !== undefined) {
    query = query.where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', freeAt)]))
  }
  return query.returningAll().compile()
}
