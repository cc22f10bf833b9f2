import { isObject } from '../base/json.ts'

// Everything after the decoder walks arguments recursively: the hash, the freeze, the schema check, the journal.
const DEEPEST = 100

/** What is wrong with a call's arguments as a value, or undefined when they may go on to the gate. */
export function faultOfArgs(args: unknown): string | undefined {
  return isObject(args) ? tooDeep(args) : `must be a JSON object, not ${kindOf(args)}`
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
