/** The truth: what is not here did not happen. Append-only, one hash chain per run, redacted at the door. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { canonical, frozenCopy } from '../base/json.ts'
import type { Event, EventData, EventOf, EventPlace, EventType, StoredEvent } from '../protocol/event.ts'
import type { Redact } from './redact.ts'
import type { Store } from './store.ts'

/** What a run's first event hashes onto. */
export const GENESIS = ''

/** Over the canonical event: its keys in the order in which `canonical` would write them. */
export function hashEvent(previous: string, event: Event): string {
  const { mode, reason, runId, scoutId, seq, sessionId, timestamp, turnId, type } = event
  const rest = JSON.stringify({ mode, reason, runId, scoutId, seq, sessionId, timestamp, turnId, type })
  return sha256(`${previous}{"data":${canonical(event.data)},${rest.slice(1)}`)
}

/** Where a run's chain stands; a run that goes on is opened at its last event. */
export interface ChainEnd {
  seq: number
  hash: string
}

export interface LogDeps {
  store: Pick<Store, 'append'>
  clock: Clock
  redact: Redact
  /** Aborted when the process is asked to end: what is under way then is left for `resume`. */
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

  constructor(deps: LogDeps, place: EventPlace, end?: ChainEnd) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#redact = deps.redact
    this.#suspended = deps.suspended
    this.#place = place
    this.#seq = end?.seq ?? 0
    this.#hash = end?.hash ?? GENESIS
  }

  get place(): EventPlace {
    return this.#place
  }

  /**
   * Puts a fact in line. It is on disk once `flush` resolves, and must be before anything is done because of it.
   * Throws RUN_INTERRUPTED once the process is asked to end: what cancelled calls came to would else be taken for
   * their results, and the run for one that was cancelled.
   */
  note<T extends EventType>(type: T, data: EventData[T], reason = ''): StoredEvent {
    if (this.#suspended?.aborted) throw interrupted(this.#place)
    const event = this.#build(type, data, reason, ++this.#seq) as Event
    this.#hash = hashEvent(this.#hash, event)
    const stored: StoredEvent = { ...event, hash: this.#hash }
    this.#unsaved.push(stored)
    return stored
  }

  /** A fact for those who watch, which the journal does not keep. */
  mention<T extends EventType>(type: T, data: EventData[T]): Event {
    return this.#build(type, data, '', this.#seq) as Event
  }

  /** As an event would hold it. */
  masked<T>(data: T): T {
    return this.#redact(data)
  }

  async flush(): Promise<void> {
    const batch = this.#unsaved
    if (batch.length === 0) return
    this.#unsaved = []
    try {
      await this.#store.append(batch)
    } catch (error) {
      this.#unsaved = [...batch, ...this.#unsaved]
      throw error
    }
  }

  #build<T extends EventType>(type: T, data: EventData[T], reason: string, seq: number): EventOf<T> {
    return {
      seq,
      type,
      ...this.#place,
      timestamp: this.#clock.now(),
      reason,
      // Those who watch get the same object that decisions are made from.
      data: frozenCopy(this.#redact(data)),
    }
  }
}

/** Of a run that the end of its process cut off. */
export function interrupted({ runId, mode }: EventPlace): WritError {
  const command = mode === 'workflow' ? 'workflow resume' : 'resume'
  return new WritError('RUN_INTERRUPTED', `run ${runId} was interrupted because this process was asked to end`, {
    hint: `Resume it with \`writ ${command} ${runId}\`; a server resumes its runs when it starts again.`,
  })
}
