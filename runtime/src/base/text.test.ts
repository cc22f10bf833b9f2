import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clip } from './text.ts'

describe('clip', () => {
  test('S3-49 S3-122: cuts by code points and counts what is left out', () => {
    expect(clip('数据😀😀', 3)).toBe('数据😀…(+1)')
    expect(clip('abc', 3)).toBe('abc')
    expect(clip('abc', 0)).toBe('…(+3)')
  })

  test('cutting twice gives the same as cutting once', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '数', '😀'), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.nat(40), fc.nat(40), (whole, a, b) => {
        const [wide, narrow] = [Math.max(a, b), Math.min(a, b)]
        expect(clip(clip(whole, wide), narrow)).toBe(clip(whole, narrow))
        expect(clip(whole, wide).isWellFormed()).toBe(true)
      }),
    )
  })
})
