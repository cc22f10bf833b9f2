/** Converts events and runs to rows and back. */
import type { Insertable, Selectable } from 'kysely'
import { parseCompact } from '../base/compact-json.ts'
import { canonical } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import { takeDataText } from '../journal/journal.ts'
import {
  type AccountRow,
  type CodeCount,
  CorruptEvent,
  type RunRow,
  type Seal,
  type SessionRow,
  type Tombstone,
} from '../journal/store.ts'
import type { EventOf, StoredEvent } from '../protocol/event.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { SessionListRow } from './list-queries.ts'
import type { EventTable, RunTable, SealTable } from './schema.ts'

export type EventRow = Insertable<EventTable>

export function toEventRow(event: StoredEvent): EventRow {
  return {
    run_id: plain(event.runId),
    seq: event.seq,
    type: event.type,
    session_id: plain(event.sessionId),
    turn_id: plain(event.turnId),
    scout_id: event.scoutId === null ? null : plain(event.scoutId),
    timestamp: event.timestamp,
    mode: event.mode,
    reason: canonical(event.reason),
    data: takeDataText(event),
    hash: event.hash,
  }
}

export function toRunRow({ runId, sessionId, timestamp, data }: EventOf<'run.started'>) {
  return { run_id: runId, session_id: sessionId, parent_run_id: data.parentRunId ?? null, started_at: timestamp }
}

export function toEvent(row: Selectable<EventTable>): StoredEvent {
  try {
    return {
      seq: row.seq,
      type: row.type,
      sessionId: row.session_id,
      turnId: row.turn_id,
      runId: row.run_id,
      scoutId: row.scout_id,
      timestamp: row.timestamp,
      mode: row.mode,
      reason: JSON.parse(row.reason),
      data: parseCompact(row.data),
      hash: row.hash,
    } as StoredEvent
  } catch (error) {
    throw new CorruptEvent(row.run_id, row.seq, error)
  }
}

export function toRun(row: RunTable): RunRow {
  return {
    runId: row.run_id,
    sessionId: row.session_id,
    ...(row.parent_run_id !== null && { parentRunId: row.parent_run_id }),
    startedAt: row.started_at,
    stopped: row.stopped_at !== null,
    ...(row.stopped_at !== null && { stoppedAt: row.stopped_at }),
    ...(row.stop_reason !== null && { stopReason: row.stop_reason as StopReason }),
  }
}

export function toSession(row: SessionListRow): SessionRow {
  return {
    sessionId: row.session_id,
    startedAt: row.started_at,
    lastAt: row.last_at,
    runs: row.runs,
    firstRunId: row.first_run_id,
  }
}

export function toCodeCount(row: { run_id: string; reason: string; count: number }): CodeCount {
  return { runId: row.run_id, code: JSON.parse(row.reason), count: row.count }
}

export function toAccount(row: {
  run_id: string
  last_seq: number | null
  seq: number | null
  account: string | null
}): AccountRow {
  const { run_id: runId, last_seq, seq, account: text } = row
  return { runId, lastSeq: last_seq ?? 0, kept: seq === null || text === null ? undefined : { runId, seq, text } }
}

export function toSeal(row: SealTable): Seal {
  return {
    n: row.n,
    runId: row.run_id,
    lastSeq: row.last_seq,
    lastHash: row.last_hash,
    sealedAt: row.sealed_at,
    hash: row.hash,
    ...(row.tombstone !== null && { tombstone: row.tombstone as Tombstone }),
  }
}

/** Databases replace these characters silently, and two ids could become equal. */
function plain(id: string): string {
  if (id.isWellFormed() && !id.includes('\0')) return id
  throw new WritError('INVALID_ID', { id: JSON.stringify(id) })
}
