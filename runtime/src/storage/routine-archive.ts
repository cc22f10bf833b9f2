/** Routines in the database, and how processes agree on which of them runs one. */

import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Routine } from '../ports/routines.ts'
import type { Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { RoutineTable, Tables } from './schema.ts'

/** A due time and the next one. */
interface Due {
  name: string
  dueAt: number
  nextDueAt: number
}

/** The lock of a run on its routine. It expires when its holder dies and stops renewing it. */
interface Hold {
  holder: string
  now: number
  until: number
}

export interface RoutineArchive {
  /** False when the name is in use, by any owner. */
  insert(routine: Routine): Promise<boolean>
  /** Oldest first. */
  list(whose: Whose): Promise<Routine[]>
  find(whose: Whose, name: string): Promise<Routine | undefined>
  remove(whose: Whose, name: string): Promise<boolean>
  pause(whose: Whose, name: string): Promise<Routine | undefined>
  resume(whose: Whose, name: string, nextDueAt: number): Promise<Routine | undefined>
  /** Claims a due time to run it. One caller gets it, and none while the routine is paused or running. */
  claim(due: Due, hold: Hold): Promise<Routine | undefined>
  /** Claims a due time to skip it. Undefined: another caller has it. */
  pass(due: Due): Promise<Routine | undefined>
  /** Claims the routine outside its schedule. False while it is running. */
  hold(name: string, hold: Hold): Promise<boolean>
  /** False when another process has claimed it. */
  renew(name: string, hold: Hold): Promise<boolean>
  /** Releases the routine and records how its run ended. */
  finish(name: string, end: { holder: string; runId?: string; stop: string }): Promise<void>
}

export function routineArchive(db: Database): RoutineArchive {
  async function update(name: string, change: RoutineChange, only: RoutineGuard): Promise<Routine | undefined> {
    const [row] = isStorable(name) ? await db.query(updateRoutine(db.sql, name, { change, only })) : []
    return row === undefined ? undefined : toRoutine(row)
  }
  /** A change decided by a person or a model, not by the schedule. */
  async function decide(whose: Whose, name: string, change: RoutineChange): Promise<Routine | undefined> {
    if (!isStorable(name)) return undefined
    const [row] = await db.transact(sealed(db, name, updateRoutine(db.sql, name, { change, only: { whose } })))
    return row === undefined ? undefined : toRoutine(row)
  }
  async function find(whose: Whose, name: string): Promise<Routine | undefined> {
    const [row] = isStorable(name) ? await db.query(findRoutine(db.sql, whose, name)) : []
    return row === undefined ? undefined : toRoutine(row)
  }
  const taken = ({ holder, now, until }: Hold) => ({ held_by: holder, held_until: until, last_run_at: now })
  return {
    insert: async (routine) =>
      (await db.transact(sealed(db, routine.name, insertRoutine(db.sql, toRow(routine))))).length > 0,
    list: async (whose) => (await db.query(listRoutines(db.sql, whose))).map(toRoutine),
    find,
    remove: async (whose, name) =>
      isStorable(name) && (await db.transact(sealed(db, name, deleteRoutine(db.sql, whose, name)))).length > 0,
    pause: (whose, name) => decide(whose, name, { paused: 1 }),
    resume: (whose, name, nextDueAt) => decide(whose, name, { paused: 0, next_due_at: nextDueAt }),
    claim: ({ name, dueAt, nextDueAt }, hold) =>
      update(
        name,
        { next_due_at: nextDueAt, ...taken(hold) },
        { whose: EVERYONE, dueAt, unpaused: true, freeAt: hold.now },
      ),
    pass: ({ name, dueAt, nextDueAt }) => update(name, { next_due_at: nextDueAt }, { whose: EVERYONE, dueAt }),
    hold: async (name, hold) => (await update(name, taken(hold), { whose: EVERYONE, freeAt: hold.now })) !== undefined,
    async renew(name, { holder, until }) {
      if ((await update(name, { held_until: until }, { whose: EVERYONE, heldBy: holder })) !== undefined) return true
      return (await find(EVERYONE, name)) === undefined
    },
    async finish(name, { holder, runId, stop }) {
      const change = { held_by: null, held_until: null, last_stop: stop, last_run_id: runId ?? null }
      await update(name, change, { whose: EVERYONE, heldBy: holder })
    },
  }
}

function* sealed<Row>(db: Database, name: string, change: CompiledQuery<Row>): Steps<Row[]> {
  const rows = yield* ask(change)
  if (rows.length > 0) yield* sealKept(db, 'routine', name)
  return rows
}

function toRow(routine: Routine): Insertable<RoutineTable> {
  return {
    name: routine.name,
    schedule: routine.schedule,
    time_zone: routine.timeZone,
    task: JSON.stringify(routine.task),
    autonomy: routine.autonomy ?? null,
    paused: routine.paused ? 1 : 0,
    created_at: routine.createdAt,
    created_by: routine.createdBy,
    owner: routine.owner,
    last_run_at: routine.lastRunAt ?? null,
    last_run_id: routine.lastRunId ?? null,
    last_stop: routine.lastStop ?? null,
    next_due_at: routine.nextDueAt,
    held_by: null,
    held_until: null,
    approvals: routine.approvals === undefined ? null : JSON.stringify(routine.approvals),
  }
}

function toRoutine(row: RoutineRow): Routine {
  return {
    name: row.name,
    schedule: row.schedule,
    timeZone: row.time_zone,
    task: JSON.parse(row.task) as string,
    ...(row.autonomy === null ? {} : { autonomy: row.autonomy as Autonomy }),
    ...(row.approvals === null ? {} : { approvals: JSON.parse(row.approvals) as string[] }),
    paused: row.paused === 1,
    createdAt: row.created_at,
    createdBy: row.created_by,
    owner: row.owner as Principal,
    ...(row.last_run_at === null ? {} : { lastRunAt: row.last_run_at }),
    ...(row.last_run_id === null ? {} : { lastRunId: row.last_run_id }),
    ...(row.last_stop === null ? {} : { lastStop: row.last_stop }),
    nextDueAt: row.next_due_at,
  }
}

/** No name has other characters, and PostgreSQL rejects NUL and lone surrogates. */
function isStorable(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0')
}

type Builder = Kysely<Tables>
type RoutineRow = Selectable<RoutineTable>

/** Returns no row when the name is in use. */
function insertRoutine(build: Builder, row: Insertable<RoutineTable>): CompiledQuery<{ name: string }> {
  return build
    .insertInto('routines')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .compile()
}

/** The owner is always a condition: to select all owners, `whose` must say so. */
function ownedBy(whose: Whose) {
  return whose === EVERYONE ? sql<boolean>`1 = 1` : sql<boolean>`owner = ${whose}`
}

function listRoutines(build: Builder, whose: Whose): CompiledQuery<RoutineRow> {
  return build.selectFrom('routines').selectAll().where(ownedBy(whose)).orderBy('created_at').orderBy('name').compile()
}

function findRoutine(build: Builder, whose: Whose, name: string): CompiledQuery<RoutineRow> {
  return build.selectFrom('routines').selectAll().where('name', '=', name).where(ownedBy(whose)).compile()
}

function deleteRoutine(build: Builder, whose: Whose, name: string): CompiledQuery<{ name: string }> {
  return build.deleteFrom('routines').where('name', '=', name).where(ownedBy(whose)).returning('name').compile()
}

type RoutineChange = Partial<Omit<RoutineRow, 'name'>>

/** `dueAt`: only while it is still the next due time. `freeAt`: only if the routine is not claimed at that time. */
interface RoutineGuard {
  whose: Whose
  dueAt?: number
  unpaused?: true
  freeAt?: number
  heldBy?: string
}

function updateRoutine(
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
