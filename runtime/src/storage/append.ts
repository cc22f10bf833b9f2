/** Appends events: in the order of their run, without gaps, atomically. */
import type { CompiledQuery } from 'kysely'
import { WritError } from '../errors/writ-error.ts'
import { endsRecord, type KeptAccount } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Database, Steps } from './database.ts'
import { hasActed } from './fence.ts'
import { insertEvents, insertRun, keepAccount, readLastSeq, stopRun } from './queries.ts'
import { toEventRow, toRunRow } from './rows.ts'
import { addSeal } from './seals.ts'

/** Keeps the parameters of a statement well below the limits of both databases. */
const MAX_ROWS = 100

export async function append(db: Database, events: readonly StoredEvent[], account?: KeptAccount): Promise<void> {
  const stretches = cutIntoStretches(events)
  try {
    const only = stretches.length === 1 ? stretches[0] : undefined
    const locks = locksFor(db, events)
    // The common case, one step of one run, is a single statement without a transaction.
    const alone = only !== undefined && locks.length === 0 && account === undefined && !only.some(turnsRun)
    if (alone) await db.query(insertEvents(db.sql, only.map(toEventRow)))
    else if (stretches.length > 0)
      await db.transact(store(db, stretches, { locks, accounts: account === undefined ? [] : [account] }))
  } catch (error) {
    if (error instanceof WritError && error.code === 'STORE_CONFLICT') await explainConflict(db, events)
    throw error
  }
}

/** Always in the same order, so that appends do not deadlock. */
function locksFor(db: Database, events: readonly StoredEvent[]): CompiledQuery[] {
  const sessions = [...new Set(events.map(({ sessionId }) => sessionId))].sort()
  return sessions.flatMap((sessionId) => db.excludeOthersOf(sessionId))
}

export function* store(
  db: Database,
  stretches: readonly StoredEvent[][],
  { locks, accounts }: { locks: readonly CompiledQuery[]; accounts: readonly KeptAccount[] },
): Steps<void> {
  yield* locks
  for (const stretch of stretches) yield insertEvents(db.sql, stretch.map(toEventRow))
  const events = stretches.flat()
  for (const event of events) {
    if (event.type === 'run.started') yield insertRun(db.sql, toRunRow(event))
    if (event.type === 'run.stopped') {
      const { runId, timestamp: at, data } = event
      yield stopRun(db.sql, { runId, at, reason: data.stop.reason })
    }
    if (!endsRecord(event)) continue
    const { runId, timestamp: sealedAt } = event
    const last = events.findLast((one) => one.runId === runId) ?? event
    yield* addSeal(db, { runId, lastSeq: last.seq, lastHash: last.hash, sealedAt })
  }
  for (const account of accounts) yield keepAccount(db.sql, account)
}

export function turnsRun(event: StoredEvent): boolean {
  return event.type === 'run.started' || endsRecord(event)
}

/** Only neighbours of the same run are grouped, so that the storage order is the given order. */
export function cutIntoStretches(events: readonly StoredEvent[]): StoredEvent[][] {
  const stretches: StoredEvent[][] = []
  for (const event of events) {
    const stretch = stretches.at(-1)
    const last = stretch?.at(-1)
    if (stretch === undefined || last?.runId !== event.runId || stretch.length === MAX_ROWS) stretches.push([event])
    else if (event.seq !== last.seq + 1) throw gap(event, last.seq)
    else stretch.push(event)
  }
  return stretches
}

/** Finds the event that the tables rejected. */
async function explainConflict(db: Database, events: readonly StoredEvent[]): Promise<void> {
  const ends = new Map<string, number>()
  for (const event of events) {
    const last = ends.get(event.runId) ?? (await db.query(readLastSeq(db.sql, event.runId)))[0]?.seq ?? 0
    if (event.seq <= last) throw taken(event, events)
    if (event.seq > last + 1) throw gap(event, last)
    ends.set(event.runId, event.seq)
  }
}

function taken({ runId, seq }: StoredEvent, events: readonly StoredEvent[]): WritError {
  return new WritError('RUN_TAKEN', { run: runId, seq, acted: hasActed(events) })
}

function gap({ runId, seq }: StoredEvent, last: number): WritError {
  return new WritError('JOURNAL_GAP', { run: runId, expected: last + 1, given: seq })
}
