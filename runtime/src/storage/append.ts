/** How events reach the tables: in their run's order, without gaps, all or none. */
import type { CompiledQuery } from 'kysely'
import { WritError } from '../base/errors.ts'
import { endsRecord } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Database, Steps } from './database.ts'
import { takenHint } from './fence.ts'
import { insertEvents, insertRun, readLastSeq, stopRun } from './queries.ts'
import { toEventRow } from './rows.ts'
import { addSeal } from './seals.ts'

/** Keeps the values of one statement well below what either database can take. */
const MAX_ROWS = 100

export async function append(db: Database, events: readonly StoredEvent[]): Promise<void> {
  const stretches = cutIntoStretches(events)
  try {
    const only = stretches.length === 1 ? stretches[0] : undefined
    const locks = locksFor(db, events)
    // The usual case, an ordinary step of one run, is one statement and needs no transaction around it.
    const alone = only !== undefined && locks.length === 0 && !only.some(turnsRun)
    if (alone) await db.query(insertEvents(db.sql, only.map(toEventRow)))
    else if (stretches.length > 0) await db.transact(store(db, stretches, locks))
  } catch (error) {
    if (error instanceof WritError && error.code === 'STORE_CONFLICT') await explainConflict(db, events)
    throw error
  }
}

/** In one order for all, so that no two appends wait for each other. */
function locksFor(db: Database, events: readonly StoredEvent[]): CompiledQuery[] {
  const sessions = [...new Set(events.map(({ sessionId }) => sessionId))].sort()
  return sessions.flatMap((sessionId) => db.excludeOthersOf(sessionId))
}

function* store(db: Database, stretches: readonly StoredEvent[][], locks: readonly CompiledQuery[]): Steps<void> {
  yield* locks
  for (const stretch of stretches) yield insertEvents(db.sql, stretch.map(toEventRow))
  const events = stretches.flat()
  for (const event of events) {
    if (event.type === 'run.started') yield insertRun(db.sql, event)
    if (event.type === 'run.stopped') yield stopRun(db.sql, event)
    if (!endsRecord(event)) continue
    const { runId, timestamp: sealedAt } = event
    const last = events.findLast((one) => one.runId === runId) ?? event
    yield* addSeal(db, { runId, lastSeq: last.seq, lastHash: last.hash, sealedAt })
  }
}

function turnsRun(event: StoredEvent): boolean {
  return event.type === 'run.started' || endsRecord(event)
}

/** Neighbours of the same run, so that the order of storing stays the order given. */
function cutIntoStretches(events: readonly StoredEvent[]): StoredEvent[][] {
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

/** Goes over the events as the tables did, to find the one they refused. */
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
  return new WritError('RUN_TAKEN', `another worker went on with run ${runId} at seq ${seq}`, {
    hint: takenHint(events),
  })
}

function gap({ runId, seq }: StoredEvent, last: number): WritError {
  return new WritError('JOURNAL_GAP', `run ${runId}: expected event ${last + 1}, was given ${seq}`, {
    hint: 'Nothing was stored. Read the run again and go on from its last event.',
  })
}
