/**
 * A model provider on loopback that says what a test tells it to, in whichever dialect the request's path asks for:
 * OpenAI chat completions (`/v1`), Anthropic messages (`/v1`), Gemini (`/v1beta`); streamed or whole.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubRequest {
  api: 'openai' | 'anthropic' | 'google'
  path: string
  headers: IncomingHttpHeaders
  /** The request's JSON, as the provider would read it. */
  body: Record<string, unknown>
  stream: boolean
  /** Settles when the client hung up before the answer was whole. */
  hungUp: Promise<void>
}

export interface StubReply {
  text?: string
  /** `rawArgs` is sent as it stands, whole or not. */
  calls?: { id?: string; tool: string; args?: unknown; rawArgs?: string }[]
  reasoning_content?: string
  usage?: { inputTokens: number; outputTokens: number }
  /** Added to the usage, as the provider itself names it. */
  wireUsage?: Record<string, unknown>
  truncated?: boolean
  /** Not 200: `text` becomes the error's message. */
  status?: number
  headers?: Record<string, string>
  /**
   * `cut`: the connection breaks half-way. `early-end`: half the stream, then a polite end. `idle`: half, then
   * silence. `silent`: not even headers. `bad-utf8`: bytes that are no UTF-8 follow the text. `garbage`: no JSON.
   * `endless`: an OpenAI stream of thoughts without an end.
   */
  fault?: 'cut' | 'early-end' | 'idle' | 'silent' | 'bad-utf8' | 'garbage' | 'endless'
}

export interface StubModel {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string
  requests: StubRequest[]
  close(): Promise<void>
}

// Stands where the broken bytes will be: one character, so that no piece of a stream can split it.
const BAD_UTF8_MARK = '\ue000'

