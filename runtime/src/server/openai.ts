/**
 * The agent behind OpenAI's chat completions API. The gate judges every call as usual: denials and approval requests
 * are in the text of the reply, and in the field `writ` for programs.
 */
import type { AttachedFile } from '../agent/attachments.ts'
import { assertOutputSchema } from '../agent/output.ts'
import { replyOf } from '../assembly/conversation.ts'
import type { RunResult } from '../assembly/turns.ts'
import { messageOf } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Store } from '../journal/store.ts'
import { streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import type { Question } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import { fileInPart } from './attachments.ts'
import type { ChatRequest, Completion } from './contract/openai.ts'
import { type Bound, type CheckedRequest, on } from './endpoint.ts'
import { failureOf, Refusal } from './failure.ts'
import type { ServerDeps } from './server-deps.ts'
import { streamed } from './stream.ts'
import { serverTexts } from './texts.ts'
import { assertNoQuestion, whenNoQuestion } from './turns.ts'

type Extension = Completion['writ']
type Denied = Extension['denials'][number]

const SESSION = 'X-Writ-Session'

export function openaiRoutes(deps: ServerDeps): Bound[] {
  const models = () => {
    const created = Math.floor(deps.startedAt / 1000)
    const about = { object: 'model', created, owned_by: 'writ' } as const
    return ['writ', deps.current.agent.model.id].map((id) => ({ id, ...about }))
  }
  return [
    on('GET /v1/models', () => ({ object: 'list', data: models() })),
    on('GET /v1/models/:id', ({ params: { id } }) => {
      const found = models().find((model) => model.id === id)
      if (found !== undefined) return found
      throw new WritError('MODEL_UNKNOWN.http', { id })
    }),
    on('POST /v1/chat/completions', (request) => complete(request, deps)),
  ]
}

async function complete(
  { body, c, who, lang, signal: disconnected }: CheckedRequest<'POST /v1/chat/completions'>,
  deps: ServerDeps,
): Promise<Completion | Response> {
  const { liveRuns, current, access } = deps
  const { messages, stream, stream_options: wants } = body
  const { task, given } = conversationOf(messages)
  const files = filesOf(messages)
  if (task === '') throw new Refusal('INVALID_REQUEST.noMessage', undefined, { field: 'messages' })
  const named = c.req.header(SESSION)
  const sessionId = named ?? current.agent.engine.newId('ses')
  if (named === undefined) await access.claim(sessionId, who)
  else {
    await access.ownSession(sessionId, who)
    await assertNoQuestion(deps, sessionId)
  }
  c.header(SESSION, sessionId)
  c.set('sessionId', sessionId)

  const { agent } = current
  const denials: Denied[] = []
  const pieces = new TextBuffer()
  // An existing session has its own history; otherwise the client sends it.
  const attachments = named === undefined ? files : files.filter((file) => file.message === undefined)
  const outputSchema = schemaOf(body)
  if (outputSchema !== undefined) assertOutputSchema(outputSchema, agent.model)
  const own = {
    sessionId,
    principal: who.principal,
    lang,
    ...(attachments.length > 0 && { attachments }),
    ...present({ outputSchema, given: named === undefined ? given : undefined }),
  }
  const work = liveRuns.start(sessionId, (signal) =>
    whenNoQuestion(deps, sessionId, () =>
      // OpenAI clients can stop a run only by closing the connection.
      collecting(agent.stream(task, { ...own, signal: AbortSignal.any([signal, disconnected]) }), denials, pieces),
    ),
  )
  const head = { created: Math.floor(agent.engine.clock.now() / 1000), model: agent.model.id }
  const end = async () => endOf(deps.store, await work.result, { denials, lang })
  // OpenAI's clients repeat a request that fails with a 5xx, and with it everything the run did.
  c.header('X-Should-Retry', 'false')
  if (stream !== true) return whole(head, await end())
  work.result.finally(() => pieces.close()).catch(() => {})
  const response = streamed(chunks(head, pieces, { end, usage: wants?.include_usage === true, deps, lang }), c)
  response.headers.set(SESSION, sessionId)
  return response
}

function schemaOf({ response_format: format }: ChatRequest): JsonObject | undefined {
  if (format?.type === 'json_object') return { type: 'object' }
  return format?.type === 'json_schema' ? ((format.json_schema?.schema ?? {}) as JsonObject) : undefined
}

/** Collects denials and forwards the text. */
async function* collecting(
  run: AsyncGenerator<Event, RunResult>,
  denials: Denied[],
  pieces: TextBuffer,
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
      // Sent text cannot be taken back in this protocol; the restarted answer begins on a new line.
      else if (piece.type === 'restart') pieces.add('\n\n')
      else if (piece.type === 'notice') pieces.add(`\n\n${piece.text}`)
    }
    yield event
  }
}

