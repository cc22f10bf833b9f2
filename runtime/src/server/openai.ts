/**
 * The agent behind the interface every OpenAI client speaks. It is governed as anywhere else: what the gate refuses or
 * a person must allow comes back as readable text, and as `writ` beside it for programs.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { RunResult } from '../assembly/agent.ts'
import { messageOf } from '../base/errors.ts'
import { questionOf } from '../journal/questions.ts'
import { streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import type { Question } from '../protocol/verdict.ts'
import type { demandScope } from './auth.ts'
import { failureOf, Refusal, statusOf } from './failure.ts'
import type { Setup } from './setup.ts'
import { streamed } from './stream.ts'
import { demandNoQuestion, inTurn } from './turns.ts'

const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
const chatRequest = z.looseObject({
  model: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
})

interface Denied {
  tool: string
  reason: string
  message: string
}

/** What an OpenAI client does not know of and a Writ client may want. */
interface Extension {
  sessionId: string
  runId: string
  stopReason: string
  denials: Denied[]
  question?: Question
}

const SESSION = 'X-Writ-Session'

export function openaiRoutes(app: OpenAPIHono, setup: Setup, demand: ReturnType<typeof demandScope>): void {
  app.get('/v1/models', demand('read'), (c) => {
    const { model } = setup.desk.agent
    const created = Math.floor(setup.startedAt / 1000)
    const data = ['writ', model.id].map((id) => ({ id, object: 'model', created, owned_by: 'writ' }))
    return c.json({ object: 'list', data })
  })
  app.post('/v1/chat/completions', demand('run'), async (c) => {
    try {
      return await complete(c, setup)
    } catch (error) {
      // Their clients read `error.message` and `error.type`.
      const { error: about } = failureOf(error, setup.texts)
      return c.json({ error: { ...about, type: 'invalid_request_error', param: null } }, statusOf(error))
    }
  })
}

async function complete(c: Context, setup: Setup): Promise<Response> {
  const { hub, desk, access, texts } = setup
  const parsed = chatRequest.safeParse(await c.req.json().catch(() => undefined))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'body'
    throw new Refusal(400, 'INVALID_REQUEST', { message: texts.invalid({ where, why: issue?.message ?? '' }) })
  }
  const { messages, stream, stream_options: wants } = parsed.data
  const { task, given } = conversationOf(messages)
  if (task === '') throw new Refusal(400, 'INVALID_REQUEST', { message: texts.v1NoMessage, field: 'messages' })
  const named = c.req.header(SESSION)
  const sessionId = named ?? desk.agent.engine.newId('ses')
  if (named === undefined) await access.claim(sessionId, c.get('who'))
  else {
    await access.session(sessionId, c.get('who'))
    await demandNoQuestion(setup, sessionId)
  }
  c.header(SESSION, sessionId)
  c.set('sessionId', sessionId)

  const { agent } = desk
  const left = c.req.raw.signal
  const denials: Denied[] = []
  const pieces = new Pieces()
  // The session remembers what was said in it; else the client says what there was.
  const own = { sessionId, ...(named === undefined ? { given } : {}) }
  const work = hub.start(sessionId, (signal) =>
    inTurn(setup, sessionId, () =>
      // Closing the connection is the only way their clients have to stop a run.
      watched(agent.stream(task, { ...own, signal: AbortSignal.any([signal, left]) }), denials, pieces),
    ),
  )
  const head = { created: Math.floor(agent.engine.clock.now() / 1000), model: agent.model.id }
  const end = async () => endOf(setup, await work.result, denials)
  if (stream !== true) return c.json(whole(head, await end()))
  work.result.finally(() => pieces.close()).catch(() => {})
  const response = streamed(chunks(head, pieces, { end, usage: wants?.include_usage === true, setup }), c)
  response.headers.set(SESSION, sessionId)
  return response
}

