/** S3 §7's shape, key for key. */
export interface TraceEntry {
  step: number
  action: { tool: string; args: unknown }
  observation: string
  elapsed_ms: number
  error?: string
}

export interface Trace {
  final_answer: string
  trace: TraceEntry[]
  used_tools: Record<string, { count: number; total_ms: number }>
  finish_reason: string
  /** Why there is no final answer; `final_answer` is then the last draft, or empty. */
  error?: string
}