/** Buffers text for one client; unread pieces are merged. */
class TextBuffer {
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
  { denials, lang }: { denials: Denied[]; lang: Lang },
): Promise<End> {
  const { sessionId, runId, stopReason, question, notices, metadata } = result
  const reply = replyOf(result)
  const { inputTokens, outputTokens } = metadata.execution.total.usage
  return {
    text: question === undefined ? reply : serverTexts(lang).v1Question(shown(question)),
    notices,
    finish: await finishOf(store, result),
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    writ: { sessionId, runId, stopReason, denials, ...present({ question }) },
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

/** Clients show the text unchanged, so characters that hide or reorder it are made visible. */
function shown({ tool, preview, message, targets }: Question): Pick<Question, 'tool' | 'preview' | 'message'> {
  const names = [tool, ...targets.map(({ value }) => value)].map(oneLine)
  return { tool: names.join(' '), preview: visible(preview), message: visible(message) }
}

const LENGTH: ReadonlySet<string> = new Set([
  'max_steps',
  'max_tool_calls',
  'repeated_call',
  'token_budget',
  'money_budget',
  'timeout',
])

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
  pieces: TextBuffer,
  { end, usage, deps, lang }: { end(): Promise<End>; usage: boolean; deps: ServerDeps; lang: Lang },
): AsyncGenerator<string> {
  const id = `chatcmpl-${deps.current.agent.engine.newId('v1')}`
  const chunk = (delta: object, rest: object = {}) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: null, ...rest }]
    return { id, object: 'chat.completion.chunk', ...head, choices }
  }
  yield data(chunk({ role: 'assistant', content: '' }))
  let sent = ''
  for await (const text of pieces) {
    sent += text
    yield data(chunk({ content: text }))
  }
  try {
    const last = await end()
    if (last.writ.question !== undefined) yield data(chunk({ content: `${sent === '' ? '' : '\n\n'}${last.text}` }))
    yield data({ ...chunk({}, { finish_reason: last.finish }), writ: last.writ })
    if (usage) yield data({ ...chunk({}), choices: [], usage: last.usage })
    yield 'data: [DONE]\n\n'
  } catch (error) {
    deps.log('error', 'v1.failed', { error: messageOf(error) })
    yield data({ error: { ...failureOf(error, lang).error, type: 'server_error' } })
  }
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

type ChatMessage = ChatRequest['messages'][number]

/** The last message is the task, earlier ones are the history, system messages are the identity of the agent. */
function conversationOf(messages: readonly ChatMessage[]): { task: string; given: GivenContext } {
  const last = messages.at(-1)
  const task = last?.role === 'user' ? textOf(last).trim() : ''
  const history = messages.slice(0, -1).flatMap((message): Message[] => {
    const role = message.role === 'user' ? 'user' : 'assistant'
    return isHistory(message) ? [{ role, content: textOf(message) }] : []
  })
  const system = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [textOf(message)] : [],
  )
  return { task, given: { history, ...present({ identity: system.length === 0 ? undefined : system.join('\n\n') }) } }
}

/**
 * The files of all messages that the run reads: of the last one, and of the history when it is the client's. Dropping
 * other parts silently would look as if the whole message had been answered.
 */
function filesOf(messages: readonly ChatMessage[]): AttachedFile[] {
  const files: AttachedFile[] = []
  let message = 0
  for (const [at, { content, role, ...rest }] of messages.entries()) {
    const isTask = at === messages.length - 1
    for (const [n, part] of (Array.isArray(content) ? content : []).entries()) {
      if (part.type === 'text' || part.type === 'refusal') continue
      const field = `messages.${at}.content.${n}`
      const file = role === 'user' ? fileInPart(part, field) : undefined
      if (file === undefined) throw new Refusal('INVALID_REQUEST.notText', { type: part.type }, { field })
      files.push(isTask ? file : { ...file, message })
    }
    if (isHistory({ content, role, ...rest })) message++
  }
  return files
}

/** A message without text but with files still counts. */
function isHistory({ role, content }: ChatMessage): boolean {
  const hasFiles = Array.isArray(content) && content.some(({ type }) => type === 'image_url' || type === 'file')
  return (
    (role === 'user' && hasFiles) || ((role === 'user' || role === 'assistant') && textOf({ role, content }) !== '')
  )
}

function textOf({ content: given }: ChatMessage): string {
  if (typeof given === 'string') return given
  return (given ?? []).flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}
