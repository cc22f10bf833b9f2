/** How many replies in a row led to the same call with the same result. */
import { fingerprint } from '../base/hash.ts'
import type { ToolCall } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { RunState } from '../protocol/state.ts'

export function countRepeat(state: RunState, { tool, args }: ToolCall, observation: Observation): void {
  // The text of a timeout has the time it took, which always differs.
  const text = observation.code === 'TOOL_TIMEOUT' ? '' : render(observation)
  const key = fingerprint([tool, args, observation.outcome, text])
  const { repeat, steps } = state
  // Calls of one reply were proposed before any of their results was known: that is not a loop.
  if (repeat?.key === key && repeat.step === steps) return
  state.repeat = { tool, key, step: steps, times: repeat?.key === key ? repeat.times + 1 : 1 }
}
