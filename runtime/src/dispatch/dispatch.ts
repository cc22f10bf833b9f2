/** Jobs: what they are, and how they reach a worker. */
import { setTimeout as delay } from 'node:timers/promises'
import { CodedError, messageOf } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { CATALOGUE, type ErrorKey } from '../errors/catalogue.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Media } from '../protocol/media.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Reply } from '../protocol/verdict.ts'

interface Addressed {
  /** Jobs of one session run in the order they were submitted, never two concurrently. */
  sessionId: string
}

export type Job = Addressed &
  (
    | {
        kind: 'turn'
        /** Who asks for it; the session must belong to this principal. Absent in jobs of earlier versions. */
        principal?: Principal
        task: string
        /** Chosen when the job is created: a worker that gets the job again finds the run that was started. */
        runId: string
        /** The language of the request; the worker's language when absent. */
        lang?: Lang
        /** JSON Schema that the answer must match. */
        outputSchema?: JsonObject
        /** Their bytes are in files of the run. */
        attachments?: Media[]
      }
    | { kind: 'resume'; runId: string; answer?: ApprovalAnswer }
    | { kind: 'workflow'; principal?: Principal; document: JsonObject; input: JsonObject; runId: string; lang?: Lang }
    | { kind: 'routine'; name: string }
  )

/** A person's answer to the question of one call. */
export interface ApprovalAnswer extends Reply {
  callId: string
  by: string
  /** The event number of the question: a question that is asked again needs an answer of its own. */
  asked?: number
}

/** Jobs with the same name are one job: a run starts once, and a question has one answer. */
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

/** Of a job that is over; its results are in the journal. */
export interface Fate {
  /** Why it was rejected, or given up after the last attempt. */
  error?: Failed
}

/** An error as it is stored with a job: in English, and as data for readers of another language. */
export interface Failed {
  code: string
  message: string
  hint?: string
  /** Of the error catalogue. Absent in jobs of earlier versions and for errors of other programs. */
  key?: string
  values?: unknown
}

export interface Submitted {
  /** Undefined until the job is over. */
  fate(): Promise<Fate | undefined>
}

/** Performs a job. It may get the same job again after a worker died with it or threw. */
export type Perform = (job: Job) => Promise<void>

export interface WorkOptions {
  /** Max concurrent jobs. */
  atOnce: number
  /** A job is over. */
  onOver?(job: Job): void
  /** A job failed for the last time. */
  onGivenUp?(job: Job, error: unknown): void
}

export interface Worker {
  /**
   * Takes no more jobs and waits up to `waitMs` for running ones. Jobs that still run then are not cancelled: other
   * workers resume them when the process has ended.
   */
  stop(waitMs: number): Promise<void>
}

export interface Dispatcher {
  /** Resolves when the job is stored; with undefined when a job of the same name is there already. */
  submit(job: Job): Promise<Submitted | undefined>
  work(perform: Perform, options: WorkOptions): Promise<Worker>
  close(): Promise<void>
}

/** Attempts before a job is given up: a job that crashes its worker must not crash all of them. */
const MAX_TRIES = 5
export const RETRY_MS = 1000

/** The same job may succeed later. Unexpected errors count as such. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof WritError) return error.traits.retryable === true
  return !(error instanceof CodedError)
}

/** What to do with a job whose attempt number `tries` failed. */
export function afterFailure(error: unknown, tries: number): 'retry' | 'reject' | 'give up' {
  if (!isRetryable(error)) return 'reject'
  return tries < MAX_TRIES ? 'retry' : 'give up'
}

export function failedBy(error: unknown): Failed {
  if (!(error instanceof CodedError)) return { code: 'INTERNAL', message: messageOf(error) }
  const { code, message, hint } = error
  const { key, values } = error instanceof WritError ? error : {}
  return { code, message, ...present({ hint, key, values }) }
}

/** The error of a stored job, so that its reader gets it in their own language. */
export function errorFrom({ code, message, hint, key, values }: Failed): Error {
  if (code === 'INTERNAL') return new Error(message)
  try {
    if (key !== undefined && Object.hasOwn(CATALOGUE, key)) return new WritError(key as ErrorKey, values as never)
  } catch {
    // A worker of another version stored other values for this key.
  }
  return new CodedError(code, message, present({ hint }))
}

/** Waits until all have ended, up to `waitMs`. */
export async function settled(running: Iterable<Promise<unknown>>, waitMs: number): Promise<void> {
  const over = new AbortController()
  const late = delay(waitMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([Promise.allSettled(running), late])
  over.abort()
}
