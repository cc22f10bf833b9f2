/** What a run does next, decided from its state alone; a resumed run continues exactly where it stopped. */
import type { ToolCall } from '../protocol/message.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'

export type Move =
  | { do: 'check-before' }
  | { do: 'check-output' }
  | { do: 'check-after' }
  | { do: 'route' }
  | { do: 'settle'; call: ToolCall }
  | { do: 'skip'; call: ToolCall }
  | { do: 'ask' }
  | { do: 'stop'; reason: StopReason; text?: string }

/** The same call with the same result: the model learns nothing from it and would go on until its last step. */
export const MAX_REPEATS = 3

/** `cut`: the run was ended from outside, by cancellation or by its time limit. */
export function nextMove(state: RunState, { now, cut }: { now: number; cut?: 'aborted' | 'timeout' }): Move {
  const { limits, onToolFailure } = state.profile
  const [call] = state.pending

  if (cut !== undefined) return { do: 'stop', reason: cut }
  if (limits.runMs !== undefined && now - state.startedAt >= limits.runMs) return { do: 'stop', reason: 'timeout' }
  const guarded = state.profile.taskIntent === 'detected'
  if (state.outcome !== undefined) {
    if (call !== undefined) return { do: 'skip', call }
    const mustFit = state.given.outputSchema !== undefined && state.checked.output !== 'ok'
    if (mustFit && state.outcome.reason === 'final') return { do: 'check-output' }
    const claimed = guarded && state.outcome.reason === 'final' && state.checked.completion === undefined
    return claimed ? { do: 'check-after' } : { do: 'stop', ...state.outcome }
  }
  if (guarded && state.checked.preflight === undefined) return { do: 'check-before' }
  if (state.profile.routing && state.skillRoute === undefined) return { do: 'route' }
  if (onToolFailure === 'repair_once' && state.failures >= 2) return { do: 'stop', reason: 'tool_error' }
  // A scout has fewer calls than that, and must report instead.
  const isRepeating = state.profile.mode !== 'scout' && (state.repeat?.times ?? 0) >= MAX_REPEATS
  if (call !== undefined) return { do: isRepeating ? 'skip' : 'settle', call }

  if (state.malformed >= 2) return { do: 'stop', reason: 'parse_error' }
  const spent = state.usage.inputTokens + state.usage.outputTokens
  const { tokens } = limits
  if (tokens?.mode === 'hard' && tokens.budget > 0 && spent >= tokens.budget)
    return { do: 'stop', reason: 'token_budget' }
  if (state.malformed === 0 && state.steps >= limits.maxSteps) return { do: 'stop', reason: 'max_steps' }
  if (isRepeating) return { do: 'stop', reason: 'repeated_call' }
  return { do: 'ask' }
}
