/** What is said to and by a model, whatever the provider. */
export interface ToolCall {
  id: string
  tool: string
  args: unknown
}

/** A text of memory taken apart: what the user or a run that had heard no stranger put there, and the rest. */
export interface Told {
  own: string
  retold: string
}

export type Message =
  /** `own`: what of it the user said himself, where the rest was only handed on. `by`: he said none of it, we did. */
  | { role: 'user'; content: string; own?: string; by?: 'runtime' }
  | { role: 'assistant'; content: string; calls?: ToolCall[]; reasoning_content?: string }
  | { role: 'tool'; callId: string; tool: string; content: string; told?: Told }

export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** What a model's answer means, after its dialect was decoded; nothing later knows the dialect. */
export type ModelReply =
  /** `truncated`: the provider cut it at its token limit. */
  | { kind: 'final'; text: string; reasoning_content?: string; truncated?: true }
  | { kind: 'calls'; calls: ToolCall[]; text: string; reasoning_content?: string }
  | { kind: 'malformed'; text: string; error: string }

/** Why a model is being asked; scripts are keyed by it. */
export type ModelPurpose = 'detect' | 'route' | 'main' | 'decide' | `scout` | `scout:${number}`

/** Asked beside a run's own steps: a label, a route, a prediction. */
export function isAside(purpose: ModelPurpose): boolean {
  return purpose === 'detect' || purpose === 'route' || purpose === 'decide'
}
