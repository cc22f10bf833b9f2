/** Gets and sets values by key path in JSON documents. */
export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value)
}

/** A copy with one value set; `undefined` removes the key and any objects left empty. */
export function withValue(target: Json, path: string, value: unknown): Json {
  const [key = '', ...rest] = path.split('.')
  const copy = { ...target }
  if (rest.length === 0) copy[key] = value
  else copy[key] = withValue(isObject(target[key]) ? target[key] : {}, rest.join('.'), value)
  if (copy[key] === undefined || (isObject(copy[key]) && Object.keys(copy[key]).length === 0 && value === undefined)) {
    delete copy[key]
  }
  return copy
}

/** Equality of JSON values; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, sorted(child)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
