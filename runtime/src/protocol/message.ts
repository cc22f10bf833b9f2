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

export type Message =
  /**
   * `own`: the part the user wrote, where the rest was passed on. `by: 'runtime'`: written by Writ, not by the user.
   */
  | { role: 'user'; content: string; own?: string; by?: 'runtime' }
  | { role: 'assistant'; content: string; calls?: ToolCall[]; reasoning_content?: string }
  | { role: 'tool'; callId: string; tool: string; content: string; told?: Told; said?: Said[] }

export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** A decoded reply; later code does not know the dialect. */
export type ModelReply =
  /** `truncated`: cut at the provider's token limit. */
  | { kind: 'final'; text: string; reasoning_content?: string; truncated?: true }
  | { kind: 'calls'; calls: ToolCall[]; text: string; reasoning_content?: string }
  | { kind: 'malformed'; text: string; error: string }

/** Why a model is called; scripts are keyed by it. */
export type ModelPurpose = 'detect' | 'route' | 'main' | 'decide' | `scout` | `scout:${number}`

/** Calls outside the steps of a run: classification, routing, prediction. */
export function isAside(purpose: ModelPurpose): boolean {
  return purpose === 'detect' || purpose === 'route' || purpose === 'decide'
}
