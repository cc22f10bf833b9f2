/**
 * Which checks against a JSON Schema take little time, whatever the value: then the check needs no time limit, which
 * costs a thread for every call.
 */
import { isObject } from '../base/json.ts'

/** The work of a plain schema is at most the product of both sizes; this many are a few milliseconds. */
const LITTLE_WORK = 20_000_000

/** These compare the value with something once, or mean nothing to the check. */
const SIMPLE = new Set(
  `type required enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems
  maxItems minProperties maxProperties title description default examples format nullable deprecated readOnly writeOnly
  $comment $schema`.split(/\s+/),
)
/** One schema, several, or several by name. Without `$ref` they form a tree, so each part of a value meets each once. */
const NESTED = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else'])
const LISTED = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const NAMED = new Set(['properties', 'dependentSchemas'])

/** The size of a plain schema. Undefined: `pattern`, `uniqueItems`, `$ref` or an unknown keyword makes it slow. */
export function plainSize(schema: unknown): number | undefined {
  return isPlain(schema) ? JSON.stringify(schema).length : undefined
}

function isPlain(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true
  if (!isObject(schema)) return false
  return Object.entries(schema).every(([keyword, value]) => {
    if (NESTED.has(keyword)) return isPlain(value)
    if (LISTED.has(keyword)) return Array.isArray(value) && value.every(isPlain)
    if (NAMED.has(keyword)) return isObject(value) && Object.values(value).every(isPlain)
    return SIMPLE.has(keyword)
  })
}

export function isLittleWork(schemaSize: number, value: unknown): boolean {
  return left(value, LITTLE_WORK / schemaSize) >= 0
}

/** What is left of `most` after the size of a value; stops counting below zero. */
function left(value: unknown, most: number): number {
  let rest = most - 1
  if (typeof value === 'string') return rest - value.length
  if (typeof value !== 'object' || value === null) return rest
  for (const key in value) {
    if (rest < 0) return rest
    rest = left((value as Record<string, unknown>)[key], rest - key.length)
  }
  return rest
}
