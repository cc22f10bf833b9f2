/** The port to the database. One chain of events per run; sealed ends of runs form the store-wide chain. */
import { WritError } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { canonical } from '../base/json.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { StopReason } from '../protocol/stop.ts'

export interface Seal {
  /** From 1, without gaps. */
  n: number
  runId: string
  lastSeq: number
  lastHash: string
  sealedAt: number
  hash: string
}

export interface RunRow {
  runId: string
  sessionId: string
  parentRunId?: string
  startedAt: number
  stopped: boolean
  stopReason?: StopReason
}

/** A row that is no longer what was written; the audit names it. */
export class CorruptEvent extends WritError {
  readonly seq: number

  constructor(runId: string, seq: number, cause: unknown) {
    super('STORE_CORRUPT', `event ${seq} of run ${runId} is not JSON any more`, {
      hint: 'Restore the store from a backup; never edit its tables by hand.',
      cause,
    })
    this.seq = seq
  }
}

export interface RunFilter {
  sessionId?: string
  /** Started at this time or later. */
  since?: number
  /** Only runs that have not stopped: after a restart, those a crash cut off. */
  open?: true
  limit?: number
}

export interface Store {
  /**
   * All or nothing, durable when it resolves. A run's events are numbered from 1.
   * Throws RUN_TAKEN when one of the (run, seq) places is already filled: another worker went on with the run,
   * and the caller must stop before acting. Throws JOURNAL_GAP when a number was left out.
   * A `run.stopped` among the events seals that run in the same transaction; a `routine.skipped` seals its record,
   * which is no run and is not listed as one.
   */
  append(events: readonly StoredEvent[]): Promise<void>
  /** A run's events in order, those after `afterSeq` only when it is given. */
  readRun(runId: string, afterSeq?: number): Promise<StoredEvent[]>
  /** A session's events over all its runs, in the order they were stored. */
  readSession(sessionId: string): Promise<StoredEvent[]>
  /** The latest started first. */
  listRuns(filter?: RunFilter): Promise<RunRow[]>
  /** In the order of `n`. */
  readSeals(): Promise<Seal[]>
  close(): Promise<void>
}

/** Each seal covers the one before; the first has nothing before it. */
export function hashSeal(previousHash: string, seal: Omit<Seal, 'hash'>): string {
  const { n, runId, lastSeq, lastHash, sealedAt } = seal
  return sha256(previousHash + canonical({ n, runId, lastSeq, lastHash, sealedAt }))
}
