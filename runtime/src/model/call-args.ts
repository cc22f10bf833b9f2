import { deepFreeze, isObject } from '../base/json.ts'

// Everything after the decoder walks arguments recursively: the hash, the freeze, the schema check, the journal.
const DEEPEST = 100

/** What is wrong with a call's arguments as a value, or undefined when they may go on to the gate. */
export function faultOfArgs(args: unknown): string | undefined {
  return isObject(args) ? tooDeep(args) : `must be a JSON object, not ${kindOf(args)}`
}

/**
 * The arguments as plain data that is ours alone, or what is wrong with them. A model may keep what it returned and
 * change it while a person is asked, and what is read twice may be two things.
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
