/** A function whose result for the same object is computed once. */
export function onceFor<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  return (key) => {
    let one = known.get(key)
    if (one === undefined) {
      one = { value: compute(key) }
      known.set(key, one)
    }
    return one.value
  }
}
