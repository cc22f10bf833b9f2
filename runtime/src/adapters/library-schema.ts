/** The JSON Schema in what a library takes as a schema: that itself, a wrapper around it, or a schema of zod. */
import { z } from 'zod'
import { isObject, type JsonObject } from '../base/json.ts'

/** Undefined where it cannot be told: the arguments of a call then say what they are. */
export async function jsonSchemaIn(schema: unknown): Promise<JsonObject | undefined> {
  const given = typeof schema === 'function' ? schema() : schema
  if (!isObject(given)) return undefined
  if ('_zod' in given) return jsonSchemaOfZod(given)
  if ('jsonSchema' in given) {
    const wrapped = await given.jsonSchema
    return isObject(wrapped) ? (wrapped as JsonObject) : undefined
  }
  const standard = given['~standard']
  if (!isObject(standard)) return given as JsonObject
  const { jsonSchema } = standard
  if (!isObject(jsonSchema) || typeof jsonSchema.input !== 'function') return undefined
  return jsonSchema.input({ target: 'draft-2020-12' })
}

function jsonSchemaOfZod(schema: object): JsonObject | undefined {
  try {
    return z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonObject
  } catch {
    return undefined
  }
}
