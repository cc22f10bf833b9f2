import { describe, expect, test } from 'vitest'
import { contextRefusal, contextTokensOf, learnedLimit } from './context-window.ts'
import { ModelError } from './model.ts'

const refusal = (message: string, status = 400) => contextRefusal(new ModelError(message, { status, retryable: false }))

describe('S1-302: a refusal because of the length is recognised, with its numbers', () => {
  test.each([
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130,412 tokens.",
      { max: 128_000, sent: 130_412 },
    ],
    ['OpenAI, newer', 'Your input exceeds the context window of this model. Please adjust your input.', {}],
    ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum', { max: 200_000, sent: 208_310 }],
    [
      'Anthropic, with the answer',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
      { max: 200_000, sent: 190_000 },
    ],
    [
      'Google',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      { max: 1_048_576, sent: 1_200_000 },
    ],
    [
      'DeepSeek',
      "This model's maximum context length is 65536 tokens. However, you requested 80123 tokens (72123 in the messages, 8000 in the completion).",
      { max: 65_536, sent: 80_123 },
    ],
    ['Zhipu', 'Prompt 超长', {}],
    ['Zhipu, longer', '输入长度超过模型上限 131072', { max: 131_072 }],
    ['Ollama', 'prompt too long; exceeded max context length by 2048 tokens', {}],
    [
      'llama.cpp',
      'request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it',
      { max: 8_192, sent: 9_120 },
    ],
    [
      'vLLM',
      "This model's maximum context length is 4096 tokens and your request has 5000 input tokens",
      { max: 4_096, sent: 5_000 },
    ],
    [
      'Mistral',
      'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      { max: 32_768, sent: 40_000 },
    ],
  ])('%s', (_provider, message, numbers) => {
    expect(refusal(message)).toEqual(numbers)
  })

  test.each([
    ['a rate limit', 'Request too large for gpt-4o: Limit 30000, Requested 40000 tokens per min', 429],
    ['a wrong key', 'Incorrect API key provided', 401],
    ['a full disk', 'the request failed: disk quota exceeded', 500],
  ])('%s is another failure', (_name, message, status) => {
    expect(refusal(message, status)).toBeUndefined()
  })
})

describe('S1-302: the limit after a refusal', () => {
  test('is the stated one, scaled where the provider counts more than we do', () => {
    expect(learnedLimit({ max: 32_000, sent: 40_000 }, 40_000)).toBe(32_000)
    expect(learnedLimit({ max: 32_000, sent: 40_000 }, 20_000)).toBe(16_000)
  })
  test('is always smaller than what was refused', () => {
    expect(learnedLimit({}, 10_000)).toBe(7_500)
    expect(learnedLimit({ max: 100_000 }, 10_000)).toBe(9_000)
  })
})

test('S1-301: the window of a model is known from its name', () => {
  expect(contextTokensOf('anthropic/claude-sonnet-4-5')).toBe(200_000)
  expect(contextTokensOf('openai/gpt-4o-mini')).toBe(128_000)
  expect(contextTokensOf('openai/gpt-4')).toBe(8_192)
  expect(contextTokensOf('zhipu/glm-4.6')).toBe(200_000)
  expect(contextTokensOf('compatible/unheard-of')).toBe(128_000)
  expect(contextTokensOf('rules')).toBe(Number.POSITIVE_INFINITY)
})
