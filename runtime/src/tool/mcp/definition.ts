/**
 * What a server says about one of its tools. Untrusted text: cleaned, size-checked and inspected before a model sees
 * it.
 */
import { fingerprint } from '../../base/hash.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { runBounded } from '../guard/bounded.ts'
import { haveInjection, textsIn } from './server-text.ts'

export interface Definition {
  name: string
  description: string
  schema: JsonObject
  annotations: JsonObject
  /** What only clients of the gateway see. Absent where it was stored before there was a gateway. */
  more?: Shown | undefined
}

interface Shown {
  title?: string | undefined
  /** As the server wrote it. */
  inputSchema: JsonObject
  outputSchema?: JsonObject | undefined
}

export type Flaw = 'too-large' | 'name' | 'schema' | 'inspection'

const MAX_CHARS = 32_000
const MAX_NAME = 256
/** Line breaks and characters that are not seen. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const COMPILING_MS = 2_000

export function definitionOf(tool: {
  name: string
  description?: string | undefined
  inputSchema: unknown
  annotations?: unknown
  title?: string | undefined
  outputSchema?: unknown
}): Definition {
  const { title, outputSchema } = tool as { title?: string; outputSchema?: JsonObject }

  return {
    name: tool.name,
    description: tool.description ?? '',
    schema: plainSchema(tool.inputSchema as Json) as JsonObject,
    annotations: (tool.annotations ?? {}) as JsonObject,
    more: { inputSchema: tool.inputSchema as JsonObject, ...present({ title, outputSchema }) },
  }
}

/** Changes with everything the model reads or the risk is inferred from. */
export function definitionHash({ name, description, schema, annotations }: Definition): string {
  return fingerprint([name, description, schema, annotations])
}

/** Whether a model, or the model of a client, would read something else. */
export function isSame(one: Definition, other: Definition): boolean {
  if (definitionHash(one) !== definitionHash(other)) return false
  return one.more === undefined || other.more === undefined || fingerprint(extra(one)) === fingerprint(extra(other))
}

/** Of what was shown for approval. */
export function markOf(definition: Definition): string {
  return fingerprint([definitionHash(definition), extra(definition)])
}

/** Absent parts too: a title never counts as a schema. */
function extra({ more }: Definition): unknown[] {
  return more === undefined ? [] : [more.title ?? null, more.inputSchema, more.outputSchema ?? null]
}

/** All that a client or a model is given of it. */
function servedOf({ name, description, schema, annotations, more }: Definition): unknown {
  return { name, description, annotations, ...present({ inputSchema: schema, ...more }) }
}

/** Two schemas with the same `$id`, or an older dialect's `$schema`, would break validation for every tool. */
function plainSchema(node: Json): Json {
  if (Array.isArray(node)) return node.map(plainSchema)
  if (!isObject(node)) return node
  const kept = Object.entries(node as JsonObject).filter(
    ([key, value]) => !((key === '$schema' || key === '$id') && typeof value === 'string'),
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, plainSchema(value ?? null)]))
}

/** Why a tool cannot be offered. */
export async function flawOf(definition: Definition): Promise<Flaw | undefined> {
  const served = servedOf(definition)
  if (definition.name.length > MAX_NAME || JSON.stringify(served).length > MAX_CHARS) return 'too-large'
  if (NOT_IN_NAMES.test(definition.name)) return 'name'
  if (!(await compiles(definition.schema))) return 'schema'
  return haveInjection(textsIn(served)) ? 'inspection' : undefined
}

let checker: Promise<{ compile(schema: JsonObject): unknown }> | undefined

async function compiles(schema: JsonObject): Promise<boolean> {
  checker ??= import('ajv/dist/2020.js').then(
    ({ Ajv2020 }) => new Ajv2020({ strict: false, validateFormats: false, logger: false }),
  )
  const ajv = await checker
  try {
    return runBounded(() => ajv.compile(schema), COMPILING_MS) !== undefined
  } catch {
    return false
  }
}

/** For comparison by a person. */
export function display(definition: Definition): string {
  const { name, description, schema, annotations, more } = definition
  const parts = [more?.inputSchema ?? schema, annotations, more?.title, more?.outputSchema]
  const shown = parts.filter((part) => part !== undefined).map((part) => JSON.stringify(part, null, 2))
  return [name, description, ...shown].join('\n')
}
