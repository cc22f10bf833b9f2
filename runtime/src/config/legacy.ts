/** The old form `intentGuard.browser.*` (S0 §9), rewritten as `intentGuard.intents.browser_access`. */
import { isObject } from '../base/json.ts'
import { type Raw, valueAt, withValue } from './keys.ts'

const OLD = 'agent.execution.intentGuard.browser'
const INTENTS = 'agent.execution.intentGuard.intents'
const NEW = `${INTENTS}.browser_access`

/** The path of a key of the old form. */
export function oldKey(key: string): string {
  return `${OLD}.${key}`
}

/** The configuration with these old keys restored. */
export function withOldKeys(raw: Raw, keys: readonly string[], before: Raw): Raw {
  const old = valueAt(before, OLD)
  if (keys.length === 0 || !isObject(old)) return raw
  return withValue(raw, OLD, Object.fromEntries(keys.map((key) => [key, old[key]])))
}

export interface Migration {
  raw: Raw
  /** Old keys that were converted. */
  used: string[]
  /** Old keys overridden by their new form. */
  overruled: string[]
  unknown: string[]
  /** Paths of old keys that are not true or false. */
  invalid: string[]
}

/** Converts each old key. Undefined: unknown. */
function modern(key: string, value: boolean): [string, unknown] | undefined {
  switch (key) {
    case 'noFallback':
    case 'failTaskIfUnmet':
      return [key, value]
    case 'networkAdjacentOnly':
      return ['softAllowedFamilies', value ? ['network'] : []]
    default:
      return undefined
  }
}

export function migrateLegacy(raw: Raw): Migration {
  const migration: Migration = { raw, used: [], overruled: [], unknown: [], invalid: [] }
  const old = valueAt(raw, OLD)
  if (old === undefined) return migration
  if (!isObject(old)) return { ...migration, invalid: [OLD] }

  const { browser: _, ...guard } = valueAt(raw, 'agent.execution.intentGuard') as Raw
  migration.raw = withValue(raw, 'agent.execution.intentGuard', guard)
  // A malformed new form must be reported, not replaced.
  if (![valueAt(raw, INTENTS), valueAt(raw, NEW)].every((value) => value === undefined || isObject(value)))
    return migration
  for (const [key, value] of Object.entries(old)) {
    const target = modern(key, value === true)
    if (target === undefined) migration.unknown.push(key)
    else if (typeof value !== 'boolean') migration.invalid.push(oldKey(key))
    else if (valueAt(raw, `${NEW}.${target[0]}`) !== undefined) migration.overruled.push(key)
    else {
      migration.used.push(key)
      migration.raw = withValue(migration.raw, `${NEW}.${target[0]}`, target[1])
    }
  }
  return migration
}
