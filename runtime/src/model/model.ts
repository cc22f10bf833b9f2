import type { JsonObject } from '../base/json.ts'
import { whyText } from '../i18n/why.ts'
import type { Message, ModelPurpose, Usage } from '../protocol/message.ts'
import type { DecisionRoute } from '../protocol/risk.ts'
import type { Why } from '../protocol/why.ts'
import type { MediaBytes } from './media-input.ts'

/** Without a limit, adapters use the provider's default, which for some is a few hundred tokens. */
export const OUTPUT_TOKENS = 8192

/** A tool as a model is shown it. */
export interface ToolSpec {
  name: string
  description: string
  schema: JsonObject
}

/** One request to a model. */
export interface ModelRequest {
  purpose: ModelPurpose
  system: string
  messages: readonly Message[]
  /** Absent: no tools are offered. */
  tools?: readonly ToolSpec[]
  temperature?: number
  maxOutputTokens?: number
  /**
   * For prompt caches: `key` groups the requests of a conversation, and the first `stable` characters of `system` are
   * the same in all of them.
   */
  cache?: { key: string; stable: number }
  /** The bytes of the files in `messages`. */
  media?: MediaBytes
  /** True: text is yielded in pieces. The completion is the same. */
  stream: boolean
  /**
   * In the JSON dialect: the messages and tools before they were rendered as text. In-process models read it; it is
   * never sent.
   */
  plain?: { messages: readonly Message[]; tools: readonly ToolSpec[] }
}

/** A call from a provider: `args` is parsed JSON, `rawArgs` is text that is not valid JSON. */
export type RawCall = { id: string; tool: string } & ({ args: unknown } | { rawArgs: string })

/** A complete answer, before its dialect is decoded. */
export interface Completion {
  text: string
  calls: RawCall[]
  reasoning_content?: string
  usage: Usage
  /** Cut at the provider's token limit. */
  truncated: boolean
}

/**
 * One attempt. Yields text as it arrives; throws ModelError on failure.
 *
 * @example
 * ```ts
 * import { createAgent, type Model } from 'writ'
 *
 * const echo: Model = {
 *   id: 'own/echo',
 *   route: 'CloudLlm',
 *   reasoning: 'clear',
 *   async *ask({ messages }) {
 *     const last = messages.at(-1)
 *     const text = last?.role === 'user' ? last.content : ''
 *     yield text
 *     return { text, calls: [], usage: { inputTokens: 1, outputTokens: 1 }, truncated: false }
 *   },
 * }
 * await using agent = await createAgent({ model: echo, data: ':memory:' })
 * console.log((await agent.run('hello')).reply) // hello
 * ```
 */
export interface Model {
  readonly id: string
  /** The configured model, when a script answers in its place; the journal records which one answered. */
  readonly standsFor?: string
  readonly route: DecisionRoute
  /** `clear`: the reasoning of a turn is dropped when the next begins (S1). DeepSeek requires it beside tool calls. */
  readonly reasoning: 'clear' | 'keep-with-tool-calls'
  /** Shown below every reply, to tell the reader what answered. */
  readonly footer?: (lang: 'en' | 'zh') => string
  ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion>
}

/**
 * A failure of the provider, and whether a retry can help. `message` is English; `why` can be worded for any reader.
 *
 * @example
 * ```ts
 * import { createAgent, type Model, ModelError } from 'writ'
 *
 * const down: Model = {
 *   id: 'own/down',
 *   route: 'CloudLlm',
 *   reasoning: 'clear',
 *   async *ask() {
 *     yield ''
 *     throw new ModelError('the server says no', { status: 403, retryable: false })
 *   },
 * }
 * await using agent = await createAgent({ model: down, data: ':memory:', lang: 'en' })
 * const { stopReason } = await agent.run('hello')
 * console.log(stopReason) // provider_error
 * ```
 */
export class ModelError extends Error {
  readonly why: Why
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    why: Why,
    options: {
      status?: number | undefined
      retryable: boolean
      retryAfterMs?: number | undefined
      cause?: unknown
    },
  ) {
    super(whyText(why, 'en'), { cause: options.cause })
    this.name = 'ModelError'
    this.why = why
    this.status = options.status
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }
}
