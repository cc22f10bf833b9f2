/**
 * The places scouts work in. At most five per session and a fixed number in the process; who comes when all are taken
 * waits in line. First come, first served: only somebody whose own session is full is passed over.
 */

/** S4 §5(6): neither a request nor the configuration can raise it. */
export const MAX_PER_SESSION = 5
/** Over all sessions of the process; model providers and the database are shared by them. */
export const MAX_PER_PROCESS = 20

/** Gives the place back. A second call does nothing. */
export type Release = () => void

interface Waiting {
  sessionId: string
  limit: number
  enter(): void
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
  acquire(sessionId: string, { limit, signal }: { limit: number; signal: AbortSignal }): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const leave = () => {
      this.#line.splice(this.#line.indexOf(entry), 1)
      reject(signal.reason)
    }
    const entry: Waiting = {
      sessionId,
      limit: Math.min(limit, MAX_PER_SESSION),
      enter: () => {
        signal.removeEventListener('abort', leave)
        resolve(this.#take(sessionId))
      },
    }
    if (signal.aborted) return Promise.reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    this.#line.push(entry)
    this.#admit()
    return promise
  }

  #take(sessionId: string): Release {
    this.#taken++
    this.#running.set(sessionId, (this.#running.get(sessionId) ?? 0) + 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#taken--
      const left = (this.#running.get(sessionId) ?? 0) - 1
      if (left > 0) this.#running.set(sessionId, left)
      else this.#running.delete(sessionId)
      this.#admit()
    }
  }

  #admit(): void {
    for (let i = 0; i < this.#line.length && this.#taken < this.#max; ) {
      const next = this.#line[i]
      if (next === undefined) return
      if ((this.#running.get(next.sessionId) ?? 0) >= next.limit) {
        i++
        continue
      }
      this.#line.splice(i, 1)
      next.enter()
    }
  }
}

/** One for all agents of a process. */
export const processSlots = new Slots()
