/** OpenAI clients can use a governed agent; tested with the official package. */
import OpenAI from 'openai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scriptedModel } from '../../src/index.ts'
import { contract } from '../../src/server/contract/contract.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import {
  call,
  makeServerPlace,
  type Part,
  readUntil,
  speaking,
  type TestPlace,
  type TestServer,
} from '../support/server.ts'

let place: TestPlace
let deeds: Deed[]
beforeEach(() => {
  place = makeServerPlace()
  deeds = []
})
afterEach(() => place.remove())

async function start(steps: Part[][]) {
  const model = speaking(steps)
  const server = await place.start({ model, tools: spyTools(deeds) })
  return { server, model, openai: clientOf(server) }
}
const clientOf = ({ url, token }: TestServer) => new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 })
const hello = { model: 'writ', messages: [{ role: 'user' as const, content: 'hello' }] }

interface Extended {
  writ: {
    sessionId: string
    runId: string
    stopReason: string
    denials: { tool: string; reason: string }[]
    question?: object
  }
}

test('the OpenAPI document includes this API, generated from its schemas', async () => {
  const { server } = await start([['hello']])
  const page = await (await server.request('/openapi.json', { token: null })).json()
  const { paths } = page as { paths: Record<string, object> }
  const schema = (of: object) => ({ content: { 'application/json': { schema: expect.objectContaining(of) } } })
  expect(paths['/v1/chat/completions']).toMatchObject({
    post: {
      requestBody: schema({ required: ['messages'] }),
      responses: { 200: { content: { 'text/event-stream': {} } } },
    },
  })
  expect(paths['/v1/models']).toHaveProperty('get')
  const answer = await server.api.call('POST /v1/chat/completions', { body: hello })
  expect(contract['POST /v1/chat/completions'].returns.parse(answer)).toEqual(answer)
  const list = await server.api.call('GET /v1/models', {})
  expect(contract['GET /v1/models'].returns.parse(list)).toEqual(list)
})

test('a completion is a governed run', async () => {
  const { openai, server } = await start([[{ calls: [call('look', { n: 1 })] }], ['I looked.']])
  const answer = await openai.chat.completions.create(hello)
  expect(answer).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'I looked.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
  })
  const { writ } = answer as unknown as Extended
  expect(writ).toMatchObject({ stopReason: 'final', denials: [] })
  expect((await server.api.call('GET /api/runs/:id/trace', { params: { id: writ.runId } })).trace).toMatchObject([
    { action: { tool: 'look' } },
  ])
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['writ', 'test/spoken'])
})

test('a streamed completion has the same text in pieces, with usage if requested', async () => {
  const { openai } = await start([['one ', 'two ', 'three']])
  const stream = await openai.chat.completions.create({
    ...hello,
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('one two three')
  expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason).toBe('stop')
  expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: expect.any(Number) })
  expect(chunks.some((chunk) => 'writ' in chunk)).toBe(true)
})

test.each([
  ['en', /^Model scripted failed: .*bad key/, /writ doctor/],
  ['zh', /[\u4e00-\u9fff]/, /writ doctor/],
])('a provider that fails for good is an error of the server, and no answer (%s)', async (lang, message, hint) => {
  const down = { purpose: 'main' as const, error: { status: 401, message: 'bad key' } }
  const server = await place.start({ model: scriptedModel([down, down]) })
  const openai = clientOf(server)
  const headers = { 'Accept-Language': lang }
  const failed = await openai.chat.completions.create(hello, { headers }).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    status: 502,
    error: {
      type: 'server_error',
      code: 'PROVIDER_ERROR',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    },
  })
  expect((failed as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false')

  const stream = await openai.chat.completions.create({ ...hello, stream: true }, { headers })
  let text = ''
  const read = async () => {
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  }
  await expect(read()).rejects.toMatchObject({ error: { type: 'server_error', code: 'PROVIDER_ERROR' } })
  expect(text).toBe('')
})

test('an answer cut at the token limit says so as their clients know it', async () => {
  const spoken = speaking([['half an ans'], ['half an ans']])
  const model: typeof spoken = {
    ...spoken,
    async *ask(request, signal) {
      return { ...(yield* spoken.ask(request, signal)), truncated: request.purpose === 'main' }
    },
  }
  const openai = clientOf(await place.start({ model }))
  const answer = await openai.chat.completions.create(hello)
  expect(answer.choices[0]).toMatchObject({ finish_reason: 'length' })
  expect(answer.choices[0]?.message.content).toMatch(/^half an ans/)
  const reasons: unknown[] = []
  for await (const { choices } of await openai.chat.completions.create({ ...hello, stream: true }))
    reasons.push(choices[0]?.finish_reason)
  expect(reasons.filter(Boolean)).toEqual(['length'])
})

test('the history comes from the client, or from the session it names', async () => {
  const { openai, model } = await start([['one'], ['two'], ['three']])
  const answer = await openai.chat.completions.create({
    model: 'writ',
    messages: [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: [{ type: 'text', text: 'second' }] },
    ],
  })
  expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(['first', 'yes', 'second'])
  expect(model.requests[0]?.system).toContain('You are terse.')

  const { sessionId } = (answer as unknown as Extended).writ
  await openai.chat.completions.create(hello, { headers: { 'X-Writ-Session': sessionId } })
  expect(model.requests[1]?.messages.map(({ content }) => content).at(-1)).toBe('hello')
  expect(model.requests[1]?.messages.length).toBeGreaterThan(3)
  await openai.chat.completions.create(hello)
  expect(model.requests[2]?.messages.map(({ content }) => content)).toEqual(['hello'])
})

