/** What comes too often is dropped before anyone looks at it: a server must not keep the gateway busy with messages. */
export function atMost(perSecond: number, now: () => number = Date.now): () => boolean {
  let begun = Number.NEGATIVE_INFINITY
  let count = 0
  return () => {
    if (now() - begun >= 1000) {
      begun = now()
      count = 0
    }
    return ++count <= perSecond
  }
}
