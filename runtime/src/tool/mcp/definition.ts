/**
 * What a server says about one of its tools. Untrusted text: cleaned, size-checked and inspected before a model sees
 * it.
 */
import { fingerprint } from '../../base/hash.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { inspect } from '../../inspect/inspect.ts'
import { runBounded } from '../guard/bounded.ts'

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

export type Flaw = 'too-large' | 'schema' | 'inspection'

const MAX_CHARS = 32_000
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

function extra({ more }: Definition): unknown[] {
  return more === undefined ? [] : [more.title, more.outputSchema].filter((part) => part !== undefined)
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
  const { more: _, ...read } = definition
  const chars = JSON.stringify([read, ...extra(definition)]).length
  if (definition.name.length > 256 || chars > MAX_CHARS) return 'too-large'
  if (!(await compiles(definition.schema))) return 'schema'
  return inspect(wordsOf(definition), { tool: 'mcp' }).verdict === 'block' ? 'inspection' : undefined
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

/** Every text that a model would read, one per line. */
function wordsOf(definition: Definition): string {
  const { description, schema, annotations } = definition
  const words: string[] = [description]
  const visit = (node: unknown): void => {
    if (typeof node === 'string') words.push(node)
    else if (Array.isArray(node)) node.forEach(visit)
    else if (isObject(node)) Object.values(node).forEach(visit)
  }
  visit(schema)
  visit(annotations)
  visit(extra(definition))
  return words.join('\n')
}

/** For comparison by a person. */
export function display(definition: Definition): string {
  const { name, description, schema, annotations } = definition
  return [
    name,
    description,
    ...[schema, annotations, ...extra(definition)].map((part) => JSON.stringify(part, null, 2)),
  ].join('\n')
}
