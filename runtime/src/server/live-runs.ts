/** The runs of this process: one at a time per session, independent of the clients that follow them. */
import { setTimeout as delay } from 'node:timers/promises'
import { CodedError } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Event, EventOf, StoredEvent } from '../protocol/event.ts'
import type { Log } from './log.ts'

/** Messages of one session that may wait. */
const MAX_WAITING = 8

export type Delta = EventOf<'model.delta'>

/** Text a model has written so far in an unfinished step. */
export interface Draft {
  runId: string
  /** Sequence number of the last event before it. */
  seq: number
  text: string
}

export interface Started {
  runId: string
  turnId: string
}

export interface Work<R> {
  sessionId: string
  /** Resolves with the first event of the run; rejects when `result` does. */
  started: Promise<Started>
  result: Promise<R>
}

/** Notifications for one client that follows a session. Unread text is merged. */
export interface Subscription {
  /** As of the start of the subscription. */
  drafts: Draft[]
  /** What came since the last call; empty after `ms` without news. */
  next(ms: number): Promise<{ stored: boolean; deltas: Delta[] }>
  wake(): void
  close(): void
}

interface LiveRun {
  sessionId: string
  runId?: string | undefined
  /** False while it waits for an earlier run of its session. */
  isStarted: boolean
  controller: AbortController
  draft?: Draft
}

interface Subscriber {
  stored: boolean
  deltas: Delta[]
  wake(): void
}

export interface LiveRunsDeps {
  log: Log
  /** A run ended or was parked. */
  onEnd?(runId: string): void
}

export class LiveRuns {
  readonly #deps: LiveRunsDeps
  readonly #runs = new Set<LiveRun>()
  /** Submitted here and unfinished, possibly running in another process. */
  readonly #reserved = new Set<{ sessionId: string; runId: string }>()
  readonly #queues = new Map<string, { waiting: number; last: Promise<unknown> }>()
  readonly #subscribers = new Map<string, Set<Subscriber>>()
  readonly #closing = new AbortController()
  #draining = false
  #onChange = () => {}

  constructor(deps: LiveRunsDeps) {
    this.#deps = deps
  }

  /** Aborted when streams must end. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Live and waiting runs. */
  get size(): number {
    return this.#all().length
  }

