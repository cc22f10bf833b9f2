import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frozenClone } from './json.ts'

function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout)
}

test('a frozen clone equals the original, is frozen at every depth, and leaves the original as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = frozenClone(value)
      expect(copy).toEqual(structuredClone(value))
      expect(isFrozenThroughout(copy)).toBe(true)
      if (typeof value === 'object' && value !== null) expect(Object.isFrozen(value)).toBe(false)
    }),
  )
})

test('a frozen clone does not share a part that is frozen only at its surface', () => {
  const inner = { to: 'jo@corp.example' }
  const copy = frozenClone({ args: Object.freeze({ inner }) })
  inner.to = 'x@bad.example'
  expect(copy.args.inner.to).toBe('jo@corp.example')
})

test('a key named __proto__ stays a key; a date is copied; a function is refused', () => {
  const copy = frozenClone(JSON.parse('{"__proto__":{"admin":true}}'))
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(copy.admin).toBeUndefined()
  const at = new Date(0)
  expect(frozenClone({ at }).at).toEqual(at)
  expect(frozenClone({ at }).at).not.toBe(at)
  expect(() => frozenClone({ run: () => 1 })).toThrow(/could not be cloned/)
})
