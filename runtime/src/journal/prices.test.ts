import { expect, test } from 'vitest'
import { costOf, PRICES, priceOf } from './prices.ts'

const prices = {
  'a/cached': { input: 10, output: 20, cachedInput: 1, cacheWrite: 12 },
  'a/plain': { input: 10, output: 20 },
  'ollama/rented': { input: 1, output: 1 },
}
const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 600_000, cacheWriteTokens: 100_000 }

test('X-BUDGET-9: cached tokens have their own price, and the input price where it is not known', () => {
  expect(costOf('a/cached', usage, prices).usd).toBeCloseTo(3 + 0.6 + 1.2 + 2, 10)
  expect(costOf('a/plain', usage, prices).usd).toBeCloseTo(10 + 2, 10)
})

test('X-BUDGET-8: local models of Ollama are free, its hosted ones have no known price', () => {
  expect(priceOf('ollama/qwen3', prices)).toEqual({ input: 0, output: 0 })
  expect(priceOf('ollama/gpt-oss:120b-cloud', prices)).toBeUndefined()
  expect(priceOf('ollama/rented', prices)).toEqual({ input: 1, output: 1 })
  expect(priceOf('constructor', prices)).toBeUndefined()
})

test('every built-in price that is not zero has a date and a source', () => {
  for (const [model, { input, asOf, source }] of Object.entries(PRICES)) {
    if (input > 0) expect([model, asOf, source]).toEqual([model, expect.any(String), expect.any(String)])
  }
})
