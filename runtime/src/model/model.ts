import type { JsonObject } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Message, ModelPurpose, Usage } from '../protocol/message.ts'
import type { DecisionRoute } from '../protocol/risk.ts'

export interface ToolSpec {
  name: string
  description: string
  schema: JsonObject
}

export interface ModelRequest {
  purpose: ModelPurpose
  system: string
  messages: readonly Message[]
  /** Absent: no tools are offered. */
  tools?: readonly ToolSpec[]
  temperature?: number
  maxOutputTokens?: number
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

/** One attempt. Yields text as it arrives; throws ModelError on failure. */
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

/** What to check or change, in both languages. */
export type Hint = Readonly<Record<Lang, string>>

/** A failure of the provider, and whether a retry can help. The fact is in English, as providers report it. */
export class ModelError extends Error {
  readonly #fact: string
  readonly #hint: Hint | undefined
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    fact: string,
    options: {
      status?: number | undefined
      retryable: boolean
      retryAfterMs?: number | undefined
      cause?: unknown
      hint?: Hint | undefined
    },
  ) {
    super(withHint(fact, options.hint?.en), { cause: options.cause })
    this.#fact = fact
    this.#hint = options.hint
    this.name = 'ModelError'
    this.status = options.status
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }

  messageIn(lang: Lang): string {
    return withHint(this.#fact, this.#hint?.[lang])
  }
}

function withHint(fact: string, hint: string | undefined): string {
  return hint === undefined ? fact : `${fact} (${hint})`
}
