/** Gives up when the signal does, with its reason: whoever is being waited for may never answer. */
export async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  // Left behind, it may still fail; that must not end the process.
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

/** Runs a generator to its end for the sake of what it returns. */
export async function drain<T>(generator: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const next = await generator.next()
    if (next.done) return next.value
  }
}

/** Yields what the work emits while it goes on, then returns what it comes to. */
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
  // It is awaited below; until then its failure is nobody's, and that must not end the process.
  result.catch(() => {})
  while (!done || items.length > 0) {
    const item = items.shift()
    if (item !== undefined) yield item
    else await new Promise<void>((resolve) => (wake = resolve))
  }
  return await result
}
