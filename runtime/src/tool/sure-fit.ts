/**
 * Checks values against simple JSON Schemas, which those of most tools are. Only says that a value fits: for everything
 * else there is the compiled check, and compiling it takes longer than the rest of a first call.
 */
import { isObject } from '../base/json.ts'

type Schema = Record<string, unknown>

interface Keyword {
  /** Whether its own value is valid and simple. */
  isSimple(wanted: unknown): boolean
  fits(wanted: never, value: unknown, schema: Schema): boolean
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: isObject,
}

const isText = (wanted: unknown) => typeof wanted === 'string'
const note: Keyword = { isSimple: isText, fits: () => true }
const number = (fits: (value: number, limit: number) => boolean): Keyword => ({
  isSimple: Number.isFinite,
  fits: (limit, value) => typeof value !== 'number' || fits(value, limit),
})
const length = (fits: (length: number, limit: number) => boolean): Keyword => ({
  isSimple: isCount,
  fits: (limit, value) => typeof value !== 'string' || fits([...value].length, limit),
})
const count = (fits: (count: number, limit: number) => boolean): Keyword => ({
  isSimple: isCount,
  fits: (limit, value) => !Array.isArray(value) || fits(value.length, limit),
})

const KEYWORDS = new Map<string, Keyword>([
  ['title', note],
  ['description', note],
  ['default', { isSimple: () => true, fits: () => true }],
  [
    'type',
    {
      isSimple: (wanted) => typeof wanted === 'string' && Object.hasOwn(TYPES, wanted),
      fits: (wanted: string, value) => TYPES[wanted]?.(value) === true,
    },
  ],
  [
    'enum',
    {
      isSimple: (wanted) => Array.isArray(wanted) && wanted.length > 0 && wanted.every(isText),
      fits: (wanted: string[], value) => wanted.some((one) => one === value),
    },
  ],
  ['minimum', number((value, limit) => value >= limit)],
  ['maximum', number((value, limit) => value <= limit)],
  ['exclusiveMinimum', number((value, limit) => value > limit)],
  ['exclusiveMaximum', number((value, limit) => value < limit)],
  ['minLength', length((size, limit) => size >= limit)],
  ['maxLength', length((size, limit) => size <= limit)],
  ['minItems', count((size, limit) => size >= limit)],
  ['maxItems', count((size, limit) => size <= limit)],
  [
    'items',
    {
      isSimple: isSimpleSchema,
      fits: (wanted: Schema, value) => !Array.isArray(value) || value.every((item) => surelyFits(wanted, item)),
    },
  ],
  [
    'required',
    {
      isSimple: (wanted) => Array.isArray(wanted) && wanted.every(isText) && new Set(wanted).size === wanted.length,
      fits: (wanted: string[], value) => !isObject(value) || wanted.every((key) => value[key] !== undefined),
    },
  ],
  [
    'properties',
    {
      isSimple: (wanted) => isObject(wanted) && Object.values(wanted).every(isSimpleSchema),
      fits: (wanted: Record<string, Schema>, value) =>
        !isObject(value) ||
        Object.entries(wanted).every(([key, schema]) => value[key] === undefined || surelyFits(schema, value[key])),
    },
  ],
  ['additionalProperties', { isSimple: (wanted) => wanted === false, fits: hasNoOthers }],
])

/** Whether `surelyFits` can be used. */
export function isSimpleSchema(schema: unknown): schema is Schema {
  return isObject(schema) && Object.entries(schema).every(([name, wanted]) => KEYWORDS.get(name)?.isSimple(wanted))
}

/** For a simple schema. False says nothing. */
export function surelyFits(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([name, wanted]) => KEYWORDS.get(name)?.fits(wanted as never, value, schema))
}

function hasNoOthers(_: unknown, value: unknown, { properties = {} }: Schema): boolean {
  return !isObject(value) || Object.keys(value).every((key) => Object.hasOwn(properties as object, key))
}

function isCount(wanted: unknown): boolean {
  return Number.isInteger(wanted) && Number(wanted) >= 0
}
