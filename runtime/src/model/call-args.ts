import { deepFreeze, isObject } from '../base/json.ts'

// Later code walks arguments recursively: hashing, freezing, schema checks, the journal.
const DEEPEST = 100

/** Why the arguments of a call are invalid, or undefined when they can go to the gate. */
export function faultOfArgs(args: unknown): string | undefined {
  return isObject(args) ? tooDeep(args) : `must be a JSON object, not ${kindOf(args)}`
}

/**
 * A private copy of the arguments as plain data, or why they are invalid. An in-process model could change its object
 * while a person is asked, and getters may return another value at every read.
 */
export function ownArgs(args: unknown): { args: unknown } | { fault: string } {
  const deep = tooDeep(args)
  if (deep !== undefined) return { fault: deep }
  try {
    const copy: unknown = args === undefined ? undefined : JSON.parse(JSON.stringify(args))
    const fault = faultOfArgs(copy)
    return fault === undefined ? { args: deepFreeze(copy) } : { fault }
  } catch {
    return { fault: 'are not JSON' }
  }
}

export function tooDeep(args: unknown): string | undefined {
  let level: unknown[] = [args]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return `are nested deeper than ${DEEPEST} levels`
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return undefined
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'missing'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
