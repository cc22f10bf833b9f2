/**
 * Servers with OpenAI's chat completions API: DeepSeek, GLM, Ollama and others. Implemented without an SDK because a
 * conversation is sent again with every step: each message is serialized once and reused. See
 * docs/decisions/2026-11-15-compatible-servers-directly.md.
 */
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { why } from '../i18n/why.ts'
import type { Why } from '../protocol/why.ts'
import { requestBodies } from './compatible-body.ts'
import { withKeyAdvice } from './key-variables.ts'
import { type Completion, type Model, ModelError, type ModelRequest, type RawCall } from './model.ts'
import { withoutRefused } from './refused-parameters.ts'
import { isRetryableStatus, retryAfterMs } from './retry.ts'
import { Thinking, withoutLoneThought } from './thinking.ts'
import { countUsage, readUsage } from './usage.ts'
import { atWrongAddress, isForeignRefusal, isWebPage, wrongAddress } from './wrong-address.ts'

export type CompatibleProvider = 'deepseek' | 'zhipu' | 'ollama' | 'compatible'

export interface CompatibleSpec {
  provider: CompatibleProvider
  name: string
  baseURL?: string
  apiKey?: string
  maxOutputTokens: number
}

export const BASE_URLS: Partial<Record<CompatibleProvider, string>> = {
  deepseek: 'https://api.deepseek.com',
  zhipu: 'https://open.bigmodel.cn/api/paas/v4',
  ollama: 'http://127.0.0.1:11434/v1',
}
const MESSAGE_MAX = 500

export function compatibleModel(spec: CompatibleSpec, plainFetch: typeof globalThis.fetch): Model {
  const fetch = withoutRefused(plainFetch)
  const { provider, name, apiKey } = spec
  const baseURL = baseURLOf(spec)
  const url = `${baseURL.replace(/\/+$/, '')}/chat/completions`
  const headers = present({
    'content-type': 'application/json',
    authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
  })
  const bodyOf = requestBodies(spec)

  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion> {
    signal.throwIfAborted()
    try {
      const response = await fetch(url, { method: 'POST', headers, body: bodyOf(request), signal })
      if (!response.ok) throw await refusal(response)
      const answer = new Answer()
      if (request.stream) yield* pieces(response, answer)
      else {
        answer.take(parsed(await response.text()), 'message')
        answer.end()
      }
      return await answer.complete(request)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ModelError) throw error
      // What remains are broken bytes and errors inside a stream: the next attempt may succeed.
      const {
        reason = clip(messageOf(error), MESSAGE_MAX),
        retryable = true,
        foreign = false,
      } = error instanceof BadAnswer ? error : {}
      if (foreign) throw wrongAddress(reason, { provider, url: baseURL })
      throw new ModelError(why('provider', { provider, why: reason }), { retryable, cause: error })
    }
  }

  async function refusal(response: Response): Promise<ModelError> {
    const { status } = response
    const text = await response.text().catch(() => '')
    const wait = response.headers.get('retry-after')
    const after = wait === null ? undefined : retryAfterMs(wait, Date.now())
    const said = isWebPage(text)
      ? why('answerIsPage')
      : clip(errorIn(text) || response.statusText, MESSAGE_MAX) || why('noReason')
    const fact = why('httpStatus', { status, why: said })
    const reason = isForeignRefusal(status, text)
      ? atWrongAddress(fact, baseURL)
      : withKeyAdvice(fact, { status, provider, key: apiKey })
    return new ModelError(why('provider', { provider, why: reason }), {
      status,
      retryable: isRetryableStatus(status),
      retryAfterMs: after,
    })
  }

  return {
    id: `${provider}/${name}`,
    route: 'CloudLlm',
    reasoning: provider === 'deepseek' ? 'keep-with-tool-calls' : 'clear',
    ask,
  }
}

function baseURLOf({ provider, name, baseURL = BASE_URLS[provider] }: CompatibleSpec): string {
  if (baseURL === undefined) throw new WritError('MODEL_BASE_URL_MISSING', { name })
  return baseURL
}

/** An answer that cannot be used. `foreign`: not from this API. */
class BadAnswer extends Error {
  readonly reason: Why
  readonly retryable: boolean
  readonly foreign: boolean

  constructor(reason: Why, { retryable = true, foreign = false } = {}) {
    super()
    this.reason = reason
    this.retryable = retryable
    this.foreign = foreign
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  if (isWebPage(text)) throw new BadAnswer(why('answerIsPage'), { foreign: true })
  throw new BadAnswer(why('answerNotJson'))
}

function errorIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const error = isObject(value) ? (value.error ?? value.message) : undefined
    const message = isObject(error) ? error.message : error
    if (typeof message === 'string') return message
  } catch {}
  return text
}