/** Notes what was refused and hands on the text as it comes. */
async function* watched(
  run: AsyncGenerator<Event, RunResult>,
  denials: Denied[],
  pieces: Pieces,
): AsyncGenerator<Event, RunResult> {
  const project = streamOf()
  for (;;) {
    const next = await run.next()
    if (next.done) return next.value
    const event = next.value
    if (event.type === 'tool.result' && event.data.denial !== undefined) {
      const { reason, message } = event.data.denial
      denials.push({ tool: event.data.tool, reason, message })
    }
    for (const piece of project(event)) {
      if (piece.type === 'text') pieces.add(piece.text)
      // What was said cannot be unsaid here; what follows begins on a line of its own.
      else if (piece.type === 'restart') pieces.add('\n\n')
      else if (piece.type === 'notice') pieces.add(`\n\n${piece.text}`)
    }
    yield event
  }
}

/** Text on its way from a run to one reader, kept together while the reader is slow. */
class Pieces {
  #text = ''
  #closed = false
  #wake = () => {}

  add(text: string): void {
    this.#text += text
    this.#wake()
  }
  close(): void {
    this.#closed = true
    this.#wake()
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const text = this.#text
      this.#text = ''
      if (text !== '') yield text
      else if (this.#closed) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

interface End {
  text: string
  notices: string[]
  finish: 'stop' | 'length' | 'content_filter'
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  writ: Extension
}

async function endOf({ store, texts }: Setup, result: RunResult, denials: Denied[]): Promise<End> {
  const { sessionId, runId, stopReason, reply, notices, metadata } = result
  const question = stopReason === 'parked' ? await questionOf(store, runId) : undefined
  const { inputTokens, outputTokens } = metadata.execution.usage
  return {
    text: question === undefined ? reply : texts.v1Question(question),
    notices,
    finish: LENGTH.has(stopReason) ? 'length' : stopReason === 'tool_policy_blocked' ? 'content_filter' : 'stop',
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    writ: { sessionId, runId, stopReason, denials, ...(question === undefined ? {} : { question }) },
  }
}

const LENGTH: ReadonlySet<string> = new Set(['max_steps', 'max_tool_calls', 'token_budget', 'timeout'])

interface Head {
  created: number
  model: string
}

function whole(head: Head, { text, notices, finish, usage, writ }: End) {
  const message = { role: 'assistant', content: [text, ...notices].join('\n\n'), refusal: null }
  return {
    id: `chatcmpl-${writ.runId}`,
    object: 'chat.completion',
    ...head,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
    writ,
  }
}

async function* chunks(
  head: Head,
  pieces: Pieces,
  { end, usage, setup }: { end(): Promise<End>; usage: boolean; setup: Setup },
): AsyncGenerator<string> {
  const id = `chatcmpl-${setup.desk.agent.engine.newId('v1')}`
  const chunk = (delta: object, rest: object = {}) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: null, ...rest }]
    return { id, object: 'chat.completion.chunk', ...head, choices }
  }
  yield data(chunk({ role: 'assistant', content: '' }))
  let said = ''
  for await (const text of pieces) {
    said += text
    yield data(chunk({ content: text }))
  }
  try {
    const last = await end()
    if (last.writ.question !== undefined) yield data(chunk({ content: `${said === '' ? '' : '\n\n'}${last.text}` }))
    yield data({ ...chunk({}, { finish_reason: last.finish }), writ: last.writ })
    if (usage) yield data({ ...chunk({}), choices: [], usage: last.usage })
    yield 'data: [DONE]\n\n'
  } catch (error) {
    setup.log('error', 'v1.failed', { error: messageOf(error) })
    yield data({ error: { ...failureOf(error, setup.texts).error, type: 'server_error' } })
  }
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

type Said = z.output<typeof chatRequest>['messages'][number]

/** The last message is the task, those before it the history, and what the client's system says is who the agent is. */
function conversationOf(messages: readonly Said[]): { task: string; given: GivenContext } {
  const last = messages.at(-1)
  const task = last?.role === 'user' ? textOf(last).trim() : ''
  const history = messages.slice(0, -1).flatMap((message): Message[] => {
    const { role } = message
    const text = textOf(message)
    return (role === 'user' || role === 'assistant') && text !== '' ? [{ role, content: text }] : []
  })
  const system = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [textOf(message)] : [],
  )
  return { task, given: { history, ...(system.length === 0 ? {} : { identity: system.join('\n\n') }) } }
}

function textOf({ content: given }: Said): string {
  if (typeof given === 'string') return given
  return (given ?? []).flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}
