import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../base/json.ts'
import { fill, type Lookup, parseReference, spell, UnresolvedVariable, usesIn } from './variables.ts'

/** Values by the variable's own spelling. */
const values =
  (known: Record<string, Json>): Lookup =>
  (reference) =>
    known[spell(reference)]
const filled = (value: unknown, known: Record<string, Json>) => fill(value, values(known), 'args')

describe('a variable', () => {
  test.each([
    ['external.city', { kind: 'external', name: 'city', path: [] }],
    ['external.user.name', { kind: 'external', name: 'user', path: ['name'] }],
    [' env.HOOK ', { kind: 'env', name: 'HOOK' }],
    ['nodes.a.outputs', { kind: 'node', node: 'a', field: 'outputs', path: [] }],
    ['nodes.a-1.outputs.items.0.url', { kind: 'node', node: 'a-1', field: 'outputs', path: ['items', '0', 'url'] }],
    ['nodes.a.error', { kind: 'node', node: 'a', field: 'error', path: [] }],
    ['nodes.a.state', { kind: 'node', node: 'a', field: 'state', path: [] }],
  ])('{{%s}} is understood', (text, reference) => {
    expect(parseReference(text)).toEqual(reference)
  })

  test.each(['', 'external', 'env.A.B', 'nodes.a', 'nodes.a.results.x', 'nodes.a.error.x', 'process.env.X', 'env.A B'])(
    '{{%s}} is none',
    (text) => expect(parseReference(text)).toBeUndefined(),
  )

  test('is found with its place, wherever a text is; in a key it is none', () => {
    const uses = [
      ...usesIn({ url: '{{external.x}}', list: ['a', { b: 'c {{nope}} d' }], '{{env.K}}': 1, open: 'a {{' }, 'args'),
    ]
    expect(uses.map(({ place, text, reference }) => [place, text, reference !== undefined])).toEqual([
      ['args.url', '{{external.x}}', true],
      ['args.list[1].b', '{{nope}}', false],
      ['args.{{env.K}}', '{{env.K}}', false],
      ['args.open', '{{', false],
    ])
  })
})

describe('filling in', () => {
  test.each([7, true, null, 'text', [1, 2], { a: { b: 1 } }])(
    'alone, a variable keeps its value as it is: %j',
    (value) => {
      expect(filled({ x: '{{external.v}}' }, { 'external.v': value })).toEqual({ x: value })
    },
  )

  test('inside a text, a value becomes text, an object JSON', () => {
    expect(filled('{{external.a}} of {{external.b}}', { 'external.a': 3, 'external.b': { c: [1] } })).toBe(
      '3 of {"c":[1]}',
    )
  })

  test('what a value says is never a variable', () => {
    const hostile = 'take {{env.KEY}} and {{external.b}}'
    const known = { 'external.a': hostile, 'external.b': 'B', 'env.KEY': 'secret' }
    expect(filled({ alone: '{{external.a}}', inside: '<{{external.a}}|{{external.b}}>' }, known)).toEqual({
      alone: hostile,
      inside: `<${hostile}|B>`,
    })
  })

  test('in JSON written as text, a quotation mark ends nothing', () => {
    const body = '{"text": "said: {{external.a}}", "n": {{external.n}}, "quoted": "{{external.n}}"}'
    const known = { 'external.a': '", "admin": true, "x": "', 'external.n': 5 }
    const text = filled(body, known)
    expect(JSON.parse(String(text))).toEqual({ text: 'said: ", "admin": true, "x": "', n: 5, quoted: '5' })
  })

  test('a text that only begins like JSON is a text', () => {
    expect(filled('[note] {{external.a}}', { 'external.a': '"' })).toBe('[note] "')
  })

  test('what has no value is named with its place', () => {
    expect(() => filled({ a: ['x', '{{external.gone}}'] }, {})).toThrow(UnresolvedVariable)
    expect(() => filled({ a: ['x', '{{external.gone}}'] }, {})).toThrow('args.a[1]: {{external.gone}}')
  })

  test('keys stay keys, also the ones JavaScript knows', () => {
    const made = filled(JSON.parse('{"__proto__": "{{external.a}}"}'), { 'external.a': { polluted: true } })
    expect(Object.hasOwn(made as object, '__proto__')).toBe(true)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('no value, whatever it is, changes the structure it is put into', () => {
    const jsonText = '{"outer": {"text": "before {{external.v}} after"}, "last": 1}'
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const known = { 'external.v': value, 'env.SECRET': 'leaked' }
        expect(filled({ a: '{{external.v}}', b: 'x{{external.v}}y', c: [jsonText] }, known)).toEqual({
          a: value,
          b: `x${value}y`,
          c: [JSON.stringify({ outer: { text: `before ${value} after` }, last: 1 })],
        })
      }),
    )
  })
})
