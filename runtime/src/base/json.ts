export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }
export type JsonObject = { readonly [key: string]: Json | undefined }

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Removes the code fence that models often put around JSON. */
export function unfenced(reply: string): string {
  return reply.replace(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/, '$1')
}

/** Sorted keys, no white space: equal values give equal text. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`
  const record = value as Record<string, unknown>
  let out = ''
  for (const key of Object.keys(record).sort()) {
    const item = record[key]
    if (item === undefined) continue
    out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${canonical(item)}`
  }
  return `{${out}}`
}

/** A deeply frozen copy; parts that are already frozen are shared. The original stays mutable. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const copy: unknown = Array.isArray(value)
    ? value.map((item) => frozenCopy(item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)]))
  return Object.freeze(copy) as T
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) deepFreeze(item)
  }
  return value
}
