import { expect, test } from 'vitest'
import { present } from './present.ts'

test('undefined values are dropped, null and false stay', () => {
  const values: { a?: number; b: undefined; c: null; d: boolean } = { b: undefined, c: null, d: false }
  expect(Object.keys(present(values))).toEqual(['c', 'd'])
})
