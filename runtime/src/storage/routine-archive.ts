/** Where routines are kept, and where processes that share them agree on who runs what. */
import type { CompiledQuery, Insertable } from 'kysely'
import type { Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { Routine } from './routine-port.ts'
import {
  deleteRoutine,
  findRoutine,
  insertRoutine,
  listRoutines,
  type RoutineChange,
  type RoutineGuard,
  type RoutineRow,
  updateRoutine,
} from './routine-queries.ts'
import type { RoutineTable } from './schema.ts'

/** A due time, and the one that takes its place. */
interface Due {
  name: string
  dueAt: number
  nextDueAt: number
}

/** A run's hold on its routine. It ends by itself when its holder dies and renews it no more. */
interface Hold {
  holder: string
  now: number
  until: number
}

export interface RoutineArchive {
  /** False when the name is taken, by whichever owner. */
  insert(routine: Routine): Promise<boolean>
  /** The oldest first. */
  list(whose: Whose): Promise<Routine[]>
  find(whose: Whose, name: string): Promise<Routine | undefined>
  remove(whose: Whose, name: string): Promise<boolean>
  pause(whose: Whose, name: string): Promise<Routine | undefined>
  resume(whose: Whose, name: string, nextDueAt: number): Promise<Routine | undefined>
  /** Takes a due time to run it. One caller gets it, and none while the routine is paused or held. */
  claim(due: Due, hold: Hold): Promise<Routine | undefined>
  /** Takes a due time to leave it out. Undefined: another caller took it. */
  pass(due: Due): Promise<Routine | undefined>
  /** Takes the routine outside its schedule. False while it is held. */
  hold(name: string, hold: Hold): Promise<boolean>
  /** False when somebody else holds it by now. */
  renew(name: string, hold: Hold): Promise<boolean>
  /** Lets go of the routine and writes down how its run ended. */
  finish(name: string, end: { holder: string; runId?: string; stop: string }): Promise<void>
}

export function routineArchive(db: Database): RoutineArchive {
  async function update(name: string, change: RoutineChange, only: RoutineGuard): Promise<Routine | undefined> {
    const [row] = isStorable(name) ? await db.query(updateRoutine(db.sql, name, { change, only })) : []
    return row === undefined ? undefined : toRoutine(row)
  }
  /** A change that a person or a model has decided on, and not the clock. */
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

/** A name with other characters was never given, and PostgreSQL would take offence at the question. */
function isStorable(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0')
}
