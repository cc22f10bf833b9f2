/** Work that somebody shall do: what it is, and how it reaches a worker. */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, WritError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Answer } from '../protocol/verdict.ts'

interface Addressed {
  /** Jobs of one session are done in the order they came, never two at once. */
  sessionId: string
}

export type Job = Addressed &
  (
    | {
        kind: 'turn'
        /** Who asks for it; the session has to be theirs. Absent in jobs of earlier versions. */
        principal?: Principal
        task: string
        /** Given when the job is made: whoever gets it a second time finds the run that was begun. */
        runId: string
        /** Of whoever asked for it; that of whoever does it when absent. */
        lang?: Lang
      }
    | { kind: 'resume'; runId: string; answer?: Answered }
    | { kind: 'workflow'; principal?: Principal; document: JsonObject; input: JsonObject; runId: string; lang?: Lang }
    | { kind: 'routine'; name: string }
  )

/** What somebody said to the question of one call. */
export interface Answered {
  callId: string
  answer: Answer
  by: string
  /** Where the question stands in its run: one that is asked anew takes an answer of its own. */
  asked?: number
}

/** Two jobs with the same name are one: a run is begun once, and a question has one answer. */
export function nameOf(job: Job): string | undefined {
  switch (job.kind) {
    case 'turn':
    case 'workflow':
      return job.runId
    case 'resume':
      return job.answer === undefined ? undefined : [job.runId, job.answer.callId, job.answer.asked].join('/')
    case 'routine':
      return undefined
    default:
      return job satisfies never
  }
}

/** Of a job that is over; what came of it is in the journal. */
export interface Fate {
  /** Why it was refused, or given up after the last try. */
  error?: Failed
}

export interface Failed {
  code: string
  message: string
  hint?: string
}

export interface Submitted {
  /** Undefined until it is over. */
  fate(): Promise<Fate | undefined>
}

/** Does a job. It may be given the same one again, after a worker died with it or threw. */
export type Perform = (job: Job) => Promise<void>

export interface WorkOptions {
  /** Jobs done at once. */
  atOnce: number
  /** A job's fate is known now. */
  onOver?(job: Job): void
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
  /** Resolves when the job is safe with whoever keeps it; with nothing when one of the same name is there already. */
  submit(job: Job): Promise<Submitted | undefined>
  work(perform: Perform, options: WorkOptions): Promise<Worker>
  close(): Promise<void>
}

/** Times a job is handed out before it is given up: one that kills its workers must not kill them all. */
export const MAX_TRIES = 5
export const RETRY_MS = 1000

/** Worth another try: what is wrong is the moment, not the job. */
export function mayPass(error: unknown): boolean {
  return (
    !(error instanceof WritError) || /^(STORE_|JOURNAL_|RUN_TAKEN$|RUN_INTERRUPTED$|SESSION_BUSY$)/.test(error.code)
  )
}

export function failedBy(error: unknown): Failed {
  if (!(error instanceof WritError)) return { code: 'INTERNAL', message: messageOf(error) }
  const { code, message, hint } = error
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}

export async function settled(running: Iterable<Promise<unknown>>, waitMs: number): Promise<void> {
  const over = new AbortController()
  const late = delay(waitMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([Promise.allSettled(running), late])
  over.abort()
}