test('a denied call is in the extension, and the reply is readable', async () => {
  const { openai } = await start([[{ calls: [call('nonsense', {})] }], ['There is no such tool.']])
  const answer = await openai.chat.completions.create(hello)
  expect((answer as unknown as Extended).writ.denials).toMatchObject([{ tool: 'nonsense', reason: 'UNKNOWN_TOOL' }])
})

test.each([false, true])(
  'an approval request is returned as text and as data, and waits for its answer (streamed: %s)',
  async (stream) => {
    const { openai, server } = await start([[{ calls: [call('change', { n: 1 })] }], ['changed']])
    let text = ''
    let writ: Extended['writ'] | undefined
    if (stream) {
      for await (const chunk of await openai.chat.completions.create({ ...hello, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
        writ = (chunk as unknown as Extended).writ ?? writ
      }
    } else {
      const answer = await openai.chat.completions.create(hello)
      text = answer.choices[0]?.message.content ?? ''
      writ = (answer as unknown as Extended).writ
    }
    expect(text).toMatch(/need approval to do this[\s\S]*change[\s\S]*"n": 1/)
    expect(writ).toMatchObject({ stopReason: 'parked', question: { tool: 'change', reasons: expect.any(Array) } })
    const { open } = await server.api.call('GET /api/approvals', {})
    const { runId = '' } = writ ?? {}
    expect(open).toMatchObject([{ runId }])
    await server.api.call('POST /api/approvals/:runId', {
      params: { runId },
      body: { callId: open[0]?.question.callId ?? '', answer: 'y' },
    })
    await readUntil(server.api.stream('GET /api/runs/:id/events', { params: { id: runId } }), 'turn.committed')
    expect(deeds.length).toBe(1)
  },
)

test('closing the connection stops the run', async () => {
  const { openai, server } = await start([['never ', new Promise(() => {}), 'ends']])
  const stop = new AbortController()
  const stream = await openai.chat.completions.create({ ...hello, stream: true }, { signal: stop.signal })
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'never ') stop.abort()
  await expect.poll(async () => (await server.api.call('GET /api/runs', {})).runs[0]?.stopReason).toBe('aborted')
})

test('errors have the format of OpenAI clients', async () => {
  const { openai, server } = await start([])
  await expect(openai.chat.completions.create({ model: 'writ', messages: [] })).rejects.toMatchObject({ status: 400 })
  const assistantLast = { model: 'writ', messages: [{ role: 'assistant' as const, content: 'hi' }] }
  await expect(openai.chat.completions.create(assistantLast)).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST',
  })
  const unauthorized = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0 })
  await expect(unauthorized.chat.completions.create(hello)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  const bodies = [
    server.request('/v1/models', { token: null }),
    server.request('/v1/nowhere'),
    server.request('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hi' }),
  ].map(async (answer) => (await answer).json())
  const type = 'invalid_request_error'
  for (const body of await Promise.all(bodies)) {
    expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String), type, param: null } })
  }
})

test('a client can look up a model; an unknown one is 404', async () => {
  const { openai, model } = await start([])
  expect(await openai.models.retrieve('writ')).toMatchObject({ id: 'writ', object: 'model' })
  expect(await openai.models.retrieve(model.id)).toMatchObject({ id: model.id })
  await expect(openai.models.retrieve('gpt-0')).rejects.toMatchObject({ status: 404, code: 'MODEL_UNKNOWN' })
})

test('unsupported input is rejected, not ignored: several answers, audio, what is no picture, stored files', async () => {
  const { openai, model } = await start([['hello']])
  const refused = { status: 400, code: 'INVALID_REQUEST' }
  await expect(openai.chat.completions.create({ ...hello, n: 2 })).rejects.toMatchObject(refused)
  const part = (one: OpenAI.ChatCompletionContentPart) =>
    openai.chat.completions.create({
      model: 'writ',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'what is this?' }, one] }],
    })
  const image = part({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })
  await expect(image).rejects.toMatchObject({ status: 415, code: 'ATTACHMENT_INVALID' })
  await expect(part({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })).rejects.toMatchObject(
    refused,
  )
  await expect(part({ type: 'file', file: { file_id: 'f' } })).rejects.toMatchObject({
    status: 400,
    code: 'ATTACHMENT_INVALID',
  })
  expect(model.requests).toEqual([])
  const { choices } = await openai.chat.completions.create({ ...hello, n: 1 })
  expect(choices[0]?.message.content).toContain('hello')
})

test.each([false, true])('an approval request shows hidden and reordering characters (stream: %s)', async (stream) => {
  const content = 'if (user \u202e// admin\u200b) { p\u0430y() }'
  const { server } = await start([[{ calls: [call('file_write', { path: 'run\u202eyp.txt', content })] }]])
  const response = await server.request('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...hello, stream }),
  })
  const text = await response.text()
  const said = stream
    ? text.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    : [JSON.parse(text)]
  const shown = said.flatMap(({ choices }) => choices.map(({ delta, message }: Spoken) => (message ?? delta)?.content))
  expect(shown.join('')).toContain('file_write run\\u{202e}yp.txt:')
  expect(shown.join('')).toContain('p\\u{430}y')
  expect(shown.join('')).not.toMatch(/[\u202e\u200b\u0430]/)
})

interface Spoken {
  delta?: { content?: string }
  message?: { content: string }
}
