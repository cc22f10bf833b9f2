import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonTextError, parseJson } from './json-text.ts'

function faultOf(text: string): JsonTextError {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof JsonTextError) return error
    throw error
  }
  throw new Error(`accepted ${text}`)
}

describe('reading JSON', () => {
  test('gives the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(3), (text, indent) => {
        const pretty = JSON.stringify(JSON.parse(text), null, indent)
        fc.pre(!pretty.includes('"__proto__"'))
        expect(parseJson(pretty).value).toEqual(JSON.parse(pretty))
      }),
    )
  })

  test('rejects what JSON.parse rejects, with a place', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '.5',
      '01',
      'tru',
      'null',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        if (valid) return
        const { where } = faultOf(text)
        expect(where.line).toBeGreaterThan(0)
        expect(where.column).toBeGreaterThan(0)
      }),
    )
  })

  test('names the line and column of the first wrong character', () => {
    expect(faultOf('{\n  "a": 1,\n  "b": oops\n}').where).toEqual({ line: 3, column: 8 })
    expect(faultOf('{"a": 1').fault).toBe('end')
    expect(faultOf('{"a": 1,}')).toMatchObject({ fault: 'syntax', found: '}', where: { line: 1, column: 9 } })
  })

  test('rejects a duplicate key: a reader may have seen only the other', () => {
    expect(faultOf('{"a": 1,\n "a": 2}')).toMatchObject({ fault: 'duplicate', where: { line: 2, column: 2 } })
  })

  test('rejects a key that would change a prototype', () => {
    expect(faultOf('{"__proto__": {"x": 1}}').fault).toBe('forbidden')
  })

  test('rejects nesting that would overflow the stack', () => {
    expect(faultOf('['.repeat(100_000)).fault).toBe('depth')
  })

  test('knows the place of each value, or of its nearest ancestor', () => {
    const json = parseJson('{\n "a": [1,\n  {"b": 2}]\n}')
    expect(json.locate(['a', 1, 'b'])).toEqual({ line: 3, column: 9 })
    expect(json.locate(['a', 1, 'missing'])).toEqual({ line: 3, column: 3 })
    expect(json.locate(['nowhere'])).toEqual({ line: 1, column: 1 })
  })
})
