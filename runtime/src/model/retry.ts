/** The only caller of models: every attempt is paid for, and failed ones are retried here and nowhere else. */
import { setTimeout as delay } from 'node:timers/promises'
import { why } from '../i18n/why.ts'
import { type Meter, mayBeBilled } from './meter.ts'
import { type Completion, type Model, ModelError, type ModelRequest } from './model.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** `restart`: the text so far came from a failed attempt and must be discarded. */
export type ModelDelta = { text: string } | { restart: true }

export interface RetryOptions {
  signal: AbortSignal
  /** Pays for every attempt. */
  meter: Meter
  maxAttempts?: number
  /** Called for every failed attempt; `retryInMs` is absent when there is no retry. */
  onFailed?(attempt: number, error: ModelError, retryInMs: number | undefined): void
  /** Another request to send immediately, when this one can never succeed. */
  instead?(error: ModelError): ModelRequest | undefined
  sleep?(ms: number, signal: AbortSignal): Promise<void>
  /** Jitter, from 0 to 1. */
  random?(): number
}

/**
 * Yields text as it arrives and returns the first complete answer; throws the last ModelError, or the abort's reason.
 */
export async function* askWithRetry(
  model: Model,
  first: ModelRequest,
  options: RetryOptions,
): AsyncGenerator<ModelDelta, Completion> {
  const { signal, maxAttempts = 3, sleep = sleepFor, random = Math.random } = options
  let request = first
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    let spoke = false
    const charge = await options.meter.reserve(request)
    try {
      const answer = model.ask(request, signal)
      let isOver = false
      try {
        for (let next = await answer.next(); ; next = await answer.next()) {
          if (next.done) {
            isOver = true
            await charge.settle(next.value.usage)
            return next.value
          }
          spoke = true
          yield { text: next.value }
        }
      } finally {
        if (!isOver) await leave(answer)
      }
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof ModelError)) throw thrown
      // Otherwise the reservation stays: what an answer that broke off cost is unknown.
      if (!mayBeBilled(thrown)) await charge.release()
      const other = options.instead?.(thrown)
      if (other !== undefined) {
        options.onFailed?.(attempt, thrown, 0)
        request = other
        continue
      }
      const error = attempt < maxAttempts ? withinPatience(thrown) : thrown
      const again = error.retryable && attempt < maxAttempts
      const wait = again ? (error.retryAfterMs ?? backoffMs(attempt, random())) : undefined
      options.onFailed?.(attempt, error, wait)
      if (wait === undefined) throw error
      await sleep(wait, signal)
      if (spoke) yield { restart: true }
    }
  }
}

/** An abandoned answer would keep its connection. Errors while closing it do not matter. */
export async function leave(answer: AsyncGenerator<unknown, unknown>): Promise<void> {
  await answer.return(undefined).catch(() => {})
}

function withinPatience(error: ModelError): ModelError {
  const wait = error.retryAfterMs
  if (!error.retryable || wait === undefined || wait <= LONGEST_WAIT_MS) return error
  const seconds = Math.ceil(wait / 1000)
  return new ModelError(why('waitTooLong', { why: error.why, seconds, most: LONGEST_WAIT_MS / 1000 }), {
    status: error.status,
    retryable: false,
    retryAfterMs: wait,
    cause: error,
  })
}

function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return Math.round(full * (0.5 + chance / 2))
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The only temporary client errors: timeout, conflict, too many requests. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** A Retry-After header: seconds or an HTTP date; undefined when it is neither. */
export function retryAfterMs(header: string, now: number): number | undefined {
  const text = header.trim()
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
