/** S3 §7's shape, key for key. */
import type { StopReason } from './stop.ts'
import type { Review, ShadowVerdict } from './verdict.ts'

/** One step of a trace. */
export interface TraceEntry {
  step: number
  action: { tool: string; args: unknown }
  observation: string
  elapsed_ms: number
  error?: string
  /** Started, and the run is still active. */
  running?: true
  /** What the shadow policy would have decided, where that differs. */
  shadow?: ShadowVerdict
  /** What the reviewer said before a person was asked. */
  review?: Review
}

/** `after`: how many calls had been made. `text`: the summary; empty when the model gave none. */
export interface ContextCut {
  after: number
  kind: 'limited' | 'shortened' | 'summarised'
  /** Of the prompt before and after; for `limited`, `to` is what the provider accepts. */
  tokens: { from?: number; to: number }
  text?: string
}

/** What a run did, as people read it. */
export interface Trace {
  final_answer: string
  trace: TraceEntry[]
  used_tools: Record<string, { count: number; total_ms: number }>
  /** Null while the run is active or waits for an answer. */
  finish_reason: StopReason | null
  /** How the prompt was made to fit the context window; absent when it always fitted. */
  context?: ContextCut[]
  /** Why there is no final answer; `final_answer` is then the last draft, or empty. */
  error?: string
}
