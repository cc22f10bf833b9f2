import { describe, expect, test } from 'vitest'
import { ModelError } from './model.ts'
import { scriptedModel } from './scripted.ts'
import { refusedTools, takesTools } from './tool-refusal.ts'

const refusal = (message: string, status = 400) => new ModelError(message, { status, retryable: status >= 500 })

describe('a model without tool support', () => {
  test.each([
    ['registry.ollama.ai/library/gemma:2b does not support tools', 400],
    ["'tools' is not supported with this model", 400],
    ["Unsupported parameter: 'tools' is not supported with this model.", 400],
    ['deepseek-reasoner does not support Function Calling', 400],
    ['Function calling is not enabled for models/gemma-3-27b-it', 400],
    ['No endpoints found that support tool use. Try disabling "shell".', 404],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['tools param requires --jinja flag', 500],
  ])('is known by what it says, and remembered: %s', (message, status) => {
    const model = scriptedModel([])
    expect(takesTools(model)).toBe(true)
    expect(refusedTools(model, refusal(message, status))).toBe(true)
    expect(takesTools(model)).toBe(false)
    expect(takesTools(scriptedModel([]))).toBe(true)
  })

  test.each([
    "Invalid schema for function 'shell': 'const' is not supported",
    'tools.3.custom.input_schema: JSON schema is invalid',
    'This model is not available in your region',
    'maximum context length is 8192 tokens',
  ])('is not taken for one that has another trouble: %s', (message) => {
    const model = scriptedModel([])
    expect(refusedTools(model, refusal(message))).toBe(false)
    expect(takesTools(model)).toBe(true)
  })

  test.each([429, 503])('is not inferred from the answer of a busy server (%i)', (status) => {
    const model = scriptedModel([])
    expect(refusedTools(model, refusal('tool calls are not available at the moment', status))).toBe(false)
  })

  test('is not inferred from a broken connection', () => {
    const model = scriptedModel([])
    expect(refusedTools(model, new ModelError('does not support tools', { retryable: true }))).toBe(false)
  })
})
