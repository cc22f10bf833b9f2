/**
 * What a server says about one of its tools. Untrusted text: cleaned, size-checked and inspected before a model sees
 * it.
 */
import { fingerprint } from '../../base/hash.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { inspect } from '../../inspect/inspect.ts'
import { runBounded } from '../guard/bounded.ts'

export interface Definition {
  name: string
  description: string
  schema: JsonObject
  annotations: JsonObject
}

export type Flaw = 'too-large' | 'schema' | 'inspection'

const MAX_CHARS = 32_000
const COMPILING_MS = 2_000

export function definitionOf(tool: {
  name: string
  description?: string | undefined
  inputSchema: unknown
  annotations?: unknown
}): Definition {
  return {
    name: tool.name,
    description: tool.description ?? '',
    schema: plainSchema(tool.inputSchema as Json) as JsonObject,
    annotations: (tool.annotations ?? {}) as JsonObject,
  }
}

/** Changes with everything the model reads or the risk is inferred from. */
export function definitionHash({ name, description, schema, annotations }: Definition): string {
  return fingerprint([name, description, schema, annotations])
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
  if (definition.name.length > 256 || JSON.stringify(definition).length > MAX_CHARS) return 'too-large'
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
function wordsOf({ description, schema, annotations }: Definition): string {
  const words: string[] = [description]
  const visit = (node: unknown): void => {
    if (typeof node === 'string') words.push(node)
    else if (Array.isArray(node)) node.forEach(visit)
    else if (isObject(node)) Object.values(node).forEach(visit)
  }
  visit(schema)
  visit(annotations)
  return words.join('\n')
}

/** For comparison by a person. */
export function display(definition: Definition): string {
  const { name, description, schema, annotations } = definition
  return [name, description, JSON.stringify(schema, null, 2), JSON.stringify(annotations, null, 2)].join('\n')
}
