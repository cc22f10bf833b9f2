/** The old form `intentGuard.browser.*` (S0 §9), rewritten as `intentGuard.intents.browser_access`. */
import { isObject } from '../base/json.ts'
import { type Raw, valueAt, withValue } from './keys.ts'

const OLD = 'agent.execution.intentGuard.browser'
const INTENTS = 'agent.execution.intentGuard.intents'
const NEW = `${INTENTS}.browser_access`

export interface Migration {
  raw: Raw
  /** Old keys that were understood. */
  used: string[]
  /** Old keys whose new form is there too and wins. */
  overruled: string[]
  unknown: string[]
  /** Paths of old keys that are not true or false. */
  invalid: string[]
}

/** Each old key and what it means today. Undefined: nobody knows it. */
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
  // A malformed new form must be complained about, not papered over.
  if (![valueAt(raw, INTENTS), valueAt(raw, NEW)].every((value) => value === undefined || isObject(value)))
    return migration
  for (const [key, value] of Object.entries(old)) {
    const target = modern(key, value === true)
    if (target === undefined) migration.unknown.push(key)
    else if (typeof value !== 'boolean') migration.invalid.push(`${OLD}.${key}`)
    else if (valueAt(raw, `${NEW}.${target[0]}`) !== undefined) migration.overruled.push(key)
    else {
      migration.used.push(key)
      migration.raw = withValue(migration.raw, `${NEW}.${target[0]}`, target[1])
    }
  }
  return migration
}
