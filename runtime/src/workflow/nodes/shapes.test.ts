import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StubModel, type StubRequest, startStubModel } from '../../../test/support/stub-model.ts'
import { drain } from '../../base/wait.ts'
import { renderForJson } from '../../model/dialect-json.ts'
import { openModel } from '../../model/providers.ts'
import { conversationOf, type NeutralMessage } from './messages.ts'
import { SHAPES, shapesOf } from './shapes.ts'

const CONVERSATIONS: [string, NeutralMessage[]][] = [
  ['one question', [{ role: 'user', content: '你好 😀' }]],
  [
    'two turns under a system prompt',
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Hello, Ada.' },
      { role: 'user', content: 'Who am I?' },
    ],
  ],
  [
    'a tool’s result, an empty answer and two questions in a row',
    [
      { role: 'user', content: 'Look it up.' },
      { role: 'tool', content: '200 OK', tool_call_id: 'c1', name: 'http_request' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'Well?' },
      { role: 'assistant', content: 'It is there.' },
      { role: 'user', content: 'Thanks.' },
    ],
  ],
]

let stub: StubModel
beforeAll(async () => {
  stub = await startStubModel({ reply: () => ({ text: 'ok' }) })
})
afterAll(() => stub.close())

/** What the real adapter sends for the same conversation. */
async function wireOf(
  provider: 'openai' | 'anthropic' | 'google',
  messages: NeutralMessage[],
): Promise<StubRequest['body']> {
  const baseURL = stub.url + (provider === 'google' ? '/v1beta' : '/v1')
  const model = await openModel({ provider, name: 'stub', baseURL, apiKey: 'k' }, { idleMs: 10_000 })
  const { system, history } = conversationOf(messages)
  const request = {
    purpose: 'main',
    system: system.join('\n'),
    messages: renderForJson(history, 'en'),
    stream: false,
  } as const
  await drain(model.ask({ ...request, tools: [] }, new AbortController().signal))
  return stub.requests.at(-1)?.body ?? {}
}

describe.each(CONVERSATIONS)('%s', (_name, messages) => {
  const shapes = shapesOf(messages, { only: SHAPES, lang: 'en' })

  test('S3-92: the OpenAI shape is what the OpenAI adapter sends', async () => {
    const { messages: sent } = await wireOf('openai', messages)
    const spoken = (sent as { content: unknown }[]).filter(({ content }) => content !== '' && content !== null)
    expect(shapes.openai).toEqual(spoken)
  })

  test('S3-93: the Gemini shape is what the Gemini adapter sends', async () => {
    const { contents, systemInstruction } = await wireOf('google', messages)
    expect(shapes.gemini).toEqual({ contents, ...(systemInstruction === undefined ? {} : { systemInstruction }) })
  })

  test('S3-94: the Anthropic shape is what the Anthropic adapter sends', async () => {
    const { messages: sent, system } = await wireOf('anthropic', messages)
    expect(shapes.anthropic).toEqual({ messages: sent, ...(system === undefined ? {} : { system }) })
  })

  test('S3-95 S3-96: the neutral messages are the ones that were given', () => {
    expect(shapes.messages_json).toEqual(messages)
  })
})

test('S3-154: only the outputs that were asked for are made', () => {
  const [, messages] = CONVERSATIONS[0] ?? ['', []]
  expect(Object.keys(shapesOf(messages, { only: ['messages_json'], lang: 'en' }))).toEqual(['messages_json'])
  expect(Object.keys(shapesOf(messages, { only: ['anthropic', 'openai'], lang: 'en' }))).toEqual([
    'openai',
    'anthropic',
  ])
})

test('a result is in the user’s language', () => {
  const messages: NeutralMessage[] = [{ role: 'tool', content: '200', name: 'http_request' }]
  const { openai } = shapesOf(messages, { only: ['openai'], lang: 'zh' })
  expect(openai).toEqual([{ role: 'user', content: 'http_request 的观察结果：\n200' }])
})
