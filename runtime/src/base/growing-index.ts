/**
 * Looks up by key in lists that only grow: what was added since the last look is entered. A search for every item would
 * make the thousandth call of a session a thousand searches.
 */
export function growingIndex<T>(keyOf: (item: T) => string): (list: readonly T[], key: string) => T | undefined {
  const indexes = new WeakMap<readonly T[], { length: number; latest: Map<string, T> }>()
  return (list, key) => {
    const known = indexes.get(list)
    const index =
      known !== undefined && known.length <= list.length ? known : { length: 0, latest: new Map<string, T>() }
    for (; index.length < list.length; index.length++) {
      const item = list[index.length] as T
      index.latest.set(keyOf(item), item)
    }
    indexes.set(list, index)
    return index.latest.get(key)
  }
}
