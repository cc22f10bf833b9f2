/** The TypeScript type of arguments, from the schema that a tool is defined with. Types only. */
import type { JsonObject } from '../base/json.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A schema for `defineTool`: of zod, or of any other library that implements Standard Schema; or JSON Schema. */
export type ToolSchema = StandardSchema | JsonObject

/** The arguments that `execute` gets. */
export type ArgsOf<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : string extends keyof Schema
    ? Record<string, unknown>
    : FromJsonSchema<Schema>

/** The TypeScript types of JSON Schema's simple types. */
export interface JsonTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

/**
 * The values that fit a JSON Schema written as a literal. What it cannot express is `unknown`, never `any`.
 *
 * @example
 * ```ts
 * import type { FromJsonSchema } from 'writ'
 *
 * const schema = { type: 'object', properties: { to: { type: 'string' }, copies: { type: 'integer' } }, required: ['to'] } as const
 * const args: FromJsonSchema<typeof schema> = { to: 'Ann' }
 * console.log(args.copies) // undefined
 * ```
 */
export type FromJsonSchema<Schema> = Schema extends { readonly const: infer Only }
  ? Only
  : Schema extends { readonly enum: readonly (infer One)[] }
    ? One
    : Schema extends { readonly anyOf: readonly (infer One)[] }
      ? FromJsonSchema<One>
      : Schema extends { readonly oneOf: readonly (infer One)[] }
        ? FromJsonSchema<One>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? Type extends string
            ? OfType<Type, Schema>
            : unknown
          : Schema extends { readonly type: infer Type extends string }
            ? OfType<Type, Schema>
            : Schema extends { readonly properties: unknown }
              ? OfType<'object', Schema>
              : unknown

/** The values of a JSON Schema with this type. */
export type OfType<Type extends string, Schema> = Type extends keyof JsonTypes
  ? JsonTypes[Type]
  : Type extends 'array'
    ? Schema extends { readonly items: infer Item }
      ? FromJsonSchema<Item>[]
      : unknown[]
    : Type extends 'object'
      ? ObjectOf<Schema>
      : unknown

/** An object with these properties. */
export type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & RequiredIn<Schema>]: FromJsonSchema<Properties[Key]> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredIn<Schema>>]?: FromJsonSchema<Properties[Key]>
      }
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, FromJsonSchema<Value>>
    : Record<string, unknown>

/** The required properties of a JSON Schema. */
export type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never

/** One object type instead of an intersection: editors show its properties. */
export type Flat<T> = { [Key in keyof T]: T[Key] }
