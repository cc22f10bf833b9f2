import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadTokenizer, mostTokens, requestTokens } from './tokens.ts'

describe('S1-301: tokens are counted', () => {
  test('in English and Chinese; a control token in a text is text', async () => {
    const count = await loadTokenizer()
    expect(count('The quick brown fox')).toBe(4)
    expect(count('请帮我修复这个错误。')).toBeLessThanOrEqual(10)
    expect(count('<|endoftext|>')).toBeGreaterThan(1)
  })

  test('of a long run of one letter too, without taking long', async () => {
    const count = await loadTokenizer()
    expect(count('汉'.repeat(30_000))).toBeGreaterThan(10_000)
    expect(count('a'.repeat(100_000))).toBeGreaterThan(1_000)
  })

  test('and the cheap bound is never lower', async () => {
    const count = await loadTokenizer()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }), (system, content) => {
        const request = { system, messages: [{ role: 'user' as const, content }] }
        expect(mostTokens(request)).toBeGreaterThanOrEqual(requestTokens(request, count))
      }),
    )
  })
})
