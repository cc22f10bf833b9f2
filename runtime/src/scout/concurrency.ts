/**
 * Slots for running scouts: at most five per session and a fixed number per process; others wait in a queue. A free slot
 * goes to the owner with the fewest running scouts, so that one owner cannot block another. Within an owner the order is
 * first come, first served; sessions at their limit are skipped.
 */

/** S4 §5(6): no request and no configuration can raise it. */
export const MAX_PER_SESSION = 5
/** Over all sessions of the process, which share model providers and the database. */
export const MAX_PER_PROCESS = 20

/** Releases the slot. A second call does nothing. */
export type Release = () => void

interface Waiting {
  sessionId: string
  owner: string
  limit: number
  enter(): void
}

export interface SlotRequest {
  limit: number
  /** The principal the scout works for. */
  owner: string
  signal: AbortSignal
}

export interface Load {
  /** In the session. */
  running: number
  waiting: number
  /** Slots left in the process. */
  free: number
}

export class Slots {
  readonly #max: number
  readonly #running = new Map<string, number>()
  readonly #owned = new Map<string, number>()
  readonly #queue: Waiting[] = []
  #taken = 0

  constructor(max: number = MAX_PER_PROCESS) {
    this.#max = max
  }

  load(sessionId: string): Load {
    return {
      running: this.#running.get(sessionId) ?? 0,
      waiting: this.#queue.filter((waiting) => waiting.sessionId === sessionId).length,
      free: this.#max - this.#taken,
    }
  }

  /** Joins the queue immediately; resolves when there is a free slot. Rejects when aborted before that. */
  acquire(sessionId: string, { limit, signal, owner }: SlotRequest): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const leave = () => {
      this.#queue.splice(this.#queue.indexOf(entry), 1)
      reject(signal.reason)
    }
    const entry: Waiting = {
      sessionId,
      owner,
      limit: Math.min(limit, MAX_PER_SESSION),
      enter: () => {
        signal.removeEventListener('abort', leave)
        resolve(this.#take(sessionId, owner))
      },
    }
    if (signal.aborted) return Promise.reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    this.#queue.push(entry)
    this.#admit()
    return promise
  }

  #take(sessionId: string, owner: string): Release {
    this.#taken++
    add(this.#running, sessionId, 1)
    add(this.#owned, owner, 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#taken--
      add(this.#running, sessionId, -1)
      add(this.#owned, owner, -1)
      this.#admit()
    }
  }

  #admit(): void {
    while (this.#taken < this.#max) {
      const next = this.#next()
      if (next === undefined) return
      this.#queue.splice(this.#queue.indexOf(next), 1)
      next.enter()
    }
  }

  #next(): Waiting | undefined {
    const ready = this.#queue.filter(({ sessionId, limit }) => (this.#running.get(sessionId) ?? 0) < limit)
    const held = ({ owner }: Waiting) => this.#owned.get(owner) ?? 0
    return ready.reduce<Waiting | undefined>(
      (best, each) => (best === undefined || held(each) < held(best) ? each : best),
      undefined,
    )
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

/** One for all agents of a process. */
export const processSlots = new Slots()
