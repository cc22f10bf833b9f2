import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { fileEditTool } from './builtin/file-edit.ts'
import { fileReadTool } from './builtin/file-read.ts'
import { shellTool } from './builtin/shell.ts'
import { isSimpleSchema, surelyFits } from './sure-fit.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })

const leaf = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', ['string', 'null'], 'date'),
      minLength: fc.nat(3),
      maxLength: fc.nat(5),
      minimum: fc.integer({ min: -3, max: 3 }),
      exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
      enum: fc.constantFrom(['a', ''], ['a', 'b'], ['a', 1, null]),
      description: fc.string(),
    },
    { requiredKeys: [] },
  ),
  fc.boolean(),
)
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__'), tie('schema')),
        required: fc.subarray(['a', 'b', 'constructor']),
        additionalProperties: fc.constantFrom(false, false, { type: 'string' }),
      },
      { requiredKeys: [] },
    ),
  ),
}))
const value = fc
  .jsonValue({ maxDepth: 3 })
  .chain((json) =>
    fc.oneof(
      fc.constant(json),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), fc.constant(json)),
      fc.constantFrom('', 'a', '💡', '💡💡', Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2),
    ),
  )

describe('what surely fits a schema', () => {
  test('fits by the compiled check too', () => {
    let sure = 0
    fc.assert(
      fc.property(schema, value, (wanted, given) => {
        if (!isSimpleSchema(wanted) || !surelyFits(wanted, given)) return
        sure++
        expect(ajv.compile(wanted as object)(given)).toBe(true)
      }),
      { numRuns: 10_000, seed: 18 },
    )
    expect(sure).toBeGreaterThan(100)
  })
  test('the arguments of ordinary calls do', () => {
    const fits = (schema: JsonObject, args: unknown) => isSimpleSchema(schema) && surelyFits(schema, args)
    expect(fits(fileReadTool.schema, { path: 'a.txt' })).toBe(true)
    expect(fits(shellTool().schema, { command: 'ls' })).toBe(true)
    expect(fits(fileEditTool.schema, { path: 'a', old: 'x', new: 'y', all: true })).toBe(true)
    expect(fits(fileReadTool.schema, { path: '' })).toBe(false)
    expect(fits(fileReadTool.schema, { file: 'a.txt' })).toBe(false)
  })
  test('a schema with a fault anywhere is left to the compiled check, which reports it', () => {
    expect(isSimpleSchema({ type: 'object', properties: { a: { items: { enum: [] } } } })).toBe(false)
    expect(isSimpleSchema({ type: 'date' })).toBe(false)
    expect(isSimpleSchema({ minLength: '1' })).toBe(false)
  })
})
