/**
 * Providers. OpenAI, Anthropic and Google use their AI-SDK adapters, loaded on first use; the others are implemented
 * here.
 */
import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import { present } from '../base/present.ts'
import { why } from '../i18n/why.ts'
import type { Usage } from '../protocol/message.ts'
import { type CompatibleProvider, compatibleModel } from './compatible.ts'
import { httpFetch } from './http-fetch.ts'
import { type Completion, type Model, ModelError, type ModelRequest, OUTPUT_TOKENS, type RawCall } from './model.ts'
import { withoutRefused } from './refused-parameters.ts'
import { Thinking, withoutLoneThought } from './thinking.ts'
import { cachedPart, countUsage, isCount } from './usage.ts'
import { toolsOf, type WirePrompt, wirePrompt } from './wire-prompt.ts'
import { checkingAddress } from './wrong-address.ts'

export type Provider = 'openai' | 'anthropic' | 'google' | CompatibleProvider

export interface ModelSpec {
  provider: Provider
  name: string
  baseURL?: string
  apiKey?: string
  maxOutputTokens?: number
}

const WHOLE_MS = 600_000

/** `idleMs` is for streams only: an answer that is not streamed is silent until it arrives. */
export async function openModel(spec: ModelSpec, { idleMs, totalMs = WHOLE_MS }: ModelLimits): Promise<Model> {
  const streamed = await openProvider(spec, httpFetch({ idleMs, totalMs }))
  const whole = await openProvider(spec, httpFetch({ totalMs }))
  return {
    ...streamed,
    ask(request, signal) {
      const { ask } = request.stream ? streamed : whole
      return request.media === undefined ? ask(request, signal) : withMediaAdvice(ask(request, signal))
    },
  }
}

/** Of a request with pictures or PDFs that the provider refuses: they may be the reason. */
const UNREADABLE: readonly number[] = [400, 404, 415, 422]

async function* withMediaAdvice(answer: ReturnType<Model['ask']>): ReturnType<Model['ask']> {
  try {
    return yield* answer
  } catch (error) {
    if (!(error instanceof ModelError && UNREADABLE.includes(error.status ?? 0))) throw error
    const { status, retryable, retryAfterMs } = error
    throw new ModelError(why('mediaRefused', { why: error.why }), { status, retryable, retryAfterMs, cause: error })
  }
}

export interface ModelLimits {
  idleMs: number
  totalMs?: number
}

async function openProvider(spec: ModelSpec, fetch: typeof globalThis.fetch): Promise<Model> {
  const { provider, maxOutputTokens = OUTPUT_TOKENS } = spec
  if (provider !== 'openai' && provider !== 'anthropic' && provider !== 'google') {
    return compatibleModel({ ...spec, provider, maxOutputTokens }, fetch)
  }
  const { toModelError } = await import('./model-failure.ts')
  const { baseURL } = spec
  const checked = checkingAddress(fetch, { provider, baseURL })
  const adapter = await loadAdapter({ ...spec, provider }, provider === 'openai' ? withoutRefused(checked) : checked)
  const wire = wirePrompt({ marks: provider === 'anthropic' })

  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion> {
    signal.throwIfAborted()
    const call = {
      prompt: wire.promptOf(request),
      ...(request.tools && request.tools.length > 0 && { tools: toolsOf(request.tools) }),
      ...present({ temperature: request.temperature }),
      maxOutputTokens: request.maxOutputTokens ?? maxOutputTokens,
      // Requests with the same key reach the same cache.
      ...(provider === 'openai' &&
        request.cache && { providerOptions: { openai: { promptCacheKey: request.cache.key } } }),
      abortSignal: signal,
    }
    try {
      const answer = new Answer(request)
      return yield* request.stream ? streamed(adapter, call, { answer, wire }) : whole(adapter, call, { answer, wire })
    } catch (error) {
      signal.throwIfAborted()
      throw toModelError(error, { provider, key: spec.apiKey, baseURL })
    }
  }

  return { id: `${provider}/${spec.name}`, route: 'CloudLlm', reasoning: 'clear', ask }
}

async function loadAdapter(
  { provider, name, baseURL, apiKey = '' }: ModelSpec & { provider: Exclude<Provider, CompatibleProvider> },
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const common = { apiKey, fetch, ...present({ baseURL }) }
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(common).chat(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(common)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(common)(name)
    default:
      return provider satisfies never
  }
}

type Call = Parameters<LanguageModelV4['doGenerate']>[0]

interface Into {
  answer: Answer
  wire: WirePrompt
}

// biome-ignore lint/correctness/useYield: the same shape as `streamed`, whose text arrives in pieces
async function* whole(
  adapter: LanguageModelV4,
  call: Call,
  { answer, wire }: Into,
): AsyncGenerator<string, Completion> {
  const { content, usage, finishReason } = await adapter.doGenerate(call)
  for (const part of content) {
    if (part.type === 'text') answer.add(part.text)
    else if (part.type === 'reasoning') answer.reasoning += part.text
    else if (part.type === 'tool-call') answer.calls.push(wire.callOf(part))
  }
  answer.end()
  return answer.complete(usage, finishReason)
}

async function* streamed(
  adapter: LanguageModelV4,
  call: Call,
  { answer, wire }: Into,
): AsyncGenerator<string, Completion> {
  const { stream } = await adapter.doStream(call)
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value
      if (part.type === 'text-delta') {
        const text = answer.add(part.delta)
        if (text !== '') yield text
      } else if (part.type === 'reasoning-delta') answer.reasoning += part.delta
      else if (part.type === 'tool-call') answer.calls.push(wire.callOf(part))
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        // When a stream breaks off, adapters end it cleanly, only without the provider's finish reason.
        if (part.finishReason.raw === undefined) break
        const text = answer.end()
        if (text !== '') yield text
        return await answer.complete(part.usage, part.finishReason)
      }
    }
    throw new ModelError(why('answerIncomplete'), { retryable: true })
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Assembles an answer from its parts. */
class Answer {
  text = ''
  reasoning = ''
  readonly calls: RawCall[] = []
  readonly #request: ModelRequest
  readonly #thinking = new Thinking()

  constructor(request: ModelRequest) {
    this.#request = request
  }

  /** Returns the new text, without thoughts. */
  add(piece: string): string {
    const text = this.#thinking.take(piece)
    this.text += text
    return text
  }

  end(): string {
    const text = this.#thinking.end()
    this.text += text
    this.reasoning += this.#thinking.text
    return text
  }

  async complete(usage: LanguageModelV4Usage, finish: LanguageModelV4FinishReason): Promise<Completion> {
    if (finish.unified === 'content-filter' && this.text === '' && this.calls.length === 0) {
      throw new ModelError(why('answerWithheld', { by: finish.raw ?? 'content filter' }), { retryable: false })
    }
    const { text, thought } = withoutLoneThought(this.text)
    const reasoning = this.reasoning + thought
    return {
      text,
      calls: this.calls,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      usage: await this.#usageIn(usage),
      truncated: finish.unified === 'length',
    }
  }

  async #usageIn({ inputTokens: input, outputTokens: output }: LanguageModelV4Usage): Promise<Usage> {
    const isReported = isCount(input.total) && isCount(output.total)
    const counted = isReported ? undefined : await countUsage(this.#request, this)
    const inputTokens = isCount(input.total) ? input.total : (counted?.inputTokens ?? 0)
    const outputTokens = isCount(output.total) ? output.total : (counted?.outputTokens ?? 0)
    return {
      inputTokens,
      outputTokens,
      ...cachedPart(inputTokens, { read: input.cacheRead, written: input.cacheWrite }),
    }
  }
}
