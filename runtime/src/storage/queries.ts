/** All queries of the store, for both databases. */
import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely'
import type { KeptAccount } from '../journal/store.ts'
import { compiledOnce } from './compiled-once.ts'
import type { EventRow } from './rows.ts'
import type { EventTable, RunTable, SealTable, Tables } from './schema.ts'

type Builder = Kysely<Tables>

/** A parameter of a cached insert: the column and row of its value. */
interface Slot {
  row: number
  column: keyof EventRow
}

/** By number of rows: compiling costs far more than executing. */
const inserts = new WeakMap<Builder, CompiledQuery[]>()

/**
 * Rows of one run, in order. A number that does not follow the run's last stored one becomes null, which the table
 * rejects: one statement is both the check and the write, so no other writer can interfere.
 */
export function insertEvents(build: Builder, rows: readonly EventRow[]): CompiledQuery {
  const compiled = inserts.get(build) ?? []
  const insert = compiled[rows.length] ?? compileInsert(build, rows.length)
  compiled[rows.length] = insert
  inserts.set(build, compiled)
  const parameters = (insert.parameters as Slot[]).map(({ row, column }) => rows[row]?.[column])
  return { ...insert, parameters }
}

function compileInsert(build: Builder, size: number): CompiledQuery {
  const slot = <T>(row: number, column: Slot['column']) => sql<T>`${{ row, column } satisfies Slot}`
  const next = sql<number>`coalesce(max(seq), 0) + 1`
  const following = build
    .selectFrom('events')
    .where('run_id', '=', slot<string>(0, 'run_id'))
    // Not a filter on an outer select: SQLite would read the whole run to find its last number.
    .select(sql<number>`case ${next} when ${slot<number>(0, 'seq')} then ${next} end`.as('seq'))
  const values = Array.from({ length: size }, (_, row) => ({
    run_id: slot<string>(row, 'run_id'),
    seq: row === 0 ? following : slot<number>(row, 'seq'),
    type: slot<string>(row, 'type'),
    session_id: slot<string>(row, 'session_id'),
    turn_id: slot<string>(row, 'turn_id'),
    scout_id: slot<string | null>(row, 'scout_id'),
    timestamp: slot<number>(row, 'timestamp'),
    mode: slot<string>(row, 'mode'),
    reason: slot<string>(row, 'reason'),
    data: slot<string>(row, 'data'),
    hash: slot<string>(row, 'hash'),
  }))
  return build.insertInto('events').values(values).compile()
}

export function readLastSeq(build: Builder, runId: string): CompiledQuery<{ seq: number | null }> {
  return build
    .selectFrom('events')
    .where('run_id', '=', runId)
    .select((of) => of.fn.max('seq').as('seq'))
    .compile()
}

export function readLastEvent(build: Builder, runId: string): CompiledQuery<{ seq: number; hash: string }> {
  return build
    .selectFrom('events')
    .select(['seq', 'hash'])
    .where('run_id', '=', runId)
    .orderBy('seq', 'desc')
    .limit(1)
    .compile()
}

/** The runs of a session, and its records that are not runs. */
export function sessionRecords(build: Builder, sessionId: string): CompiledQuery<{ run_id: string }> {
  return build.selectFrom('events').select('run_id').distinct().where('session_id', '=', sessionId).compile()
}

export function deleteRun(build: Builder, runId: string): CompiledQuery[] {
  return (['events', 'runs', 'accounts'] as const).map((table) =>
    build.deleteFrom(table).where('run_id', '=', runId).compile(),
  )
}

export function readRun(
  build: Builder,
  runId: string,
  { afterSeq, limit }: { afterSeq: number; limit: number | undefined },
): CompiledQuery<Selectable<EventTable>> {
  const query = build
    .selectFrom('events')
    .selectAll()
    .where('run_id', '=', runId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
  return (limit === undefined ? query : query.limit(limit)).compile()
}

export function readBefore(
  build: Builder,
  runId: string,
  { beforeSeq, limit }: { beforeSeq: number; limit: number },
): CompiledQuery<Selectable<EventTable>> {
  return build
    .selectFrom('events')
    .selectAll()
    .where('run_id', '=', runId)
    .where('seq', '<', beforeSeq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .compile()
}

export function readSession(build: Builder, sessionId: string): CompiledQuery<Selectable<EventTable>> {
  return build.selectFrom('events').selectAll().where('session_id', '=', sessionId).orderBy('pos').compile()
}

export const insertRun = compiledOnce<Omit<RunTable, 'stopped_at' | 'stop_reason'>, unknown>((build, value) =>
  build
    .insertInto('runs')
    .values({
      run_id: value('run_id'),
      session_id: value('session_id'),
      parent_run_id: value('parent_run_id'),
      started_at: value('started_at'),
      stopped_at: null,
      stop_reason: null,
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .compile(),
)

export const stopRun = compiledOnce<{ runId: string; at: number; reason: string }, unknown>((build, value) =>
  build
    .updateTable('runs')
    .set({ stopped_at: value('at'), stop_reason: value('reason') })
    .where('run_id', '=', value('runId'))
    .compile(),
)

export const keepAccount = compiledOnce<KeptAccount, unknown>((build, value) =>
  build
    .insertInto('accounts')
    .values({ run_id: value('runId'), seq: value('seq'), account: value('text') })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ seq: value('seq'), account: value('text') }))
    .compile(),
)

/** Each with the number of its last event: events may have been stored after the account. */
export function readAccounts(
  build: Builder,
  runIds: readonly string[],
): CompiledQuery<{ run_id: string; last_seq: number | null; seq: number | null; account: string | null }> {
  const last = sql<number | null>`(select max(events.seq) from events where events.run_id = runs.run_id)`
  return build
    .selectFrom('runs')
    .leftJoin('accounts', 'accounts.run_id', 'runs.run_id')
    .where('runs.run_id', 'in', runIds)
    .select(['runs.run_id', last.as('last_seq'), 'accounts.seq', 'accounts.account'])
    .compile()
}

export function readRunIds(build: Builder): CompiledQuery<{ run_id: string }> {
  return build.selectFrom('events').select('run_id').distinct().orderBy('run_id').compile()
}

export function readSeals(build: Builder, afterN: number, limit?: number): CompiledQuery<SealTable> {
  const query = build.selectFrom('seals').selectAll().where('n', '>', afterN).orderBy('n')
  return (limit === undefined ? query : query.limit(limit)).compile()
}

/** A limit as a parameter would make SQLite prepare the statement again at each use. */
export const readLastSeal = compiledOnce<object, SealTable>((build) =>
  build.selectFrom('seals').selectAll().orderBy('n', 'desc').limit(sql.lit(1)).compile(),
)

export const insertSeal = compiledOnce<SealTable, unknown>((build, value) =>
  build
    .insertInto('seals')
    .values({
      n: value('n'),
      run_id: value('run_id'),
      last_seq: value('last_seq'),
      last_hash: value('last_hash'),
      sealed_at: value('sealed_at'),
      hash: value('hash'),
      tombstone: value('tombstone'),
    })
    .compile(),
)
