import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeFolding } from './paste-folding.ts'

const nameOf = ({ n, lines }: { n: number; lines: number }) => `[paste ${n}: ${lines} lines]`

test('every paste fits on one line and is restored exactly', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '中', '\n', '\t', '$&', '\\'), maxLength: 1000 })
  fc.assert(
    fc.property(text, text, (first, second) => {
      const { fold, unfold } = makeFolding(nameOf)
      const line = `${fold(first)} and ${fold(second)}`
      expect(line).not.toMatch(/[\n\t]/)
      expect(unfold(line)).toBe(`${first} and ${second}`)
    }),
  )
})
test('a long paste gets a placeholder, a short one is shown', () => {
  const { fold } = makeFolding(nameOf)
  expect(fold('one\ntwo')).toBe('one␤two')
  expect(fold('x\n'.repeat(50))).toBe('[paste 1: 51 lines]')
  expect(fold('y'.repeat(500))).toBe('[paste 2: 1 lines]')
})
