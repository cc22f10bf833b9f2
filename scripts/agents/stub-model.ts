/**
 * The model APIs of three agents, on loopback: each answers with the next call of a script, then with a text. The step
 * is the number of results in the conversation, so a repeated request gets the same answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedCall {
  tool: string
  args: Record<string, unknown>
  /** Where the agent groups its tools. */
  namespace?: string
}

interface ScriptOptions {
  text?: string
  helper?: readonly ScriptedCall[]
  /** Awaited before a step is answered, with what the agent sent. */
  before?(step: number, said: string): Promise<void>
}

export interface StubModel {
  url: string
  /** What the next conversation does, and what a sub-agent does whose task contains `HELPER`. */
  script(calls: readonly ScriptedCall[], options?: ScriptOptions): void
  /** The last request with tools of each conversation, as the agent sent it. */
  readonly requests: Record<string, unknown>[]
  close(): Promise<void>
}

type Body = Record<string, unknown>

export async function startStubModel(): Promise<StubModel> {
  let calls: readonly ScriptedCall[] = []
  let text = 'done'
  let helper: readonly ScriptedCall[] = []
  let before: ScriptOptions['before']
  const requests: Body[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const path = new URL(request.url ?? '/', 'http://stub').pathname
    const hasTools = Array.isArray(body.tools) && body.tools.length > 0
    if (hasTools) requests.push(body)
    const running = /session ID (\d+)/.exec(JSON.stringify(body.input ?? ''))?.[1]
    if (running) for (const c of calls) if (c.args.session_id === 1) c.args.session_id = Number(running)
    const script = isHelper(body) ? helper : calls
    if (hasTools) await before?.(stepOf(body), JSON.stringify(body))
    const next = hasTools ? script[stepOf(body)] : undefined
    if (path.endsWith('/messages')) anthropic(response, next, text)
    else if (path.endsWith('/responses')) responses(response, next, text)
    else if (path.endsWith('/chat/completions')) chat(response, next, text)
    else if (path.endsWith('/count_tokens')) response.end(JSON.stringify({ input_tokens: 10 }))
    else response.end(JSON.stringify({ data: [], models: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script(next, own = {}) {
      calls = next
      text = own.text ?? 'done'
      helper = own.helper ?? []
      before = own.before
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
  } catch {
    return {}
  }
}

/** Its first message is the task that the model of another conversation wrote. */
function isHelper({ messages, input }: Body): boolean {
  const said = [messages, input].flat().filter((message) => (message as Body | undefined)?.role === 'user')
  return said.some((message) => JSON.stringify(message).includes('HELPER'))
}

/** How many results the conversation has, in the form of any of the three APIs. */
function stepOf({ messages, input }: Body): number {
  return [messages, input].flat().reduce((sum: number, message) => {
    const { role, type, content } = (message ?? {}) as Body
    if (role === 'tool' || String(type).endsWith('_output')) return sum + 1
    const blocks = Array.isArray(content) ? content : []
    return sum + blocks.filter((block: Body) => block.type === 'tool_result').length
  }, 0)
}

function stream(response: ServerResponse, events: readonly (readonly [string, unknown])[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of events) {
    response.write(
      `${name === '' ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  }
  response.end()
}

let ids = 0
const nextId = (prefix: string) => `${prefix}_${String(++ids).padStart(6, '0')}`

function anthropic(response: ServerResponse, call: ScriptedCall | undefined, text: string): void {
  const block =
    call === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: nextId('toolu'), name: call.tool, input: {} }
  const delta =
    call === undefined
      ? { type: 'text_delta', text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
  const usage = { input_tokens: 10, output_tokens: 5 }
  const message = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  stream(response, [
    ['message_start', { type: 'message_start', message }],
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
    ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    [
      'message_delta',
      {
        type: 'message_delta',
        delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage,
      },
    ],
    ['message_stop', { type: 'message_stop' }],
  ])
}

function responses(response: ServerResponse, call: ScriptedCall | undefined, text: string): void {
  const id = nextId('resp')
  const item =
    call === undefined
      ? { type: 'message', role: 'assistant', id: nextId('msg'), content: [{ type: 'output_text', text }] }
      : call.tool === 'tool_search'
        ? { type: 'tool_search_call', call_id: nextId('call'), execution: 'client', arguments: call.args }
        : 'input' in call.args && Object.keys(call.args).length === 1 && call.tool === 'apply_patch'
          ? {
              type: 'custom_tool_call',
              id: nextId('ctc'),
              call_id: nextId('call'),
              name: call.tool,
              input: call.args.input,
            }
          : {
              type: 'function_call',
              id: nextId('fc'),
              call_id: nextId('call'),
              name: call.tool,
              arguments: JSON.stringify(call.args),
              ...(call.namespace !== undefined && { namespace: call.namespace }),
            }
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  }
  stream(response, [
    ['response.created', { type: 'response.created', response: { id } }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response: { id, usage } }],
  ])
}

function chat(response: ServerResponse, call: ScriptedCall | undefined, text: string): void {
  const chunk = (delta: unknown, finish: string | null) => ({
    id: nextId('chat'),
    object: 'chat.completion.chunk',
    created: 0,
    model: 'stub',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null ? {} : { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
  })
  const delta =
    call === undefined
      ? { role: 'assistant', content: text }
      : {
          role: 'assistant',
          tool_calls: [
            {
              index: 0,
              id: nextId('call'),
              type: 'function',
              function: { name: call.tool, arguments: JSON.stringify(call.args) },
            },
          ],
        }
  stream(response, [
    ['', chunk(delta, null)],
    ['', chunk({}, call === undefined ? 'stop' : 'tool_calls')],
    ['', '[DONE]'],
  ])
}
