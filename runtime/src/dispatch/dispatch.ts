/** Work that somebody shall do: what it is, and how it reaches a worker. */
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../base/json.ts'

interface Addressed {
  /** Jobs of one session are done in the order they came, never two at once. */
  sessionId: string
}

export type Job = Addressed &
  (
    | {
        kind: 'turn'
        task: string
        /** Given when the job is made: whoever gets it a second time finds the run that was begun. */
        runId: string
      }
    | { kind: 'resume'; runId: string }
    | { kind: 'workflow'; document: JsonObject; input: JsonObject; runId: string }
    | { kind: 'routine'; name: string }
  )

/** Does a job. It may be given the same one again, after a worker died with it or threw. */
export type Perform = (job: Job) => Promise<void>

export interface WorkOptions {
  /** Jobs done at once. */
  atOnce: number
  /** A job that failed for the last time, and why. */
  onGivenUp?(job: Job, error: unknown): void
}

export interface Worker {
  /**
   * Takes no more jobs and waits for those under way, at most so long. What is left then is not cancelled: when the
   * process has ended, others go on with it.
   */
  stop(waitMs: number): Promise<void>
}

export interface Dispatcher {
  /** Resolves when the job is safe with whoever keeps it. */
  submit(job: Job): Promise<void>
  work(perform: Perform, options: WorkOptions): Promise<Worker>
  close(): Promise<void>
}

/** Times a job is handed out before it is given up: one that kills its workers must not kill them all. */
export const MAX_TRIES = 5
export const RETRY_MS = 1000

export async function settled(running: Iterable<Promise<unknown>>, waitMs: number): Promise<void> {
  const over = new AbortController()
  const late = delay(waitMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([Promise.allSettled(running), late])
  over.abort()
}
