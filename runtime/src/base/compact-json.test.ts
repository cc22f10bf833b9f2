import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCompact } from './compact-json.ts'

const KEYS = ['"', '\n', '\t', '\b', '\u0001', '\ud800', '/', 'b', '', '__proto__', '\\']

test('a key of one escaped character is read as written, also after a key that is a backslash', () => {
  for (const key of KEYS) {
    JSON.parse('{"a":1,"\\\\":2}')
    const written = `{"a":1,${JSON.stringify(key)}:[{"a":1,${JSON.stringify(key)}:${JSON.stringify('{"\\"":')}}]}`
    expect(JSON.stringify(parseCompact(written))).toBe(written)
  }
})

test('what is printed is read back the same', () => {
  const key = fc.oneof(fc.constantFrom(...KEYS), fc.string({ unit: 'binary', maxLength: 2 }))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.array(tie('value')),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { noNullPrototype: true }),
  }))
  fc.assert(
    fc.property(value, (given) => {
      const text = JSON.stringify(given)
      expect(JSON.stringify(parseCompact(text))).toBe(text)
    }),
    { numRuns: 2000 },
  )
})
