/** Rejects with the reason of the signal when it aborts first: the awaited work may never settle. */
export async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  // Marked handled: a rejection after the abort must not crash the process.
  answer.catch(() => {})
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * A controller that also aborts with the signals, until `leave`. For work with an end: `AbortSignal.any` costs as much as
 * judging a call, and so does each look at its result; it is needed only where signals outlive the work.
 */
export function following(...signals: readonly (AbortSignal | undefined)[]): {
  controller: AbortController
  leave(): void
} {
  const controller = new AbortController()
  const follow = ({ target }: Pick<globalThis.Event, 'target'>) => controller.abort((target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal?.aborted) follow({ target: signal })
    else signal?.addEventListener('abort', follow, { once: true })
  }
  return {
    controller,
    leave() {
      for (const signal of signals) signal?.removeEventListener('abort', follow)
    },
  }
}

/** Runs a generator to its end and returns its result. */
export async function drain<T>(generator: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const next = await generator.next()
    if (next.done) return next.value
  }
}

/** Yields the items the work emits while it runs, then returns its result. */
export async function* whileEmitting<E, T>(work: (emit: (item: E) => void) => Promise<T>): AsyncGenerator<E, T> {
  const items: E[] = []
  let wake = () => {}
  let done = false
  const end = () => {
    done = true
    wake()
  }
  const result = work((item) => {
    items.push(item)
    wake()
  })
  // Also marks it handled: it is awaited below, and an early rejection must not crash the process.
  result.then(end, end)
  while (!done || items.length > 0) {
    const item = items.shift()
    if (item !== undefined) yield item
    else await new Promise<void>((resolve) => (wake = resolve))
  }
  return await result
}
