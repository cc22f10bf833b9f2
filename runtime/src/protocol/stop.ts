/** Why a run ended. The same string is S0's stopReason and S3's finish_reason. */
export const STOP_REASONS = [
  'final',
  'reported',
  'clarification',
  'max_steps',
  'max_tool_calls',
  'repeated_call',
  'token_budget',
  'money_budget',
  'timeout',
  'parse_error',
  'tool_error',
  'provider_error',
  'invalid_result',
  'invalid_input',
  'tool_policy_blocked',
  'protected_changed',
  'intent_execution_failed',
  'aborted',
  'interrupted',
  'internal_error',
] as const
/** Why a run ended. */
export type StopReason = (typeof STOP_REASONS)[number]

/** Successful ends; all others are controlled stops with a reason. */
export function isNormalEnd(reason: StopReason): boolean {
  return reason === 'final' || reason === 'reported' || reason === 'clarification'
}

/** The provider or Writ itself failed: the text is our apology, and nothing that a model said. */
export function isApology(reason: StopReason | 'parked'): boolean {
  return reason === 'provider_error' || reason === 'internal_error'
}

/** Why a run ended, and what the user reads. */
export interface Stop {
  reason: StopReason
  text: string
  /** The provider cut the answer at its token limit. */
  truncated?: true
  /** The answer ends with a tool call as text that was taken for a quotation and not run. */
  quotesCall?: true
}
