/** The port to the database. Each run has a chain of events; the sealed ends of runs form the store-wide chain. */

import { sha256 } from '../base/hash.ts'
import { canonical } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Event, EventType, StoredEvent } from '../protocol/event.ts'
import type { Whose } from '../protocol/principal.ts'
import type { Mode } from '../protocol/profile.ts'
import type { StopReason } from '../protocol/stop.ts'

/** Why a run was deleted: retention, or its conversation was erased. `forgotten` is for other entries. */
export type Tombstone = 'pruned' | 'erased' | 'forgotten'

export interface Seal {
  /** From 1, without gaps. */
  n: number
  runId: string
  lastSeq: number
  lastHash: string
  sealedAt: number
  hash: string
  /** When set, this seal records the deletion of the run, not its end. */
  tombstone?: Tombstone
}

/** Other entries whose changes are in the chain. */
export type KeptKind = 'memory' | 'routine' | 'token'

/** Takes the place of the run id in a seal; `lastSeq` is 0. */
export function keptKey(kind: KeptKind, id: string): string {
  return `${kind}:${id}`
}

export function isKept({ lastSeq }: Pick<Seal, 'lastSeq'>): boolean {
  return lastSeq === 0
}

/** An entry as its newest seal must describe it. */
export interface KeptRow {
  key: string
  hash: string
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

/** A row that was changed; the audit reports it. */
export class CorruptEvent extends WritError<'STORE_CORRUPT.event'> {
  readonly seq: number

  constructor(runId: string, seq: number, cause: unknown) {
    super('STORE_CORRUPT.event', { run: runId, seq }, { cause })
    this.seq = seq
  }
}

/** An event and its position in its session. */
export interface Placed {
  place: number
  event: StoredEvent
}

export interface SessionRow {
  sessionId: string
  /** Start of the first run, and the last start or end of a run. */
  startedAt: number
  lastAt: number
  runs: number
  firstRunId: string
}

export interface SessionFilter {
  /** Only conversations, without sessions of routines, workflows or decisions. */
  mode: Mode
  whose: Whose
  limit: number
  /** After this session in the list: the next page. */
  before?: Pick<SessionRow, 'lastAt' | 'sessionId'>
  /** All of them occur in its title or in messages of the user, each anywhere. */
  words?: readonly string[]
}

/** How often a code occurs in the results of a run's calls and actions. */
export interface CodeCount {
  runId: string
  code: string
  count: number
}

/** What was counted of a run up to one of its events, for `run-account.ts`. */
export interface KeptAccount {
  runId: string
  seq: number
  text: string
}

export interface AccountRow {
  runId: string
  /** The number of the run's last event. */
  lastSeq: number
  /** It may be older than the last event. */
  kept: KeptAccount | undefined
}

export interface RunFilter {
  sessionId?: string
  /** Absent: runs of all owners, for administrators. The server always sets it. */
  whose?: Whose
  mode?: Mode
  stopReason?: StopReason
  /** The run of this scout. */
  scoutId?: string
  /** Child runs of this run, or of any of these. */
  parentRunId?: string | readonly string[]
  /** Only runs without a parent. */
  roots?: true
  /** Started at this time or later. */
  since?: number
  /** Started before that time. */
  until?: number
  /** Ended before this time. */
  endedBefore?: number
  /** After this run in the list: the next page. */
  before?: Pick<RunRow, 'startedAt' | 'runId'>
  /** Only runs that have not ended: after a restart, those cut off by a crash. */
  open?: true
  limit?: number
}

/** `elsewhere`: stored by another process. Notifications of these may be late, out of order or missing. */
export type AppendListener = (events: readonly StoredEvent[], from: 'here' | 'elsewhere') => void

export interface Store {
  /**
   * Atomic, and durable when it resolves. A run's events are numbered from 1. Throws RUN_TAKEN when one of the (run,
   * seq) places is in use: another worker continued the run, and the caller must stop before acting. Throws JOURNAL_GAP
   * when a number is missing. A `run.stopped` among the events seals the run in the same transaction; a
   * `routine.skipped` seals its record, which is not a run and is not listed as one. The account of a run replaces its
   * last one.
   */
  append(events: readonly StoredEvent[], account?: KeptAccount): Promise<void>
  /** A run's events in order, after `afterSeq` if given, and at most `limit`. */
  readRun(runId: string, afterSeq?: number, limit?: number): Promise<StoredEvent[]>
  /** A run's last events before `beforeSeq`, at most `limit`, in order. */
  readBefore(runId: string, beforeSeq: number, limit: number): Promise<StoredEvent[]>
  /** The number of a run's last event; 0 when it has none. */
  lastSeq(runId: string): Promise<number>
  /** A session's events over all its runs, in the order they were stored. */
  readSession(sessionId: string): Promise<StoredEvent[]>
  /**
   * A session's events after a position, over all its runs. Positions grow in the order in which events become visible,
   * whichever process stored them: no event ever appears before a position that was read.
   */
  readPlaced(sessionId: string, after: number, limit?: number): Promise<Placed[]>
  /** The position of its last event; 0 when it has none. */
  lastPlace(sessionId: string): Promise<number>
  /** The events of some types in some runs, run by run. */
  readOf(runIds: readonly string[], types: readonly EventType[]): Promise<StoredEvent[]>
  countCodes(runIds: readonly string[]): Promise<CodeCount[]>
  /** Of the listed runs among these, in any order. */
  readAccounts(runIds: readonly string[]): Promise<AccountRow[]>
  /** Most recently used first. */
  listSessions(filter: SessionFilter): Promise<SessionRow[]>
  /** Most recently started first. */
  listRuns(filter?: RunFilter): Promise<RunRow[]>
  /** Deletes runs, each with a tombstone in the store-wide chain; returns how many existed. */
  bury(runIds: readonly string[], burial: { at: number; why: Tombstone }): Promise<number>
  /** In the order of `n`, after `afterN` if given, and at most `limit`. */
  readSeals(afterN?: number, limit?: number): Promise<Seal[]>
  /** Of all events, including those of runs that are not listed. */
  readRunIds(): Promise<string[]>
  /** Memories, routines and tokens, each with its hash. */
  readKept(): Promise<KeptRow[]>
  /** Notified of stored events where this store can know of them; others must be polled for. */
  onAppend(listener: AppendListener): () => void
  close(): Promise<void>
}

/** Of a skipped due time: a single event, not a run. A run has at least a start and an end. */
export function isRecord({ lastSeq, tombstone }: Seal): boolean {
  return lastSeq === 1 && tombstone === undefined
}

/** Each seal covers the previous one; the first has no predecessor. */
export function hashSeal(previousHash: string, seal: Omit<Seal, 'hash'>): string {
  const { n, runId, lastSeq, lastHash, sealedAt, tombstone } = seal
  const mark = present({ tombstone })
  return sha256(previousHash + canonical({ n, runId, lastSeq, lastHash, sealedAt, ...mark }))
}

/** What is sealed. A skipped due time is not a run: its record is sealed as it is. */
export function endsRecord({ type }: Pick<Event, 'type'>): boolean {
  return type === 'run.stopped' || type === 'routine.skipped'
}
