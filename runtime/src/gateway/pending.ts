/**
 * A request of a client that may need an answer from it before it is done. In the newer protocol the answer comes with
 * another request; in the older one the server library asks, and calls the handler again: here both look the same.
 */
import type { InputRequest } from '@modelcontextprotocol/server'

/** `undefined`: the client did not answer. */
type Answer = unknown

export type Step<R> = { request: InputRequest } | { result: R }

export interface Pending<R> {
  next(): Promise<Step<R>>
  answer(answer: Answer): void
  /** The client no longer waits for the result. */
  abandon(): void
}

interface Asked {
  request: InputRequest
  answer(answer: Answer): void
}

export interface PendingWork {
  ask(request: InputRequest): Promise<Answer>
  signal: AbortSignal
}

export function openPending<R>(work: (at: PendingWork) => Promise<R>): Pending<R> {
  const controller = new AbortController()
  const waiting: Asked[] = []
  let asked: Asked | undefined
  let wake = () => {}
  function ask(request: InputRequest): Promise<Answer> {
    if (controller.signal.aborted) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    waiting.push({ request, answer: resolve })
    wake()
    return promise
  }
  const done = work({ ask, signal: controller.signal }).then((result) => ({ result }))
  // Marked handled: when it fails while the client is being asked, the next step reports it.
  done.catch(() => {})
  return {
    async next() {
      for (;;) {
        asked ??= waiting.shift()
        if (asked !== undefined) return { request: asked.request }
        const more = new Promise<void>((resolve) => (wake = resolve))
        const step = await Promise.race([done, more])
        if (step !== undefined) return step
      }
    },
    answer(answer) {
      asked?.answer(answer)
      asked = undefined
    },
    abandon() {
      controller.abort(new Error('the client gave up'))
      for (const each of [asked, ...waiting.splice(0)]) each?.answer(undefined)
      asked = undefined
    },
  }
}
