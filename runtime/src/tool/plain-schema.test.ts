import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { isLittleWork, plainSize } from './plain-schema.ts'
import { Registry } from './registry.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

describe('a schema is checked without a time limit only when no value can make it slow', () => {
  test.each([
    [
      'types and limits',
      object({ n: { type: 'integer', minimum: 1 } }, { required: ['n'], additionalProperties: false }),
    ],
    ['properties named like slow keywords', object({ pattern: { type: 'string' }, $ref: { type: 'string' } })],
    ['alternatives', { anyOf: [{ type: 'string' }, object({ a: { items: { enum: [1, 2] } } })] }],
  ])('%s: plain', (_, schema) => {
    expect(plainSize(schema)).toBe(JSON.stringify(schema).length)
  })

  test.each([
    ['a pattern', object({ a: { type: 'string', pattern: '(a+)+$' } })],
    ['a pattern for names', object({}, { patternProperties: { '(a+)+$': true } })],
    ['comparing all items', object({ a: { type: 'array', uniqueItems: true } })],
    ['a reference', { $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' } } }],
    ['one deep inside', { allOf: [{ items: { not: { pattern: 'a' } } }] }],
    ['an unknown keyword', { type: 'object', 'x-any': true }],
  ])('%s: not plain', (_, schema) => {
    expect(plainSize(schema)).toBeUndefined()
  })

  test('large values take the limited way, whether long, wide or deep', () => {
    expect(isLittleWork(200, { a: 'x'.repeat(1000), b: [1, 2, 3] })).toBe(true)
    expect(isLittleWork(200, { a: 'x'.repeat(200_000) })).toBe(false)
    expect(
      isLittleWork(
        200,
        Array.from({ length: 200_000 }, () => 1),
      ),
    ).toBe(false)
    expect(isLittleWork(20_000, { a: 'x'.repeat(2000) })).toBe(false)
  })

  test('both ways find the same faults', () => {
    const plain = object({ n: { type: 'integer' } }, { required: ['n'], additionalProperties: false })
    const limited = { ...plain, $defs: {} }
    const registry = new Registry([])
    for (const args of [{ n: 1 }, {}, { n: 'a', m: 2 }, [], 'x']) {
      expect(registry.misfits({ schema: plain }, args)).toEqual(registry.misfits({ schema: limited }, args))
    }
  })
})
