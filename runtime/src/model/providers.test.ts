import { afterEach, describe, expect, test } from 'vitest'
import { type StubModel, type StubReply, type StubRequest, startStubModel } from '../../test/support/stub-model.ts'
import { until } from '../../test/support/until.ts'
import { whyText } from '../i18n/why.ts'
import type { Message } from '../protocol/message.ts'
import { UNMETERED } from './meter.ts'
import { type Completion, type Model, ModelError, type ModelRequest, type ToolSpec } from './model.ts'
import { type ModelLimits, type ModelSpec, openModel, type Provider } from './providers.ts'
import { askWithRetry } from './retry.ts'

const OVER_HTTP: { provider: Provider; path: string }[] = [
  { provider: 'openai', path: '/v1' },
  { provider: 'anthropic', path: '/v1' },
  { provider: 'google', path: '/v1beta' },
  { provider: 'deepseek', path: '/v1' },
  { provider: 'zhipu', path: '/v1' },
  { provider: 'ollama', path: '/v1' },
  { provider: 'compatible', path: '/v1' },
]
const EVERY_WAY = OVER_HTTP.flatMap((way) => [true, false].map((stream) => ({ ...way, stream })))
const STREAMS = EVERY_WAY.filter((way) => way.stream)

const TOOLS: ToolSpec[] = [
  {
    name: 'file_read',
    description: 'reads a file',
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]

let stub: StubModel
afterEach(() => stub.close())

async function open(
  way: { provider: Provider; path: string },
  reply: StubReply | ((request: StubRequest, index: number) => StubReply),
  spec: Partial<ModelSpec> & Partial<ModelLimits> = {},
): Promise<Model> {
  stub = await startStubModel({ reply: typeof reply === 'function' ? reply : () => reply })
  const { idleMs = 20_000, totalMs = 20_000, ...rest } = spec
  const { provider, path } = way
  return openModel(
    { provider, name: 'stub-1', baseURL: stub.url + path, apiKey: 'k-canary', ...rest },
    { idleMs, totalMs },
  )
}

function request(stream: boolean, rest: Partial<ModelRequest> = {}): ModelRequest {
  return { purpose: 'main', system: 'be brief', messages: [{ role: 'user', content: 'hi' }], stream, ...rest }
}

async function drain(model: Model, what: ModelRequest, signal = new AbortController().signal) {
  const pieces: string[] = []
  const answer = model.ask(what, signal)
  for (let next = await answer.next(); ; next = await answer.next()) {
    if (next.done) return { pieces, ...next.value }
    pieces.push(next.value)
  }
}

async function failure(asking: Promise<unknown>): Promise<ModelError> {
  const error = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  return error as ModelError
}

describe.each(EVERY_WAY)('$provider, stream $stream', (way) => {
  test('text, usage and identity come through', async () => {
    const model = await open(way, { text: 'hello, 世界', usage: { inputTokens: 21, outputTokens: 4 } })
    const answer = await drain(model, request(way.stream, { temperature: 0.1 }))
    expect(answer).toMatchObject({ text: 'hello, 世界', calls: [], truncated: false })
    expect(answer.usage).toEqual({ inputTokens: 21, outputTokens: 4 })
    expect(answer.pieces.join('')).toBe(way.stream ? 'hello, 世界' : '')
    expect(model).toMatchObject({ id: `${way.provider}/stub-1`, route: 'CloudLlm' })
    const [asked] = stub.requests
    expect(JSON.stringify(asked?.headers)).toContain('k-canary')
    expect(JSON.stringify(asked?.body)).toContain('be brief')
  })

  test('S1-52: native tool schemas are sent, and parallel calls come back in order', async () => {
    const model = await open(way, {
      text: 'reading',
      calls: [
        { id: 'a', tool: 'file_read', args: { path: 'a.md' } },
        { id: 'b', tool: 'file_read', args: { path: 'b.md' } },
      ],
    })
    const answer = await drain(model, request(way.stream, { tools: TOOLS }))
    expect(JSON.stringify(stub.requests[0]?.body)).toContain('reads a file')
    expect(answer.text).toBe('reading')
    expect(answer.calls.map((call) => ('args' in call ? [call.tool, call.args] : call))).toEqual([
      ['file_read', { path: 'a.md' }],
      ['file_read', { path: 'b.md' }],
    ])
  })

  test('results of parallel calls are sent next to their calls', async () => {
    const model = await open(way, { text: 'done' })
    const messages: Message[] = [
      { role: 'user', content: 'read both' },
      {
        role: 'assistant',
        content: '',
        calls: [
          { id: 'a', tool: 'file_read', args: { path: 'a.md' } },
          { id: 'b', tool: 'file_read', args: { path: 'b.md' } },
        ],
      },
      { role: 'tool', callId: 'a', tool: 'file_read', content: 'alpha text' },
      { role: 'tool', callId: 'b', tool: 'file_read', content: 'beta text' },
    ]
    await drain(model, request(way.stream, { messages, tools: TOOLS }))
    const sent = JSON.stringify(stub.requests[0]?.body)
    for (const fact of ['a.md', 'b.md', 'alpha text', 'beta text']) expect(sent).toContain(fact)
    expect(sent.indexOf('alpha text')).toBeLessThan(sent.indexOf('beta text'))
  })

  test('only role and content of a message are sent, not our metadata', async () => {
    const model = await open(way, { text: 'x' })
    const messages: Message[] = [{ role: 'user', content: 'hi', own: 'words-of-a-person', by: 'runtime' }]
    await drain(model, request(way.stream, { messages }))
    const sent = JSON.stringify(stub.requests[0]?.body)
    expect(sent).toContain('hi')
    for (const note of ['words-of-a-person', '"by"']) expect(sent).not.toContain(note)
  })

  test('an answer cut at the token limit is marked as truncated', async () => {
    const model = await open(way, { text: 'half an ans', truncated: true })
    expect(await drain(model, request(way.stream))).toMatchObject({ text: 'half an ans', truncated: true })
  })

  test('429 waits for Retry-After, and the answer then arrives once', async () => {
    const model = await open(way, (_, index) =>
      index === 0 ? { status: 429, text: 'slow down', headers: { 'retry-after': '2' } } : { text: 'here' },
    )
    const waits: number[] = []
    const answer = await drainRetrying(model, request(way.stream), waits)
    expect(answer).toMatchObject({ text: 'here' })
    expect(waits).toEqual([2000])
  })

  test('500 is tried three times in all, then the error names provider, status and message', async () => {
    const model = await open(way, { status: 500, text: 'kaputt' })
    const error = await failure(drainRetrying(model, request(way.stream), []))
    expect(error).toMatchObject({ status: 500, retryable: true })
    expect(error.message).toContain(`${way.provider}: HTTP 500: kaputt`)
    expect(stub.requests).toHaveLength(3)
  })

  test.each([400, 401, 404])('%i is not retried', async (status) => {
    const model = await open(way, { status, text: 'no such thing' })
    const error = await failure(drainRetrying(model, request(way.stream), []))
    expect(error).toMatchObject({ status, retryable: false })
    expect(error.message).toContain('no such thing')
    expect(error.message).not.toContain('k-canary')
    expect(stub.requests).toHaveLength(1)
  })

  test('a connection that breaks in the middle is a retryable failure, never a short answer', async () => {
    const model = await open(way, { text: 'a long answer '.repeat(50), fault: 'cut' })
    expect(await failure(drain(model, request(way.stream)))).toMatchObject({ retryable: true, status: undefined })
  })

  test('an answer that ends cleanly but too early is a retryable failure', async () => {
    const model = await open(way, { text: 'a long answer '.repeat(50), fault: 'early-end' })
    expect(await failure(drain(model, request(way.stream)))).toMatchObject({ retryable: true })
  })

  test('S1-117 X-MODEL-5: an idle limit ends a stream, and a time limit ends an answer that is not streamed', async () => {
    for (const fault of ['silent', 'idle'] as const) {
      const limits = way.stream ? { idleMs: 60 } : { idleMs: 10, totalMs: 60 }
      const model = await open(way, { text: 'a long answer '.repeat(50), fault }, limits)
      const error = await failure(drain(model, request(way.stream)))
      expect(error.retryable).toBe(way.stream)
      expect(error.message).toContain(
        way.stream ? 'sent nothing for 60 ms' : 'did not complete its answer within 60 ms',
      )
      expect(whyText(error.why, 'zh')).toContain(`agent.limits.${way.stream ? 'modelIdleMs' : 'modelTotalMs'}`)
      if (fault === 'silent') await stub.close()
    }
  })

  test('bytes that are not UTF-8 become replacement characters', async () => {
    const model = await open(way, { text: 'ok ', fault: 'bad-utf8' })
    expect((await drain(model, request(way.stream))).text).toMatch(/^ok �+$/)
  })

  test('a body that is not JSON is a clear failure', async () => {
    const model = await open(way, { fault: 'garbage' })
    expect((await failure(drain(model, request(way.stream)))).message).toContain(way.provider)
  })

  test('a line of ten megabytes arrives whole', async () => {
    const text = '长'.repeat(3_500_000)
    const model = await open(way, { text })
    expect((await drain(model, request(way.stream))).text === text).toBe(true)
  })

  test('abort closes the socket immediately and is not reported as a provider failure', async () => {
    const model = await open(way, { text: 'a long answer '.repeat(50), fault: 'idle' })
    const controller = new AbortController()
    const asking = drain(model, request(way.stream), controller.signal)
    await until(() => stub.requests.length > 0)
    controller.abort(new Error('the user left'))
    await expect(asking).rejects.toThrow('the user left')
    await stub.requests[0]?.hungUp
  })

  test('a reader that stops early closes the socket', async () => {
    if (!way.stream) return
    const model = await open(way, { text: 'a long answer '.repeat(50), fault: 'idle' })
    const answer = model.ask(request(true), new AbortController().signal)
    await answer.next()
    await answer.return({} as Completion)
    await stub.requests[0]?.hungUp
  })
})

async function drainRetrying(model: Model, what: ModelRequest, waits: number[]): Promise<Completion> {
  const answer = askWithRetry(model, what, {
    meter: UNMETERED,
    signal: new AbortController().signal,
    sleep: async (ms) => void waits.push(ms),
  })
  for (let next = await answer.next(); ; next = await answer.next()) if (next.done) return next.value
}

describe.each(STREAMS.filter((way) => way.provider !== 'google'))('$provider', (way) => {
  test('cut-off arguments are passed on as text, not guessed', async () => {
    const model = await open(way, { calls: [{ tool: 'file_read', rawArgs: '{"path":"a' }], truncated: true })
    const answer = await drain(model, request(true, { tools: TOOLS }))
    expect(answer.calls).toMatchObject([{ tool: 'file_read', rawArgs: '{"path":"a' }])
  })
})

test.each<Provider>(['openai', 'compatible'])(
  'X-MODEL-5: %s thinks without end; the time limit ends the stream and is named',
  async (provider) => {
    const model = await open({ provider, path: '/v1' }, { fault: 'endless' }, { totalMs: 100 })
    const error = await failure(drain(model, request(true)))
    expect(error.retryable).toBe(false)
    expect(error.message).toContain('did not complete its answer within 100 ms')
    expect(error.message).toContain('agent.limits.modelTotalMs')
    await stub.requests[0]?.hungUp
  },
)

describe('reasoning_content', () => {
  const back: Message[] = [
    { role: 'user', content: 'think' },
    {
      role: 'assistant',
      content: '',
      reasoning_content: ' first,\n  then ',
      calls: [{ id: 'a', tool: 'file_read', args: { path: 'a.md' } }],
    },
    { role: 'tool', callId: 'a', tool: 'file_read', content: 'alpha' },
  ]

  test.each(EVERY_WAY.filter((way) => !['openai', 'anthropic', 'google'].includes(way.provider)))(
    'S1-85, S1-88: $provider (stream $stream) gives it and gets it back to the letter',
    async (way) => {
      const model = await open(way, { text: 'so', reasoning_content: ' first,\n  then ' })
      const answer = await drain(model, request(way.stream, { messages: back }))
      expect(answer).toMatchObject({ text: 'so', reasoning_content: ' first,\n  then ' })
      expect(stub.requests[0]?.body.messages).toContainEqual(
        expect.objectContaining({ role: 'assistant', reasoning_content: ' first,\n  then ' }),
      )
    },
  )

  test.each(EVERY_WAY.filter((way) => ['openai', 'anthropic', 'google'].includes(way.provider)))(
    'S1-91: $provider (stream $stream) sees no such key',
    async (way) => {
      const model = await open(way, { text: 'so' })
      const answer = await drain(model, request(way.stream, { messages: back }))
      expect(answer.reasoning_content).toBeUndefined()
      expect(JSON.stringify(stub.requests[0]?.body)).not.toContain('first,')
    },
  )

  test('only DeepSeek keeps the reasoning of earlier turns beside their tool calls', async () => {
    for (const way of OVER_HTTP) {
      const model = await open(way, { text: '' })
      expect(model.reasoning).toBe(way.provider === 'deepseek' ? 'keep-with-tool-calls' : 'clear')
      await stub.close()
    }
  })
})

test('Gemini gets its signature back with the call it signed', async () => {
  const way = { provider: 'google' as const, path: '/v1beta' }
  const model = await open(way, { calls: [{ tool: 'file_read', args: { path: 'a.md' } }] })
  await drain(model, request(false, { tools: TOOLS }))
  const messages: Message[] = [
    { role: 'user', content: 'read' },
    { role: 'assistant', content: '', calls: [{ id: 'ours', tool: 'file_read', args: { path: 'a.md' } }] },
    { role: 'tool', callId: 'ours', tool: 'file_read', content: 'alpha' },
  ]
  await drain(model, request(false, { messages, tools: TOOLS }))
  expect(JSON.stringify(stub.requests[1]?.body)).toContain('signed-file_read')
})

test('a request without tools has no tool parameter', async () => {
  for (const way of OVER_HTTP) {
    const model = await open(way, { text: 'x' })
    await drain(model, request(false))
    expect(stub.requests[0]?.body).not.toHaveProperty('tools')
    await stub.close()
  }
})

test('an answer withheld by the content filter is a failure that is not retried', async () => {
  stub = await startStubModel({ reply: () => ({ text: '' }) })
  const { createServer } = await import('node:http')
  const server = createServer((_, out) => {
    out.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: '' }
    out.end(
      JSON.stringify({
        id: '1',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'content_filter' }],
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const spec = { provider: 'compatible' as const, name: 'm', baseURL: `http://127.0.0.1:${port}/v1` }
  const model = await openModel(spec, { idleMs: 20_000 })
  expect(await failure(drain(model, request(false)))).toMatchObject({ retryable: false })
  server.close()
})

test('compatible without an address is an error that names the setting', async () => {
  stub = await startStubModel({ reply: () => ({}) })
  await expect(openModel({ provider: 'compatible', name: 'm' }, { idleMs: 1000 })).rejects.toMatchObject({
    code: 'MODEL_BASE_URL_MISSING',
  })
})

/** What each provider reports, and how it is counted: the input includes what was cached. */
const CACHED = [
  { provider: 'openai', wireUsage: { prompt_tokens_details: { cached_tokens: 600 } }, usage: { inputTokens: 1000 } },
  {
    provider: 'anthropic',
    usage: { inputTokens: 300 },
    wireUsage: { cache_read_input_tokens: 600, cache_creation_input_tokens: 100 },
    cacheWriteTokens: 100,
  },
  { provider: 'google', wireUsage: { cachedContentTokenCount: 600 }, usage: { inputTokens: 1000 } },
  { provider: 'deepseek', wireUsage: { prompt_cache_hit_tokens: 600 }, usage: { inputTokens: 1000 } },
  { provider: 'zhipu', wireUsage: { prompt_tokens_details: { cached_tokens: 600 } }, usage: { inputTokens: 1000 } },
] as const

describe('cached tokens', () => {
  const ways = CACHED.flatMap((one) => [true, false].map((stream) => ({ ...one, stream })))
  test.each(ways)('X-BUDGET-9: $provider reports cached input, streamed $stream', async (one) => {
    const { provider, wireUsage, usage, stream } = one
    const path = provider === 'google' ? '/v1beta' : '/v1'
    const reply = { text: 'hi', usage: { ...usage, outputTokens: 7 }, wireUsage }
    const { usage: counted } = await drain(await open({ provider, path }, reply), request(stream))
    const written = 'cacheWriteTokens' in one ? { cacheWriteTokens: one.cacheWriteTokens } : {}
    expect(counted).toEqual({ inputTokens: 1000, outputTokens: 7, cachedInputTokens: 600, ...written })
  })

  test.each([
    ['negative counts', { prompt_tokens: -5_000_000, completion_tokens: 3 }],
    ['fractions', { prompt_tokens: 10.5, completion_tokens: 3 }],
  ])('X-BUDGET-9: %s are no usage: it is estimated instead', async (_, wireUsage) => {
    const { usage } = await drain(
      await open({ provider: 'compatible', path: '/v1' }, { text: 'hello', wireUsage }),
      request(true),
    )
    expect(usage.inputTokens).toBeGreaterThan(0)
    expect(usage.outputTokens).toBeGreaterThan(0)
  })

  test('X-BUDGET-9: no more tokens are cached than were sent', async () => {
    const wireUsage = { prompt_tokens_details: { cached_tokens: 9_999 } }
    const reply = { text: 'hi', usage: { inputTokens: 100, outputTokens: 7 }, wireUsage }
    const { usage } = await drain(await open({ provider: 'compatible', path: '/v1' }, reply), request(true))
    expect(usage.cachedInputTokens).toBe(100)
  })
})

describe('S1-307: prompt caches', () => {
  const cached = request(false, {
    system: 'STABLE\n\nCHANGING',
    cache: { key: 'ses_1', stable: 6 },
    messages: [
      { role: 'user', content: 'task' },
      { role: 'assistant', content: '', calls: [{ id: 'c1', tool: 'file_read', args: {} }] },
      { role: 'tool', callId: 'c1', tool: 'file_read', content: 'text' },
    ],
    tools: TOOLS,
  })

  test('Anthropic gets at most four marks: the stable part, the whole system text, the previous end and the end', async () => {
    const model = await open({ provider: 'anthropic', path: '/v1' }, { text: 'ok' })
    await drain(model, cached)
    const { system, messages } = (stub.requests[0]?.body ?? {}) as {
      system: { text: string; cache_control?: unknown }[]
      messages: { content: { type: string; cache_control?: unknown }[] }[]
    }
    expect(system.map(({ text, cache_control }) => [text, cache_control])).toEqual([
      ['STABLE', { type: 'ephemeral' }],
      ['CHANGING', { type: 'ephemeral' }],
    ])
    expect(messages.map(({ content }) => content.some((block) => block.cache_control !== undefined))).toEqual([
      true,
      false,
      true,
    ])
  })

  test('OpenAI gets the key of the conversation, and the system text as one', async () => {
    const model = await open({ provider: 'openai', path: '/v1' }, { text: 'ok' })
    await drain(model, cached)
    expect(stub.requests[0]?.body).toMatchObject({
      prompt_cache_key: 'ses_1',
      messages: [{ role: 'system', content: 'STABLE\n\nCHANGING' }, {}, {}, {}],
    })
  })

  test.each(['google', 'deepseek', 'zhipu', 'ollama', 'compatible'] as const)('%s gets nothing', async (provider) => {
    const model = await open({ provider, path: provider === 'google' ? '/v1beta' : '/v1' }, { text: 'ok' })
    await drain(model, cached)
    expect(JSON.stringify(stub.requests[0]?.body)).not.toMatch(/cache/)
  })
})