  #all(): { sessionId: string }[] {
    const reserved = new Set([...this.#reserved].map(({ runId }) => runId))
    return [...this.#reserved, ...[...this.#runs].filter(({ runId }) => runId === undefined || !reserved.has(runId))]
  }

  /** Throws when the session cannot take another message. */
  assertCapacity(sessionId: string): void {
    if (this.#draining) throw new WritError('DRAINING')
    if (this.#all().filter((each) => each.sessionId === sessionId).length <= MAX_WAITING) return
    throw new WritError('SESSION_BUSY.queue', { max: MAX_WAITING })
  }

  /** Counts the run as live until it is released by the returned function. */
  reserve(run: { sessionId: string; runId: string }): () => void {
    const own = { ...run }
    this.#reserved.add(own)
    return () => {
      this.#reserved.delete(own)
      this.#onChange()
    }
  }

  /** Starts a run that only this process can execute. */
  start<R>(sessionId: string, open: (signal: AbortSignal) => AsyncGenerator<Event, R>): Work<R> {
    this.assertCapacity(sessionId)
    return this.drive({ sessionId }, open)
  }

  /** Executes a run after the earlier runs of its session in this process. */
  drive<R>(
    { sessionId, runId }: { sessionId: string; runId?: string },
    open: (signal: AbortSignal) => AsyncGenerator<Event, R>,
  ): Work<R> {
    const queue = this.#queues.get(sessionId) ?? { waiting: 0, last: Promise.resolve() }
    const live: LiveRun = { sessionId, runId, controller: new AbortController(), isStarted: queue.waiting === 0 }
    const started = Promise.withResolvers<Started>()
    this.#runs.add(live)
    queue.waiting++
    const result = queue.last
      .then(() => this.#drive(live, open(live.controller.signal), started.resolve))
      .finally(() => {
        this.#runs.delete(live)
        queue.waiting--
        if (queue.waiting === 0) this.#queues.delete(sessionId)
        this.wake(sessionId)
        if (live.runId !== undefined) this.#deps.onEnd?.(live.runId)
        this.#onChange()
      })
    queue.last = result.catch(() => {})
    this.#queues.set(sessionId, queue)
    // Marked as handled: a failure without a waiting client must not crash the process. It is in the journal and the log.
    result.catch((error: unknown) => started.reject(error))
    started.promise.catch(() => {})
    return { sessionId, started: started.promise, result }
  }

  isLive(runId: string): boolean {
    return [...this.#runs].some((live) => live.runId === runId)
  }

  /** The live run of a session in this process. */
  runOf(sessionId: string): string | undefined {
    for (const live of this.#runs) if (live.sessionId === sessionId) return live.runId
    return undefined
  }

  liveSessions(): Set<string> {
    return new Set(this.#all().map(({ sessionId }) => sessionId))
  }

  /** Returns the ids of the aborted runs. */
  abort(which: { sessionId: string } | { runId: string }): string[] {
    const chosen = [...this.#runs].filter((live) =>
      'runId' in which ? live.runId === which.runId : live.sessionId === which.sessionId && live.isStarted,
    )
    for (const { controller } of chosen) controller.abort()
    return chosen.flatMap(({ runId }) => (runId === undefined ? [] : [runId]))
  }

  subscribe(sessionId: string): Subscription {
    let resolve = () => {}
    const subscriber: Subscriber = { stored: false, deltas: [], wake: () => resolve() }
    const subscribers = this.#subscribers.get(sessionId) ?? new Set()
    subscribers.add(subscriber)
    this.#subscribers.set(sessionId, subscribers)
    const drafts = [...this.#runs].flatMap(({ sessionId: own, draft }) =>
      own === sessionId && draft !== undefined && draft.text !== '' ? [{ ...draft }] : [],
    )
    return {
      drafts,
      async next(ms) {
        if (!subscriber.stored && subscriber.deltas.length === 0) {
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>((wake) => {
            resolve = wake
            timer = setTimeout(wake, ms)
          })
          clearTimeout(timer)
        }
        const { stored, deltas } = subscriber
        subscriber.stored = false
        subscriber.deltas = []
        return { stored, deltas }
      },
      wake: () => resolve(),
      close: () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0) this.#subscribers.delete(sessionId)
      },
    }
  }

  /** Makes the subscribers of the session read the journal again. */
  wake(sessionId: string): void {
    this.#notify(sessionId, (subscriber) => {
      subscriber.stored = true
    })
  }

  /** Called with every event stored here. */
  readonly stored = (events: readonly StoredEvent[]): void => {
    for (const [sessionId, own] of Map.groupBy(events, (event) => event.sessionId)) {
      const replied = own.filter(({ type }) => type === 'model.replied')
      this.#notify(sessionId, (subscriber) => {
        subscriber.stored = true
        // The text is in the journal now. Dropping it bounds memory use with slow readers.
        for (const { runId, seq } of replied) {
          subscriber.deltas = subscriber.deltas.filter((delta) => delta.runId !== runId || delta.seq >= seq)
        }
      })
    }
  }

  /** Accepts no new work and waits for live runs, at most `ms`. */
  async drain(ms: number): Promise<void> {
    this.#draining = true
    const late = new AbortController()
    const over = delay(ms, 'late', { signal: late.signal }).catch(() => 'late')
    while (this.#all().length > 0) {
      const changed = new Promise<void>((resolve) => (this.#onChange = resolve))
      if ((await Promise.race([changed, over])) === 'late') break
    }
    late.abort()
  }

  /** Aborts the remaining runs of this process. */
  async abortAll(): Promise<void> {
    for (const { controller } of this.#runs) controller.abort()
    await Promise.allSettled([...this.#queues.values()].map(({ last }) => last))
  }

  /** Ends the streams, and the requests that wait for a result. */
  closeStreams(): void {
    this.#closing.abort()
    for (const subscribers of this.#subscribers.values()) for (const subscriber of subscribers) subscriber.wake()
  }

  async #drive<R>(live: LiveRun, run: AsyncGenerator<Event, R>, onStart: (started: Started) => void): Promise<R> {
    let first = true
    try {
      for (;;) {
        const next = await run.next()
        if (next.done) return next.value
        const event = next.value
        if (first) {
          first = false
          live.runId = event.runId
          live.isStarted = true
          onStart({ runId: event.runId, turnId: event.turnId })
        }
        this.#forwardText(live, event)
      }
    } catch (error) {
      const { sessionId, runId } = live
      const isInterrupted = error instanceof CodedError && error.code === 'RUN_INTERRUPTED'
      if (isInterrupted) this.#deps.log('info', 'run.interrupted', { sessionId, runId })
      else this.#deps.log('error', 'run.failed', { sessionId, runId, error: String(error) })
      throw error
    }
  }

  #forwardText(live: LiveRun, event: Event): void {
    if (event.type === 'model.replied' && event.runId === live.runId) delete live.draft
    if (event.type !== 'model.delta') return
    const { runId, seq, data } = event
    if (data.restart) delete live.draft
    else live.draft = { runId, seq, text: (live.draft?.text ?? '') + data.text }
    this.#notify(event.sessionId, (subscriber) => {
      const last = subscriber.deltas.at(-1)
      if (data.restart) subscriber.deltas = [...subscriber.deltas.filter((delta) => delta.runId !== runId), event]
      else if (last?.runId === runId && last.seq === seq && !last.data.restart) {
        subscriber.deltas[subscriber.deltas.length - 1] = { ...last, data: { text: last.data.text + data.text } }
      } else subscriber.deltas.push(event)
    })
  }

  #notify(sessionId: string, change: (subscriber: Subscriber) => void): void {
    for (const subscriber of this.#subscribers.get(sessionId) ?? []) {
      change(subscriber)
      subscriber.wake()
    }
  }
}
