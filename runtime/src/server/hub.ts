/** The runs of this process: one after the other in a session, each on its own, whoever watches or leaves. */
import { setTimeout as delay } from 'node:timers/promises'
import { WritError } from '../base/errors.ts'
import type { Event, EventOf, StoredEvent } from '../protocol/event.ts'
import { Refusal } from './failure.ts'
import type { Log } from './log.ts'

/** Messages of one session that may wait for their turn. */
const MAX_WAITING = 8

export type Delta = EventOf<'model.delta'>

/** Text a model has written in a step that is not over. */
export interface Draft {
  runId: string
  /** Of the last event before it. */
  seq: number
  text: string
}

export interface Started {
  runId: string
  turnId: string
}

export interface Work<R> {
  sessionId: string
  /** When its turn has come and its first event is known. Rejected with the result. */
  started: Promise<Started>
  result: Promise<R>
}

/** What a follower is woken by; text that it has not fetched yet is kept together. */
export interface Listening {
  /** As of the moment the listening began. */
  drafts: Draft[]
  /** What came since the last time; at the latest after `ms`, with nothing. */
  next(ms: number): Promise<{ stored: boolean; deltas: Delta[] }>
  wake(): void
  close(): void
}

interface Live {
  sessionId: string
  runId?: string
  /** Its turn has come, or it had begun before. */
  begun: boolean
  controller: AbortController
  draft?: Draft
}

interface Ear {
  stored: boolean
  deltas: Delta[]
  wake(): void
}

export interface HubDeps {
  log: Log
  /** A run was driven to its end, or to an open question. */
  onEnd?(runId: string): void
}

export class Hub {
  readonly #deps: HubDeps
  readonly #lives = new Set<Live>()
  /** Asked for here and not over yet, whoever does them. */
  readonly #awaited = new Set<{ sessionId: string; runId: string }>()
  readonly #lines = new Map<string, { waiting: number; last: Promise<unknown> }>()
  readonly #ears = new Map<string, Set<Ear>>()
  readonly #closing = new AbortController()
  #draining = false
  #roused = () => {}

  constructor(deps: HubDeps) {
    this.#deps = deps
  }

  /** Aborted when followers must leave. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Runs under way or waiting for their turn. */
  get size(): number {
    return this.#all().length
  }