/**
 * Server-sent events: `data:` lines with one JSON object each, `[DONE]` at the end. Some servers send one whole answer
 * instead.
 */
async function* pieces(response: Response, answer: Answer): AsyncGenerator<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  /** Until a line looks like an event. */
  let whole: string | undefined = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        if (/^(data|event|id|retry)?:/.test(line)) whole = undefined
        if (whole !== undefined) whole += `${line}\n`
        if (!line.startsWith('data:')) continue
        const data = line.slice(5).trim()
        if (data === '[DONE]' || data === '') continue
        const text = answer.take(parsed(data), 'delta')
        if (text !== '') yield text
      }
      if (!done) continue
      const last = whole === undefined || whole.trim() === '' ? '' : answer.take(parsed(whole), 'message')
      const text = last + answer.end()
      if (text !== '') yield text
      return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Assembles an answer from one or more pieces. */
class Answer {
  #text = ''
  #reasoning = ''
  #finish: string | undefined
  /** Pieces of an answer, and whether one of them was this API's. */
  #pieces = 0
  #known = false
  #usage: Record<string, unknown> = {}
  readonly #calls: { id: string; name: string; arguments: string }[] = []
  readonly #thinking = new Thinking()

  /** Returns the new text. */
  take(chunk: Record<string, unknown>, key: 'delta' | 'message'): string {
    if (chunk.error !== undefined && chunk.error !== null)
      throw new BadAnswer(clip(errorIn(JSON.stringify(chunk)), MESSAGE_MAX))
    if (isObject(chunk.usage)) this.#usage = chunk.usage
    this.#pieces++
    if (Array.isArray(chunk.choices)) this.#known = true
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isObject(choice)) return ''
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason
    const part = choice[key]
    if (!isObject(part)) return ''
    // DeepSeek and GLM use reasoning_content; Ollama and some gateways use reasoning.
    const reasoning = part.reasoning_content ?? part.reasoning
    if (typeof reasoning === 'string') this.#reasoning += reasoning
    if (Array.isArray(part.tool_calls)) for (const [i, call] of part.tool_calls.entries()) this.#takeCall(call, i)
    return this.#add(this.#thinking.take(typeof part.content === 'string' ? part.content : ''))
  }

  /** The end of the answer. Returns the text that was held back. */
  end(): string {
    return this.#add(this.#thinking.end())
  }

  #add(text: string): string {
    this.#text += text
    return text
  }

  #takeCall(call: unknown, place: number): void {
    if (!isObject(call)) return
    const index = typeof call.index === 'number' ? call.index : place
    const known = this.#calls[index] ?? { id: '', name: '', arguments: '' }
    this.#calls[index] = known
    const fn = isObject(call.function) ? call.function : {}
    if (typeof call.id === 'string' && call.id !== '') known.id = call.id
    if (typeof fn.name === 'string' && fn.name !== '') known.name = fn.name
    if (typeof fn.arguments === 'string') known.arguments += fn.arguments
    // Some servers send the arguments as an object, not as text.
    else if (isObject(fn.arguments)) known.arguments = JSON.stringify(fn.arguments)
  }

  async complete(request: ModelRequest): Promise<Completion> {
    if (this.#pieces > 0 && !this.#known) throw new BadAnswer(why('answerOtherJson'), { foreign: true })
    if (this.#finish === undefined) throw new BadAnswer(why('answerIncomplete'))
    const calls = this.#calls.filter((call) => call !== undefined).map(rawCall)
    if (this.#finish === 'content_filter' && this.#text === '' && calls.length === 0) {
      throw new BadAnswer(why('answerWithheld', { by: 'content_filter' }), { retryable: false })
    }
    const { text, thought } = withoutLoneThought(this.#text)
    const answer = { text, calls }
    const reasoning = this.#reasoning + this.#thinking.text + thought
    return {
      ...answer,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      usage: readUsage(this.#usage) ?? (await countUsage(request, answer)),
      truncated: this.#finish === 'length',
    }
  }
}

// Arguments of a tool without parameters are '' from some servers and '{}' from others.
function rawCall({ id, name, arguments: input }: { id: string; name: string; arguments: string }): RawCall {
  if (input.trim() === '') return { id, tool: name, args: {} }
  try {
    return { id, tool: name, args: JSON.parse(input) }
  } catch {
    return { id, tool: name, rawArgs: input }
  }
}
