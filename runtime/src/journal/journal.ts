/** The journal: append-only, one hash chain per run, redacted on entry. */
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/hash.ts'
import { canonical, frozenCopy } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Event, EventData, EventOf, EventPlace, EventType, StoredEvent } from '../protocol/event.ts'
import type { Redact } from './redact.ts'
import { RunAccount } from './run-account.ts'
import type { KeptAccount, Store } from './store.ts'

/** Events between two stored accounts of a run. */
const KEEP_EVERY = 1000

/** The previous hash of a run's first event. */
export const GENESIS = ''

/** The canonical data of events that are not stored yet: it is hashed first and stored later. */
const dataTexts = new WeakMap<Event['data'], string>()

/** The canonical data of an event, as it was hashed. Released with this: events may live longer than their text. */
export function takeDataText({ data }: Event): string {
  const known = dataTexts.get(data)
  if (known === undefined) return canonical(data)
  dataTexts.delete(data)
  return known
}

/** Hashes the canonical event. */
export function hashEvent(previous: string, event: Event): string {
  return hashWith(previous, event, canonical(event.data))
}

/** The keys are listed in the order `canonical` uses. */
function hashWith(previous: string, event: Event, data: string): string {
  const { mode, reason, runId, scoutId, seq, sessionId, timestamp, turnId, type } = event
  const rest = JSON.stringify({ mode, reason, runId, scoutId, seq, sessionId, timestamp, turnId, type })
  return sha256(`${previous}{"data":${data},${rest.slice(1)}`)
}

/** The end of a run's chain; a resumed run continues there. */
export interface ChainEnd {
  seq: number
  hash: string
  account?: RunAccount | undefined
}

export interface LogDeps {
  store: Pick<Store, 'append'>
  clock: Clock
  redact: Redact
  /** Aborted when the process is asked to end: current runs are left for `resume`. */
  suspended?: AbortSignal
}

export class RunLog {
  readonly #store: Pick<Store, 'append'>
  readonly #clock: Clock
  readonly #redact: Redact
  readonly #suspended: AbortSignal | undefined
  readonly #place: EventPlace
  #seq: number
  #hash: string
  #unsaved: StoredEvent[] = []
  /** Absent in a log that continues a run whose events it does not know. */
  readonly #account: RunAccount | undefined
  #keptSeq: number
  #saving: Promise<void> | undefined

  constructor(deps: LogDeps, place: EventPlace, end?: ChainEnd) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#redact = deps.redact
    this.#suspended = deps.suspended
    this.#place = place
    this.#seq = end?.seq ?? 0
    this.#hash = end?.hash ?? GENESIS
    this.#account = end === undefined ? new RunAccount() : end.account
    this.#keptSeq = this.#seq
  }

  get place(): EventPlace {
    return this.#place
  }

  /**
   * Queues an event. It is durable once `flush` resolves; flush before acting on it. Throws RUN_INTERRUPTED once the
   * process is asked to end: otherwise the results of cancelled calls would be recorded as real results, and the run as
   * cancelled.
   */
  note<T extends EventType>(type: T, data: EventData[T], reason = ''): StoredEvent {
    if (this.#suspended?.aborted) throw interrupted(this.#place)
    const event = this.#build(type, data, reason, ++this.#seq) as Event
    const text = canonical(event.data)
    this.#hash = hashWith(this.#hash, event, text)
    dataTexts.set(event.data, text)
    const stored = event as StoredEvent
    stored.hash = this.#hash
    this.#unsaved.push(stored)
    this.#account?.add(stored)
    return stored
  }

  /** An event for live listeners that is not stored. */
  mention<T extends EventType>(type: T, data: EventData[T]): Event {
    return this.#build(type, data, '', this.#seq) as Event
  }

  /** Redacted as in an event. */
  masked<T>(data: T): T {
    return this.#redact(data)
  }

  async flush(): Promise<void> {
    // Calls of one run may settle at the same time, and another's flush may have taken this call's events.
    while (this.#saving !== undefined) await this.#saving.catch(() => {})
    if (this.#unsaved.length === 0) return
    this.#saving = this.#save()
    try {
      await this.#saving
    } finally {
      this.#saving = undefined
    }
  }

  async #save(): Promise<void> {
    const batch = this.#unsaved
    this.#unsaved = []
    try {
      await this.#store.append(batch, this.#accountDue(batch))
    } catch (error) {
      this.#unsaved = [...batch, ...this.#unsaved]
      throw error
    }
  }

  /** At the end of a run, and often enough during a long one. */
  #accountDue(batch: readonly StoredEvent[]): KeptAccount | undefined {
    const last = batch.at(-1)
    // Noted while an earlier batch was being stored: what was counted is not stored yet.
    if (this.#account === undefined || last?.seq !== this.#account.seq) return undefined
    if (last.seq - this.#keptSeq < KEEP_EVERY && !batch.some(endsRun)) return undefined
    this.#keptSeq = last.seq
    return this.#account.kept(last.runId)
  }

  #build<T extends EventType>(type: T, data: EventData[T], reason: string, seq: number): EventOf<T> {
    const { sessionId, turnId, runId, scoutId, mode } = this.#place
    // Frozen: listeners get the same object that decisions are made from.
    const own = frozenCopy(this.#redact(data))
    return { seq, type, sessionId, turnId, runId, scoutId, mode, timestamp: this.#clock.now(), reason, data: own }
  }
}

/** Runs of a turn end with the turn; other runs have no turn. */
export function endsRun({ type, mode }: Event): boolean {
  return type === 'turn.committed' || (type === 'run.stopped' && mode !== 'chat' && mode !== 'routine')
}

/** For a run that was cut off because its process ended. */
export function interrupted({ runId, mode }: EventPlace): WritError<'RUN_INTERRUPTED'> {
  return new WritError('RUN_INTERRUPTED', { run: runId, isWorkflow: mode === 'workflow' })
}
