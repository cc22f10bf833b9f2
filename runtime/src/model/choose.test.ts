import { describe, expect, test } from 'vitest'
import { chooseModel, keyFor } from './choose.ts'

const none = async () => undefined

describe('a configured model', () => {
  test('accepts provider/name, rules and scripted', async () => {
    expect(await chooseModel('openai/gpt-x', { OPENAI_API_KEY: 'k' }, none)).toEqual({
      provider: 'openai',
      name: 'gpt-x',
    })
    expect(await chooseModel('ollama/qwen3:8b', {}, none)).toEqual({ provider: 'ollama', name: 'qwen3:8b' })
    expect(await chooseModel('compatible/org/model', {}, none)).toEqual({ provider: 'compatible', name: 'org/model' })
    expect(await chooseModel('rules', { OPENAI_API_KEY: 'k' }, none)).toBe('rules')
    expect(await chooseModel('scripted', {}, none)).toBe('scripted')
  })

  test.each([
    ['gpt-4o-mini', 'openai'],
    ['claude-sonnet-4-5', 'anthropic'],
    ['gemini-2.5-flash', 'google'],
  ])('S3-54: %s alone is %s’s', async (name, provider) => {
    const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' }
    expect(await chooseModel(name, env, none)).toEqual({ provider, name })
  })

  test.each([
    ['opnai/gpt', 'openai'],
    ['rule', 'rules'],
    ['antropic/claude', 'anthropic'],
  ])('%s is refused with the likely meaning %s', async (configured, meant) => {
    await expect(chooseModel(configured, {}, none)).rejects.toMatchObject({
      code: 'MODEL_UNKNOWN',
      message: expect.stringContaining(`"${meant}"`),
    })
  })

  test.each(['', '/', 'openai', 'openai/', '/gpt', 'zzzzzzzz/y'])('%j is not a model', async (configured) => {
    await expect(chooseModel(configured, { OPENAI_API_KEY: 'k' }, none)).rejects.toMatchObject({
      code: 'MODEL_UNKNOWN',
    })
  })

  test.each([
    ['openai/x', 'OPENAI_API_KEY'],
    ['anthropic/x', 'ANTHROPIC_API_KEY'],
    ['google/x', 'GEMINI_API_KEY'],
    ['deepseek/x', 'DEEPSEEK_API_KEY'],
    ['zhipu/x', 'ZHIPU_API_KEY'],
  ])('%s without a key is refused naming %s', async (configured, variable) => {
    const refused = { code: 'MODEL_KEY_MISSING', message: expect.stringContaining(variable) }
    await expect(chooseModel(configured, { [variable]: ' ' }, none)).rejects.toMatchObject(refused)
  })
})

describe('without configuration', () => {
  test('uses the first provider whose key is in the environment', async () => {
    const env = { ZHIPU_API_KEY: 'z', ANTHROPIC_API_KEY: 'a' }
    expect(await chooseModel(undefined, env, none)).toMatchObject({ provider: 'anthropic' })
    expect(await chooseModel(undefined, { GOOGLE_GENERATIVE_AI_API_KEY: 'g' }, none)).toMatchObject({
      provider: 'google',
    })
  })

  test('then a local Ollama, then the rules', async () => {
    expect(await chooseModel(undefined, {}, async () => 'qwen3:8b')).toEqual({ provider: 'ollama', name: 'qwen3:8b' })
    expect(await chooseModel(undefined, { OPENAI_API_KEY: '' }, none)).toBe('rules')
  })
})

test('keys come from the environment, Gemini’s own name first', () => {
  expect(keyFor('google', { GOOGLE_GENERATIVE_AI_API_KEY: 'b', GEMINI_API_KEY: 'a' })).toBe('a')
  expect(keyFor('ollama', { OPENAI_API_KEY: 'k' })).toBeUndefined()
})
