/**
 * Schemas of other libraries: the part of Standard Schema and Standard JSON Schema (https://standardschema.dev) that a
 * tool needs. No library is imported for it.
 */
import { isObject, type JsonObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'

/** A problem that a schema found in a value. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What validating gives: the value, perhaps changed by the schema, or the problems. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/**
 * A schema of zod, Valibot, ArkType or any other library that implements Standard Schema. The model is shown its JSON
 * Schema, so the library must offer that too: zod from 4.2, ArkType from 2.1.28, Valibot with `toStandardJsonSchema`.
 *
 * @example
 * ```ts
 * import { defineTool, type StandardSchema } from 'writ'
 *
 * const name: StandardSchema<{ name: string }> = {
 *   '~standard': {
 *     version: 1,
 *     vendor: 'own',
 *     validate: (value) => ({ value: { name: String((value as { name: unknown }).name).trim() } }),
 *     jsonSchema: { input: () => ({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }) },
 *   },
 * }
 * const greet = defineTool({ name: 'greet', description: 'Greets.', schema: name, execute: (args) => `Hi ${args.name}` })
 * console.log(greet.schema.required) // [ 'name' ]
 * ```
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => object }
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

export function isStandardSchema(schema: object): schema is StandardSchema {
  const standard: unknown = Reflect.get(schema, '~standard')
  return isObject(standard) && typeof standard.validate === 'function'
}

/** What a model must send, which is the input of the schema. Throws where the library cannot say it as JSON Schema. */
export function jsonSchemaOf(schema: StandardSchema, { tool }: { tool: string }): JsonObject {
  const { vendor, jsonSchema } = schema['~standard']
  if (jsonSchema === undefined) throw new WritError('TOOL_SCHEMA.noJsonSchema', { tool, vendor })
  try {
    return JSON.parse(JSON.stringify(jsonSchema.input({ target: 'draft-2020-12' })))
  } catch (cause) {
    throw new WritError('TOOL_SCHEMA', { tool, vendor, why: String(cause) }, { cause })
  }
}

/** As the form check of the gate words it: `to is not an address`. */
export function issueText({ path = [], message }: SchemaIssue): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return place === '' ? message : `${place}: ${message}`
}
