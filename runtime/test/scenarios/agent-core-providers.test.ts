/** S3 §11: one protocol, three providers. The same conversations through the real adapters give the same bytes. */
import { afterEach, describe, expect, test } from 'vitest'
import { openModel } from '../../src/model/providers.ts'
import { jsonTransformTool } from '../../src/tool/builtin/json-transform.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { action, final, runNode } from '../support/agent-core.ts'
import { type StubModel, type StubReply, startStubModel } from '../support/stub-model.ts'

const PROVIDERS = [
  { provider: 'openai', path: '/v1', api: 'openai' },
  { provider: 'google', path: '/v1beta', api: 'google' },
  { provider: 'anthropic', path: '/v1', api: 'anthropic' },
] as const
type Named = (typeof PROVIDERS)[number]

const pick = { input: { total: 42 }, expression: 'total' }

const CONVERSATIONS = [
  { name: 'a plain answer', says: [final('里斯本 😀')], finish: 'final' },
  { name: 'one tool, then the answer', says: [action('json_transform', pick), final('It is 42.')], finish: 'final' },
  {
    name: 'a broken reply that is repaired',
    says: [`好的，${final('x')}`, action('json_transform', pick), '{"type":"final"', final('42')],
    finish: 'final',
  },
]

/** Where each provider's request says which model, how hot, what before, and with which functions. */
const READ: Record<Named['api'], (body: Record<string, unknown>, path: string) => Record<string, unknown>> = {
  openai: ({ model, temperature, tools, messages }) => ({ model, temperature, tools, turns: messages }),
  anthropic: ({ model, temperature, tools, messages }) => ({ model, temperature, tools, turns: messages }),
  google: ({ generationConfig, tools, contents }, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1],
    temperature: (generationConfig as { temperature?: number }).temperature,
    tools,
    turns: contents,
  }),
}

const stubs: StubModel[] = []
afterEach(() => Promise.all(stubs.splice(0).map((one) => one.close())))

async function converse({ provider, path }: Named, replies: readonly StubReply[]) {
  const stub = await startStubModel({ reply: (_, index) => replies[index] ?? { status: 400, text: 'out of lines' } })
  stubs.push(stub)
  const model = await openModel(
    { provider, name: 'gpt-4o-mini', baseURL: stub.url + path, apiKey: 'k' },
    { idleMs: 5000 },
  )
  const { output } = await runNode(
    {
      model: `${provider}/gpt-4o-mini`,
      temperature: 0.3,
      max_steps: 5,
      allowed_tools: ['json_transform'],
      prompt: 'What is the total?',
    },
    { model, tools: [jsonTransformTool as Tool] },
  )
  return { output, requests: stub.requests }
}

const texts = (...lines: string[]): StubReply[] => lines.map((text) => ({ text }))

describe.each(CONVERSATIONS)('S3-1 S3-127: $name', ({ says: lines, finish }) => {
  test('the result is the same, byte for byte, on OpenAI, Gemini and Anthropic', async () => {
    const results: string[] = []
    for (const provider of PROVIDERS) {
      const { output, requests } = await converse(provider, texts(...lines))
      expect(output.finish_reason, provider.provider).toBe(finish)
      expect(requests.map(({ api }) => api)).toEqual(lines.map(() => provider.api))
      results.push(JSON.stringify(output))
    }
    expect(new Set(results).size).toBe(1)
  })
})

test.each(PROVIDERS)(
  'S3-15 S3-54 S3-55 S3-140: $provider is asked by name and temperature, without functions',
  async (one) => {
    const { requests } = await converse(one, texts(action('json_transform', pick), final('It is 42.')))
    for (const { body, path } of requests) {
      const { model, temperature, tools } = READ[one.api](body, path)
      expect({ model, temperature, tools }).toEqual({ model: 'gpt-4o-mini', temperature: 0.3, tools: undefined })
      expect(JSON.stringify(body)).toContain('json_transform')
    }
    expect(JSON.stringify(READ[one.api](requests[1]?.body ?? {}, ''))).toContain('Observation from json_transform')
  },
)

test.each(PROVIDERS)('S3-33: $provider is told what was wrong with its reply', async (one) => {
  const { requests } = await converse(one, texts(`Sure! ${final('x')}`, final('x')))
  expect(JSON.stringify(requests[1]?.body)).toContain('no words before the JSON')
})

test.each(PROVIDERS)('S3-47: $provider’s failure ends the run, not the workflow', async (one) => {
  const { output } = await converse(one, [{ status: 400, text: 'bad key' }])
  expect(output).toMatchObject({ finish_reason: 'provider_error', final_answer: '', trace: [], used_tools: {} })
})
