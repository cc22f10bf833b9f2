import type { Media } from './media.ts'

/** Messages to and from a model, independent of the provider. */
export interface ToolCall {
  id: string
  tool: string
  args: unknown
}

/**
 * A text from memory, split: `own` comes from the user or from a run that read no untrusted text, `retold` is the rest.
 */
export interface Told {
  own: string
  retold: string
}

/**
 * What a person typed about a call: the reason of a no, or its changed arguments. Then `except` has the arguments
 * before the change: what these named is not the person's.
 */
export interface Said {
  text: string
  except?: string
}

/** A message, as a model reads it. */
export type Message =
  /**
   * `own`: the part the user wrote, where the rest was passed on. `by: 'runtime'`: written by Writ, not by the user.
   * `attached`: what follows `own` are the user's attachments; `full`: their text, when it is too long to show.
   */
  | { role: 'user'; content: string; own?: string; by?: 'runtime'; attached?: true; media?: Media[]; full?: FullResult }
  | { role: 'assistant'; content: string; calls?: ToolCall[]; reasoning_content?: string }
  | {
      role: 'tool'
      callId: string
      tool: string
      content: string
      told?: Told
      full?: FullResult
      said?: Said[]
      /** Files that the model is shown with the result. */
      media?: Media[]
    }

/** A result that was too long to show: all of it is in a file of this run. */
export interface FullResult {
  runId: string
  chars: number
  /** Of the text in the file. */
  sha256: string
}

/** Reads a result again that was shortened; see docs/guides/context.md. */
export const RESULT_TOOL = 'result_read'

/** The tokens of model calls. */
export interface Usage {
  /** All input tokens, the cached ones included. */
  inputTokens: number
  outputTokens: number
  /** Input tokens the provider read from its cache, and those it wrote to it; absent when it reported none. */
  cachedInputTokens?: number
  cacheWriteTokens?: number
}

export function addUsage(one: Usage, other: Usage): Usage {
  const cached = (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0)
  const written = (one.cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0)
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  }
}

/** A decoded reply; later code does not know the dialect. */
export type ModelReply =
  /** `truncated`: cut at the provider's token limit. `quotesCall`: ends with a call as text that was not run. */
  | { kind: 'final'; text: string; reasoning_content?: string; truncated?: true; quotesCall?: true }
  | { kind: 'calls'; calls: ToolCall[]; text: string; reasoning_content?: string }
  | { kind: 'malformed'; text: string; error: string }

/** Why a model is called; scripts are keyed by it. */
export type ModelPurpose = 'detect' | 'route' | 'summary' | 'review' | 'main' | 'decide' | `scout` | `scout:${number}`

const ASIDES: readonly ModelPurpose[] = ['detect', 'route', 'summary', 'review', 'decide']

/** Calls outside the steps of a run: classification, routing, summary, review, prediction. */
export function isAside(purpose: ModelPurpose): boolean {
  return ASIDES.includes(purpose)
}
