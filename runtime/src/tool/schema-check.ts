/** Checks values against JSON Schemas, in bounded time. */
import { createRequire } from 'node:module'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../base/json.ts'
import { clip, nearest } from '../base/text.ts'
import { misfitText, uncheckable } from '../i18n/form.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import { runBounded } from './guard/bounded.ts'
import { isLittleWork, plainSize } from './plain-schema.ts'
import { isSimpleSchema, surelyFits } from './sure-fit.ts'

export interface Fault {
  /** `http.allowed_domains.0`; empty for the value as a whole. */
  path: string
  text: string
  /** Ajv's keyword, and its place in the schema. */
  keyword: string
  schemaPath: string
  /** An unknown property. */
  key?: string | undefined
}

/** An MCP server chooses its schemas, and `pattern`, `uniqueItems` or `$ref` can make checking slow. */
const CHECKING_MS = 300

/** `whole`: the words for the value itself, before a fault that concerns all of it. */
export function schemaFaults(
  schema: JsonObject,
  value: unknown,
  { lang, whole }: { lang: Lang; whole: string },
): Fault[] {
  const { size, isSimple } = shapeOf(schema)
  const isQuick = size !== undefined && isLittleWork(size, value)
  if (isQuick && isSimple && surelyFits(schema, value)) return []
  const check = compileSchema(schema)
  const fits = isQuick ? { value: check(value) } : endingCheck(check, value)
  if (fits === undefined) return [{ path: '', text: uncheckable(lang), keyword: 'bounded', schemaPath: '' }]
  if (fits.value) return []
  return (check.errors ?? []).map(({ instancePath, parentSchema, schemaPath, ...misfit }) => {
    const { params, keyword } = misfit
    const key = 'additionalProperty' in params ? String(params.additionalProperty) : undefined
    const extra = key === undefined ? '' : unknownKeyText(key, parentSchema, lang)
    const choices = 'allowedValues' in params ? ` (${(params.allowedValues as unknown[]).join(', ')})` : ''
    const path = instancePath.slice(1).replaceAll('/', '.')
    const text = `${path === '' ? whole : ''}${misfitText(misfit, lang)}${extra}${choices}`
    return { path, text, keyword, schemaPath, key }
  })
}

function endingCheck(check: ValidateFunction, value: unknown): { value: boolean } | undefined {
  try {
    return runBounded(() => check(value) as boolean, CHECKING_MS)
  } catch (error) {
    // A schema can refer to itself without end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** No value of any kind can be checked against it, as against a schema that only refers to itself. */
export function isEndless(schema: JsonObject): boolean {
  const check = compileSchema(schema)
  return [null, {}, [], ''].every((value) => endingCheck(check, value) === undefined)
}

function unknownKeyText(key: string, schema: object | undefined, lang: Lang): string {
  const known = schema !== undefined && 'properties' in schema ? Object(schema.properties) : {}
  const meant = nearest(key, Object.keys(known))
  const { didYouMean } = messages(lang).config
  return ` ("${clip(key, 80)}"${meant === undefined ? '' : `; ${didYouMean({ name: `"${meant}"` })}`})`
}

interface Shape {
  size: number | undefined
  isSimple: boolean
}

const SHAPES = new WeakMap<JsonObject, Shape>()

/** Once per schema: a tool is called many times. */
function shapeOf(schema: JsonObject): Shape {
  const known = SHAPES.get(schema) ?? { size: plainSize(schema), isSimple: isSimpleSchema(schema) }
  SHAPES.set(schema, known)
  return known
}

/** Keyed by schema: tools that are in several registries are compiled once. */
const CHECKS = new WeakMap<JsonObject, ValidateFunction>()
let shared: Ajv2020 | undefined

export function compileSchema(schema: JsonObject): ValidateFunction {
  let check = CHECKS.get(schema)
  if (check === undefined) {
    // Ajv resolves an `$id` across all its schemas. Compiled alone, a schema cannot replace another one.
    if (JSON.stringify(schema).includes('"$id"')) check = newAjv().compile(schema)
    else {
      shared ??= newAjv()
      check = shared.compile(schema)
      // Otherwise Ajv keeps every schema it has compiled.
      shared.removeSchema(schema)
    }
    CHECKS.set(schema, check)
  }
  return check
}

/**
 * Loaded at the first check: a run that calls no tool does not pay for it. Schemas are not validated against the
 * meta-schema, which takes longer to compile than all of ours; compiling finds invalid schemas.
 */
function newAjv(): Ajv2020 {
  const load = createRequire(import.meta.url)
  const { Ajv2020: Ajv } = load('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv2020 }
  return new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false, validateSchema: false })
}
