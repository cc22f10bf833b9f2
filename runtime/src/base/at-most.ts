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

/** As above, counted for each of several servers. */
export function atMostEach(perSecond: number): (server: string) => boolean {
  const each = new Map<string, () => boolean>()
  return (server) => {
    const may = each.get(server) ?? atMost(perSecond)
    each.set(server, may)
    return may()
  }
}