  #all(): { sessionId: string }[] {
    const awaited = new Set([...this.#awaited].map(({ runId }) => runId))
    return [...this.#awaited, ...[...this.#lives].filter(({ runId }) => runId === undefined || !awaited.has(runId))]
  }

  /** Throws when nothing more can be asked for in this session. */
  demandRoom(sessionId: string): void {
    if (this.#draining) throw new Refusal(503, 'DRAINING', { message: (t) => t.draining, hint: (t) => t.drainingHint })
    if (this.#all().filter((each) => each.sessionId === sessionId).length <= MAX_WAITING) return
    throw new Refusal(409, 'SESSION_BUSY', {
      message: (t) => t.sessionBusy({ max: MAX_WAITING }),
      hint: (t) => t.sessionBusyHint,
    })
  }

  /** Counts as asked for until it is let go. */
  expect(asked: { sessionId: string; runId: string }): () => void {
    const own = { ...asked }
    this.#awaited.add(own)
    return () => {
      this.#awaited.delete(own)
      this.#roused()
    }
  }

  /** Drives a run that belongs to this process alone. */
  start<R>(sessionId: string, open: (signal: AbortSignal) => AsyncGenerator<Event, R>): Work<R> {
    this.demandRoom(sessionId)
    return this.drive({ sessionId }, open)
  }

  /** Drives a run to its end, after those of its session that came before in this process. */
  drive<R>(
    { sessionId, runId }: { sessionId: string; runId?: string },
    open: (signal: AbortSignal) => AsyncGenerator<Event, R>,
  ): Work<R> {
    const line = this.#lines.get(sessionId) ?? { waiting: 0, last: Promise.resolve() }
    const own = runId === undefined ? {} : { runId }
    const live: Live = { sessionId, controller: new AbortController(), begun: line.waiting === 0, ...own }
    const begun = Promise.withResolvers<Started>()
    this.#lives.add(live)
    line.waiting++
    const result = line.last
      .then(() => this.#drive(live, open(live.controller.signal), begun.resolve))
      .finally(() => {
        this.#lives.delete(live)
        line.waiting--
        if (line.waiting === 0) this.#lines.delete(sessionId)
        this.rouse(sessionId)
        if (live.runId !== undefined) this.#deps.onEnd?.(live.runId)
        this.#roused()
      })
    line.last = result.catch(() => {})
    this.#lines.set(sessionId, line)
    // Nobody may be there to hear of it; the journal and the log know.
    result.catch((error: unknown) => begun.reject(error))
    begun.promise.catch(() => {})
    return { sessionId, started: begun.promise, result }
  }

  isLive(runId: string): boolean {
    return [...this.#lives].some((live) => live.runId === runId)
  }

  /** The run of a session that is under way here. */
  runOf(sessionId: string): string | undefined {
    for (const live of this.#lives) if (live.sessionId === sessionId) return live.runId
    return undefined
  }

  liveSessions(): Set<string> {
    return new Set(this.#all().map(({ sessionId }) => sessionId))
  }

  /** Ids of the runs that were told to stop. */
  abort(which: { sessionId: string } | { runId: string }): string[] {
    const chosen = [...this.#lives].filter((live) =>
      'runId' in which ? live.runId === which.runId : live.sessionId === which.sessionId && live.begun,
    )
    for (const { controller } of chosen) controller.abort()
    return chosen.flatMap(({ runId }) => (runId === undefined ? [] : [runId]))
  }

  listen(sessionId: string): Listening {
    let resolve = () => {}
    const ear: Ear = { stored: false, deltas: [], wake: () => resolve() }
    const ears = this.#ears.get(sessionId) ?? new Set()
    ears.add(ear)
    this.#ears.set(sessionId, ears)
    const drafts = [...this.#lives].flatMap(({ sessionId: own, draft }) =>
      own === sessionId && draft !== undefined && draft.text !== '' ? [{ ...draft }] : [],
    )
    return {
      drafts,
      async next(ms) {
        if (!ear.stored && ear.deltas.length === 0) {
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>((wake) => {
            resolve = wake
            timer = setTimeout(wake, ms)
          })
          clearTimeout(timer)
        }
        const { stored, deltas } = ear
        ear.stored = false
        ear.deltas = []
        return { stored, deltas }
      },
      wake: () => resolve(),
      close: () => {
        ears.delete(ear)
        if (ears.size === 0) this.#ears.delete(sessionId)
      },
    }
  }

  /** Those who follow the session look again. */
  rouse(sessionId: string): void {
    this.#tell(sessionId, (ear) => {
      ear.stored = true
    })
  }

  /** To be told by every store whose runs are followed here. */
  readonly stored = (events: readonly StoredEvent[]): void => {
    for (const [sessionId, own] of Map.groupBy(events, (event) => event.sessionId)) {
      const replied = own.filter(({ type }) => type === 'model.replied')
      this.#tell(sessionId, (ear) => {
        ear.stored = true
        // Their text is in the journal now; a reader who never comes for it must not fill the memory.
        for (const { runId, seq } of replied) {
          ear.deltas = ear.deltas.filter((delta) => delta.runId !== runId || delta.seq >= seq)
        }
      })
    }
  }

  /** Takes no new work, and waits for what there is, at most so long. */
  async drain(ms: number): Promise<void> {
    this.#draining = true
    const late = new AbortController()
    const over = delay(ms, 'late', { signal: late.signal }).catch(() => 'late')
    while (this.#all().length > 0) {
      const roused = new Promise<void>((resolve) => (this.#roused = resolve))
      if ((await Promise.race([roused, over])) === 'late') break
    }
    late.abort()
  }

  /** Ends what still runs here. */
  async cut(): Promise<void> {
    for (const { controller } of this.#lives) controller.abort()
    await Promise.allSettled([...this.#lines.values()].map(({ last }) => last))
  }

  /** Sends away those who follow, and those who wait. */
  dismiss(): void {
    this.#closing.abort()
    for (const ears of this.#ears.values()) for (const ear of ears) ear.wake()
  }

  async #drive<R>(live: Live, run: AsyncGenerator<Event, R>, begun: (started: Started) => void): Promise<R> {
    let first = true
    try {
      for (;;) {
        const next = await run.next()
        if (next.done) return next.value
        const event = next.value
        if (first) {
          first = false
          live.runId = event.runId
          live.begun = true
          begun({ runId: event.runId, turnId: event.turnId })
        }
        this.#heard(live, event)
      }
    } catch (error) {
      const { sessionId, runId } = live
      const isLeft = error instanceof WritError && error.code === 'RUN_INTERRUPTED'
      if (isLeft) this.#deps.log('info', 'run.interrupted', { sessionId, runId })
      else this.#deps.log('error', 'run.failed', { sessionId, runId, error: String(error) })
      throw error
    }
  }

  #heard(live: Live, event: Event): void {
    if (event.type === 'model.replied' && event.runId === live.runId) delete live.draft
    if (event.type !== 'model.delta') return
    const { runId, seq, data } = event
    if (data.restart) delete live.draft
    else live.draft = { runId, seq, text: (live.draft?.text ?? '') + data.text }
    this.#tell(event.sessionId, (ear) => {
      const last = ear.deltas.at(-1)
      if (data.restart) ear.deltas = [...ear.deltas.filter((delta) => delta.runId !== runId), event]
      else if (last?.runId === runId && last.seq === seq && !last.data.restart) {
        ear.deltas[ear.deltas.length - 1] = { ...last, data: { text: last.data.text + data.text } }
      } else ear.deltas.push(event)
    })
  }

  #tell(sessionId: string, change: (ear: Ear) => void): void {
    for (const ear of this.#ears.get(sessionId) ?? []) {
      change(ear)
      ear.wake()
    }
  }
}
