import type { StopReason } from '../protocol/stop.ts'
import type { DenialReason } from '../protocol/verdict.ts'

/** `parked`: waits for an answer. The command line never parks a run. */
const CODES: Record<StopReason | 'parked', number> = {
  final: 0,
  reported: 0,
  clarification: 0,
  parked: 0,
  internal_error: 1,
  interrupted: 1,
  invalid_input: 2,
  tool_policy_blocked: 3,
  protected_changed: 3,
  intent_execution_failed: 4,
  max_steps: 6,
  max_tool_calls: 6,
  repeated_call: 6,
  token_budget: 6,
  money_budget: 6,
  timeout: 6,
  provider_error: 7,
  parse_error: 7,
  tool_error: 7,
  invalid_result: 7,
  aborted: 130,
}

const NOT_APPROVED: readonly DenialReason[] = ['USER_REJECTED', 'NO_CONFIRM_CHANNEL']

/** `refusals`: the reasons of denied calls. A success without a required approval exits with 5. */
export function exitCode(stop: StopReason | 'parked', refusals: ReadonlySet<DenialReason>): number {
  const code = CODES[stop]
  return code === 0 && NOT_APPROVED.some((reason) => refusals.has(reason)) ? 5 : code
}
