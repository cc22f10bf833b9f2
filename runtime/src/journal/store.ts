/** The port to the database. One chain of events per run; sealed ends of runs form the store-wide chain. */
import type { StoredEvent } from '../protocol/event.ts'

export interface Seal {
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
  startedAt: number
  stopped: boolean
}

export interface Store {
  /**
   * All or nothing, durable when it resolves. Throws RUN_TAKEN when one of the (run, seq) places is already
   * filled: another worker went on with the run, and the caller must stop before acting.
   * A `run.stopped` among the events seals that run in the same transaction.
   */
  append(events: readonly StoredEvent[]): Promise<void>
  /** A run's events in order, from `afterSeq` on. */
  readRun(runId: string, afterSeq?: number): Promise<StoredEvent[]>
  /** A session's events over all its runs, in the order they were stored. */
  readSession(sessionId: string): Promise<StoredEvent[]>
  listRuns(filter?: { sessionId?: string; since?: number; limit?: number }): Promise<RunRow[]>
  readSeals(): Promise<Seal[]>
  close(): Promise<void>
}
