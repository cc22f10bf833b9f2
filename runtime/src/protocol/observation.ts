/** What came of a proposal, as the model will read it. */
export type Outcome = 'ok' | 'failed' | 'error' | 'denied'

/** Failures that are not denials: the tool was allowed, and something went wrong. */
export type FailureCode =
  | 'TOOL_TIMEOUT'
  | 'TOOL_EXCEPTION'
  | 'TOOL_FAILED'
  | 'INTERRUPTED'
  | 'ARGS_REDACTED'
  | 'SKIPPED'

export interface Observation {
  outcome: Outcome
  text: string
  /** What was printed before a failure. */
  partial?: string
  code?: string
  recoverable?: boolean
  hint?: string
  elapsedMs: number
}