export async function startStubModel(script: {
  reply(request: StubRequest, index: number): StubReply | Promise<StubReply>
}): Promise<StubModel> {
  const requests: StubRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const request = await readRequest(incoming, outgoing)
    requests.push(request)
    const reply = await script.reply(request, requests.length - 1)
    send(outgoing, request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<StubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const path = incoming.url ?? ''
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
  const api = path.includes('enerateContent') ? 'google' : path.includes('/messages') ? 'anthropic' : 'openai'
  return {
    api,
    path,
    headers: incoming.headers,
    body,
    stream: api === 'google' ? path.includes('streamGenerateContent') : body.stream === true,
    hungUp: new Promise((resolve) => {
      outgoing.on('close', () => {
        if (!outgoing.writableFinished) resolve()
      })
    }),
  }
}

function send(outgoing: ServerResponse, request: StubRequest, reply: StubReply): void {
  if (reply.fault === 'silent') return
  const status = reply.status ?? 200
  const streamed = request.stream && status === 200
  const type = streamed ? 'text/event-stream' : 'application/json'
  const bytes = payload(request, reply, streamed)
  outgoing.writeHead(status, { 'content-type': type, ...reply.headers })
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  switch (reply.fault) {
    case 'cut':
      outgoing.write(half, () => outgoing.destroy())
      return
    case 'idle':
      outgoing.write(half)
      return
    case 'endless':
      sendThoughts(outgoing)
      return
    case 'early-end':
      outgoing.end(streamed ? bytes.subarray(0, bytes.lastIndexOf('\n\n', half.length) + 2) : half)
      return
    default:
      outgoing.end(bytes)
  }
}

function sendThoughts(outgoing: ServerResponse): void {
  const delta = { reasoning_content: 'and yet … ' }
  const thought = data({ ...openaiHead('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: null }] })
  const timer = setInterval(() => outgoing.write(thought), 5)
  outgoing.on('close', () => clearInterval(timer))
}

function payload(request: StubRequest, reply: StubReply, streamed: boolean): Buffer {
  if (reply.status !== undefined && reply.status !== 200) return Buffer.from(errorBody(request, reply))
  if (reply.fault === 'garbage') return Buffer.from(streamed ? 'data: <html>oops\n\n' : '<html>oops')
  const marked = reply.fault === 'bad-utf8' ? { ...reply, text: `${reply.text ?? ''}${BAD_UTF8_MARK}` } : reply
  const voice = VOICES[request.api]
  const text = streamed ? voice.events(marked).join('') : JSON.stringify(voice.whole(marked))
  if (reply.fault !== 'bad-utf8') return Buffer.from(text)
  return Buffer.from(Buffer.from(text).toString('latin1').replace('\xee\x80\x80', '\xff\xfe\xc3'), 'latin1')
}

function errorBody(request: StubRequest, reply: StubReply): string {
  const message = reply.text ?? 'stub failure'
  if (request.api === 'anthropic') return JSON.stringify({ type: 'error', error: { type: 'api_error', message } })
  if (request.api === 'google') {
    return JSON.stringify({ error: { code: reply.status, message, status: 'UNAVAILABLE' } })
  }
  return JSON.stringify({ error: { message, type: 'server_error' } })
}

interface Voice {
  whole(reply: StubReply): unknown
  events(reply: StubReply): string[]
}

const DEFAULT_USAGE = { inputTokens: 11, outputTokens: 7 }

const openai: Voice = {
  whole(reply) {
    const { message, finish_reason } = openaiAnswer(reply)
    return {
      ...openaiHead('chat.completion'),
      // LangGraph takes answers with one id for one message.
      id: `chatcmpl-${randomUUID()}`,
      choices: [{ index: 0, message, finish_reason }],
      usage: openaiUsage(reply),
    }
  },
  events(reply) {
    const { message, finish_reason } = openaiAnswer(reply)
    const chunk = (delta: unknown, end: string | null = null) =>
      data({ ...openaiHead('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: end }] })
    const events = [chunk({ role: 'assistant', content: '' })]
    if (reply.reasoning_content) {
      for (const piece of pieces(reply.reasoning_content)) events.push(chunk({ reasoning_content: piece }))
    }
    for (const piece of pieces(reply.text ?? '')) events.push(chunk({ content: piece }))
    message.tool_calls?.forEach((call, index) => {
      events.push(chunk({ tool_calls: [{ ...call, index, function: { ...call.function, arguments: '' } }] }))
      for (const piece of pieces(call.function.arguments)) {
        events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
      }
    })
    events.push(chunk({}, finish_reason))
    events.push(data({ ...openaiHead('chat.completion.chunk'), choices: [], usage: openaiUsage(reply) }))
    return [...events, 'data: [DONE]\n\n']
  },
}

function openaiHead(object: string) {
  return { id: 'chatcmpl-1', object, created: 1, model: 'stub' }
}

function openaiAnswer(reply: StubReply) {
  const tool_calls = reply.calls?.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: { name: call.tool, arguments: call.rawArgs ?? JSON.stringify(call.args ?? {}) },
  }))
  const reasoning = reply.reasoning_content ? { reasoning_content: reply.reasoning_content } : {}
  return {
    message: { role: 'assistant', content: reply.text ?? null, ...reasoning, ...(tool_calls && { tool_calls }) },
    finish_reason: reply.truncated ? 'length' : tool_calls ? 'tool_calls' : 'stop',
  }
}

function openaiUsage(reply: StubReply) {
  const { inputTokens, outputTokens } = reply.usage ?? DEFAULT_USAGE
  const total_tokens = inputTokens + outputTokens
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens, ...reply.wireUsage }
}

const anthropic: Voice = {
  whole(reply) {
    return {
      ...anthropicHead(reply),
      content: [
        ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
        ...anthropicCalls(reply).map(({ json, ...block }) => ({ ...block, input: lenientJson(json) })),
      ],
      stop_reason: anthropicStop(reply),
    }
  },
  events(reply) {
    const named = (type: string, rest: object = {}) => `event: ${type}\n${data({ type, ...rest })}`
    const events = [named('message_start', { message: anthropicHead(reply) })]
    let index = 0
    const block = (content_block: unknown, deltas: unknown[]) => {
      events.push(named('content_block_start', { index, content_block }))
      for (const delta of deltas) events.push(named('content_block_delta', { index, delta }))
      events.push(named('content_block_stop', { index }))
      index++
    }
    if (reply.text !== undefined) {
      block(
        { type: 'text', text: '' },
        pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
      )
    }
    for (const { json, ...call } of anthropicCalls(reply)) {
      block(
        { ...call, input: {} },
        pieces(json).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      )
    }
    const usage = { output_tokens: (reply.usage ?? DEFAULT_USAGE).outputTokens }
    const delta = { stop_reason: anthropicStop(reply), stop_sequence: null }
    events.push(named('message_delta', { delta, usage }), named('message_stop'))
    return events
  },
}

function anthropicHead(reply: StubReply) {
  const { inputTokens, outputTokens } = reply.usage ?? DEFAULT_USAGE
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, ...reply.wireUsage },
  }
}

function anthropicCalls(reply: StubReply) {
  return (reply.calls ?? []).map((call, index) => ({
    type: 'tool_use',
    id: call.id ?? `toolu_${index}`,
    name: call.tool,
    json: call.rawArgs ?? JSON.stringify(call.args ?? {}),
  }))
}

function anthropicStop(reply: StubReply): string {
  return reply.truncated ? 'max_tokens' : reply.calls ? 'tool_use' : 'end_turn'
}

const google: Voice = {
  whole(reply) {
    return googleChunk(reply, [...googleText(reply.text), ...googleCalls(reply)], googleFinish(reply))
  },
  events(reply) {
    const texts = pieces(reply.text ?? '').map((text) => data(googleChunk(reply, googleText(text))))
    return [...texts, data(googleChunk(reply, googleCalls(reply))), data(googleChunk(reply, [], googleFinish(reply)))]
  },
}

function googleChunk(reply: StubReply, parts: unknown[], finishReason?: string) {
  const { inputTokens, outputTokens } = reply.usage ?? DEFAULT_USAGE
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
      ...reply.wireUsage,
    },
  }
}

function googleText(text: string | undefined): unknown[] {
  return text === undefined ? [] : [{ text }]
}

// Gemini sends arguments as an object, never as text, so they cannot arrive truncated.
function googleCalls(reply: StubReply): unknown[] {
  return (reply.calls ?? []).map((call) => ({
    functionCall: { name: call.tool, args: call.args ?? lenientJson(call.rawArgs ?? '{}') },
    thoughtSignature: `signed-${call.tool}`,
  }))
}

function googleFinish(reply: StubReply): string {
  return reply.truncated ? 'MAX_TOKENS' : 'STOP'
}

const VOICES: Record<StubRequest['api'], Voice> = { openai, anthropic, google }

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function pieces(text: string): string[] {
  const size = Math.ceil(text.length / 4)
  return [0, 1, 2, 3].map((i) => text.slice(i * size, (i + 1) * size)).filter((piece) => piece !== '')
}

function lenientJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { unfinished: text }
  }
}
