/**
 * The agent behind the interface every OpenAI client speaks. It is governed as anywhere else: what the gate refuses or
 * a person must allow comes back as readable text, and as `writ` beside it for programs.
 */
import type { RunResult } from '../assembly/agent.ts'
import { replyOf } from '../assembly/conversation.ts'
import { messageOf } from '../base/errors.ts'
import type { Lang } from '../i18n/locale.ts'
import { questionOf } from '../journal/questions.ts'
import type { Store } from '../journal/store.ts'
import { streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import type { Question } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import type { ChatRequest, Completion } from './contract/openai.ts'
import { type Asked, type Bound, on } from './endpoint.ts'
import { failureOf, Refusal } from './failure.ts'
import type { Setup } from './setup.ts'
import { streamed } from './stream.ts'
import { type ServerTexts, serverTexts } from './texts.ts'
import { demandNoQuestion, inTurn } from './turns.ts'

type Extension = Completion['writ']
type Denied = Extension['denials'][number]

const SESSION = 'X-Writ-Session'

export function openaiRoutes(setup: Setup): Bound[] {
  const models = () => {
    const created = Math.floor(setup.startedAt / 1000)
    const about = { object: 'model', created, owned_by: 'writ' } as const
    return ['writ', setup.desk.agent.model.id].map((id) => ({ id, ...about }))
  }
  return [
    on('GET /v1/models', () => ({ object: 'list', data: models() })),
    on('GET /v1/models/:id', ({ params: { id } }) => {
      const found = models().find((model) => model.id === id)
      if (found !== undefined) return found
      throw new Refusal(404, 'MODEL_UNKNOWN', { message: (t) => t.v1NoModel({ id }), hint: (t) => t.v1NoModelHint })
    }),
    on('POST /v1/chat/completions', (asked) => complete(asked, setup)),
  ]
}

async function complete(
  { body, c, who, lang, signal: left }: Asked<'POST /v1/chat/completions'>,
  setup: Setup,
): Promise<Completion | Response> {
  const { hub, desk, access } = setup
  const { messages, stream, stream_options: wants } = body
  demandText(messages)
  const { task, given } = conversationOf(messages)
  if (task === '') {
    throw new Refusal(400, 'INVALID_REQUEST', {
      message: (t) => t.v1NoMessage,
      hint: (t) => t.v1NoMessageHint,
      field: 'messages',
    })
  }
  const named = c.req.header(SESSION)
  const sessionId = named ?? desk.agent.engine.newId('ses')
  if (named === undefined) await access.claim(sessionId, who)
  else {
    await access.ownSession(sessionId, who)
    await demandNoQuestion(setup, sessionId)
  }
  c.header(SESSION, sessionId)
  c.set('sessionId', sessionId)

  const { agent } = desk
  const denials: Denied[] = []
  const pieces = new Pieces()
  // The session remembers what was said in it; else the client says what there was.
  const own = { sessionId, principal: who.principal, lang, ...(named === undefined ? { given } : {}) }
  const work = hub.start(sessionId, (signal) =>
    inTurn(setup, sessionId, () =>
      // Closing the connection is the only way their clients have to stop a run.
      watched(agent.stream(task, { ...own, signal: AbortSignal.any([signal, left]) }), denials, pieces),
    ),
  )
  const head = { created: Math.floor(agent.engine.clock.now() / 1000), model: agent.model.id }
  const texts = serverTexts(lang)
  const end = async () => endOf(setup.store, await work.result, { denials, texts, lang })
  // Their clients repeat what fails with a 5xx by themselves, and with it all that the run has done.
  c.header('X-Should-Retry', 'false')
  if (stream !== true) return whole(head, await end())
  work.result.finally(() => pieces.close()).catch(() => {})
  const response = streamed(chunks(head, pieces, { end, usage: wants?.include_usage === true, setup, texts }), c)
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
  finish: Completion['choices'][number]['finish_reason']
  usage: Completion['usage']
  writ: Extension
}

async function endOf(
  store: Store,
  result: RunResult,
  { denials, texts, lang }: { denials: Denied[]; texts: ServerTexts; lang: Lang },
): Promise<End> {
  const { sessionId, runId, stopReason, notices, metadata } = result
  const reply = replyOf(result, lang)
  const question = stopReason === 'parked' ? await questionOf(store, runId) : undefined
  const { inputTokens, outputTokens } = metadata.execution.total.usage
  return {
    text: question === undefined ? reply : texts.v1Question(shown(question)),
    notices,
    finish: await finishOf(store, result),
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    writ: { sessionId, runId, stopReason, denials, ...(question === undefined ? {} : { question }) },
  }
}

async function finishOf(store: Store, { runId, stopReason }: RunResult): Promise<End['finish']> {
  if (stopReason === 'tool_policy_blocked') return 'content_filter'
  return LENGTH.has(stopReason) || (stopReason === 'final' && (await isCut(store, runId))) ? 'length' : 'stop'
}

/** The provider cut the answer at its token limit. */
async function isCut(store: Store, runId: string): Promise<boolean> {
  const last = (await store.readOf([runId], ['model.replied'])).at(-1)
  return last?.type === 'model.replied' && last.data.reply.kind === 'final' && last.data.reply.truncated === true
}

/** Their clients show it as it comes: marks that hide or reorder text would make it say something else. */
function shown({ tool, preview, message, targets }: Question): Pick<Question, 'tool' | 'preview' | 'message'> {
  const names = [tool, ...targets.map(({ value }) => value)].map(oneLine)
  return { tool: names.join(' '), preview: visible(preview), message: visible(message) }
}

const LENGTH: ReadonlySet<string> = new Set(['max_steps', 'max_tool_calls', 'token_budget', 'timeout'])

type Head = Pick<Completion, 'created' | 'model'>

function whole(head: Head, { text, notices, finish, usage, writ }: End): Completion {
  const content = [text, ...notices].join('\n\n')
  const message = { role: 'assistant', content, refusal: null } as const
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
  { end, usage, setup, texts }: { end(): Promise<End>; usage: boolean; setup: Setup; texts: ServerTexts },
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
    yield data({ error: { ...failureOf(error, texts).error, type: 'server_error' } })
  }
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

type Said = ChatRequest['messages'][number]

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

/** An answer to a message of which half was left out would be taken for one to all of it. */
function demandText(messages: readonly Said[]): void {
  for (const [at, { content }] of messages.entries()) {
    const part = Array.isArray(content) ? content.findIndex(({ type }) => type !== 'text' && type !== 'refusal') : -1
    if (part < 0 || !Array.isArray(content)) continue
    const type = content[part]?.type ?? ''
    throw new Refusal(400, 'INVALID_REQUEST', {
      message: (t) => t.v1NotText({ type }),
      hint: (t) => t.v1NotTextHint,
      field: `messages.${at}.content.${part}`,
    })
  }
}

function textOf({ content: given }: Said): string {
  if (typeof given === 'string') return given
  return (given ?? []).flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}
