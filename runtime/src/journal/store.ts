/** The port to the database. One chain of events per run; sealed ends of runs form the store-wide chain. */
import { WritError } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { canonical } from '../base/json.ts'
import type { Event, EventType, StoredEvent } from '../protocol/event.ts'
import type { Whose } from '../protocol/principal.ts'
import type { Mode } from '../protocol/profile.ts'
import type { StopReason } from '../protocol/stop.ts'

/** Why a run is no longer there: it had grown old, or its conversation was to be erased. `forgotten` is of other entries. */
export type Tombstone = 'pruned' | 'erased' | 'forgotten'

export interface Seal {
  /** From 1, without gaps. */
  n: number
  runId: string
  lastSeq: number
  lastHash: string
  sealedAt: number
  hash: string
  /** Set: this seals not the run's end but its deletion. */
  tombstone?: Tombstone
}

/** Entries beside the runs whose changes are in the chain too. */
export type KeptKind = 'memory' | 'routine' | 'token'

/** In a seal it stands where a run's id stands; `lastSeq` is 0. */
export function keptKey(kind: KeptKind, id: string): string {
  return `${kind}:${id}`
}

export function isKept({ lastSeq }: Pick<Seal, 'lastSeq'>): boolean {
  return lastSeq === 0
}

/** An entry as it is now: what its newest seal has to say. */
export interface KeptRow {
  key: string
  hash: string
}

/** A place where the record is not what was written. */
export interface Breach {
  runId: string
  seq: number
  why: string
}

export interface RunRow {
  runId: string
  sessionId: string
  parentRunId?: string
  startedAt: number
  stopped: boolean
  stoppedAt?: number
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

/** An event and where it stands among those of its session. */
export interface Placed {
  place: number
  event: StoredEvent
}

export interface SessionRow {
  sessionId: string
  /** Of its first run, and the last thing that was begun or ended in it. */
  startedAt: number
  lastAt: number
  runs: number
  firstRunId: string
}

export interface SessionFilter {
  /** Sessions somebody talks in, not those of routines, workflows or decisions. */
  mode: Mode
  whose: Whose
  limit: number
}

/** How often a code occurs among the results of a run's calls and actions. */
export interface CodeCount {
  runId: string
  code: string
  count: number
}

export interface RunFilter {
  sessionId?: string
  /** Absent: the runs of everyone's sessions, for those who keep the store. The server always says whose. */
  whose?: Whose
  mode?: Mode
  stopReason?: StopReason
  /** The run of this scout. */
  scoutId?: string
  /** Of this run, or of any of these. */
  parentRunId?: string | readonly string[]
  /** Started at this time or later. */
  since?: number
  /** Started before that time. */
  until?: number
  /** Ended before this time. */
  endedBefore?: number
  /** Further down the list than this run: the next page. */
  before?: Pick<RunRow, 'startedAt' | 'runId'>
  /** Only runs that have not stopped: after a restart, those a crash cut off. */
  open?: true
  limit?: number
}

/** `elsewhere`: another process stored them; they may be told late, out of order or not at all. */
export type AppendListener = (events: readonly StoredEvent[], from: 'here' | 'elsewhere') => void

export interface Store {
  /**
   * All or nothing, durable when it resolves. A run's events are numbered from 1.
   * Throws RUN_TAKEN when one of the (run, seq) places is already filled: another worker went on with the run,
   * and the caller must stop before acting. Throws JOURNAL_GAP when a number was left out.
   * A `run.stopped` among the events seals that run in the same transaction; a `routine.skipped` seals its record,
   * which is no run and is not listed as one.
   */
  append(events: readonly StoredEvent[]): Promise<void>
  /** A run's events in order, those after `afterSeq` only when it is given, and no more than `limit`. */
  readRun(runId: string, afterSeq?: number, limit?: number): Promise<StoredEvent[]>
  /** A session's events over all its runs, in the order they were stored. */
  readSession(sessionId: string): Promise<StoredEvent[]>
  /**
   * A session's events after a place in it, over all its runs. Within a session, places grow in the order in which
   * events can first be seen, whoever stored them: nothing ever turns up behind a place that was read.
   */
  readPlaced(sessionId: string, after: number, limit?: number): Promise<Placed[]>
  /** Of its last event; 0 when it has none. */
  lastPlace(sessionId: string): Promise<number>
  /** Those events of some runs that are of certain types, run by run. */
  readOf(runIds: readonly string[], types: readonly EventType[]): Promise<StoredEvent[]>
  countCodes(runIds: readonly string[]): Promise<CodeCount[]>
  /** The last used first. */
  listSessions(filter: SessionFilter): Promise<SessionRow[]>
  /** The latest started first. */
  listRuns(filter?: RunFilter): Promise<RunRow[]>
  /** Deletes runs, each with a tombstone in the store-wide chain; says how many of them were there. */
  bury(runIds: readonly string[], burial: { at: number; why: Tombstone }): Promise<number>
  /** In the order of `n`, those after `afterN` only when it is given, and no more than `limit`. */
  readSeals(afterN?: number, limit?: number): Promise<Seal[]>
  /** Of all events there are, also of runs that no list knows. */
  readRunIds(): Promise<string[]>
  /** Memories, routines and tokens, each with its hash. */
  readKept(): Promise<KeptRow[]>
  /** Told of events once they are stored, as far as this store can know; others can be found by looking. */
  onAppend(listener: AppendListener): () => void
  close(): Promise<void>
}

/** Of a due time that was left out: one event and no run. A run has more, its start and its end at least. */
export function isRecord({ lastSeq, tombstone }: Seal): boolean {
  return lastSeq === 1 && tombstone === undefined
}

/** Each seal covers the one before; the first has nothing before it. */
export function hashSeal(previousHash: string, seal: Omit<Seal, 'hash'>): string {
  const { n, runId, lastSeq, lastHash, sealedAt, tombstone } = seal
  const mark = tombstone === undefined ? {} : { tombstone }
  return sha256(previousHash + canonical({ n, runId, lastSeq, lastHash, sealedAt, ...mark }))
}

/** What is sealed. A due time that was left out has no run: it is a record of its own, and whole as it stands. */
export function endsRecord({ type }: Pick<Event, 'type'>): boolean {
  return type === 'run.stopped' || type === 'routine.skipped'
}
