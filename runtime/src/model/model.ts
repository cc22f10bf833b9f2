import type { JsonObject } from '../base/json.ts'
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
  /** Absent: the model is offered no tools at all. */
  tools?: readonly ToolSpec[]
  temperature?: number
  maxOutputTokens?: number
  /** True: text arrives piece by piece. The completion is the same either way. */
  stream: boolean
  /** Under the JSON dialect: what was rendered as text. Models that live in this process read it; it is never sent. */
  plain?: { messages: readonly Message[]; tools: readonly ToolSpec[] }
}

/** A call as a provider sent it: `args` is parsed JSON, or `rawArgs` is text that is not JSON. */
export type RawCall = { id: string; tool: string } & ({ args: unknown } | { rawArgs: string })

/** A provider's whole answer, before its dialect is decoded. */
export interface Completion {
  text: string
  calls: RawCall[]
  reasoning_content?: string
  usage: Usage
  /** True when the provider cut the answer at its token limit. */
  truncated: boolean
}

/** One attempt at an answer. Yields text as it arrives; throws ModelError when the attempt failed. */
export interface Model {
  readonly id: string
  /** The name that was configured, where a script answers in its place; the journal says which of them answered. */
  readonly standsFor?: string
  readonly route: DecisionRoute
  /** `clear`: a turn's reasoning is dropped when the next begins (S1); DeepSeek wants it kept beside tool calls. */
  readonly reasoning: 'clear' | 'keep-with-tool-calls'
  /** Said under every reply, when the reader should know what answered. */
  readonly footer?: (lang: 'en' | 'zh') => string
  ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion>
}

/** A provider failure, sorted by whether asking again can help. */
export class ModelError extends Error {
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { status?: number; retryable: boolean; retryAfterMs?: number; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'ModelError'
    this.status = options.status
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }
}
