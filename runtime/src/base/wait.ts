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
 * A controller that also aborts with `signal`, until `leave`. For work that ends with a call: `AbortSignal.any` costs as
 * much as judging the call, and is needed only where signals outlive the work.
 */
export function following(signal: AbortSignal): { controller: AbortController; leave(): void } {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return { controller, leave: () => signal.removeEventListener('abort', follow) }
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
  const result = work((item) => {
    items.push(item)
    wake()
  }).finally(() => {
    done = true
    wake()
  })
  // Marked handled: it is awaited below, and an early rejection must not crash the process.
  result.catch(() => {})
  while (!done || items.length > 0) {
    const item = items.shift()
    if (item !== undefined) yield item
    else await new Promise<void>((resolve) => (wake = resolve))
  }
  return await result
}
