/**
 * The places scouts work in. At most five per session and a fixed number in the process; who comes when all are taken
 * waits in line. A free place goes to the owner with the fewest scouts at work, so that nobody's many keep another
 * waiting; among one owner's it is first come, first served, and only a full session is passed over.
 */

/** S4 §5(6): neither a request nor the configuration can raise it. */
export const MAX_PER_SESSION = 5
/** Over all sessions of the process; model providers and the database are shared by them. */
export const MAX_PER_PROCESS = 20

/** Gives the place back. A second call does nothing. */
export type Release = () => void

interface Waiting {
  sessionId: string
  owner: string
  limit: number
  enter(): void
}

export interface Wish {
  limit: number
  /** Whom the scout works for. */
  owner: string
  signal: AbortSignal
}

export interface Load {
  /** Of the session. */
  running: number
  waiting: number
  /** Places left in the process. */
  free: number
}

export class Slots {
  readonly #max: number
  readonly #running = new Map<string, number>()
  readonly #owned = new Map<string, number>()
  readonly #line: Waiting[] = []
  #taken = 0

  constructor(max: number = MAX_PER_PROCESS) {
    this.#max = max
  }

  load(sessionId: string): Load {
    return {
      running: this.#running.get(sessionId) ?? 0,
      waiting: this.#line.filter((waiting) => waiting.sessionId === sessionId).length,
      free: this.#max - this.#taken,
    }
  }

  /** Takes its place in line at once; resolves when there is one to work in. Rejects when called off before that. */
  acquire(sessionId: string, { limit, signal, owner }: Wish): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const leave = () => {
      this.#line.splice(this.#line.indexOf(entry), 1)
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
    this.#line.push(entry)
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
      this.#line.splice(this.#line.indexOf(next), 1)
      next.enter()
    }
  }

  #next(): Waiting | undefined {
    const ready = this.#line.filter(({ sessionId, limit }) => (this.#running.get(sessionId) ?? 0) < limit)
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
