/** How many replies in a row led to the same call with the same result. */
import { fingerprint } from '../base/hash.ts'
import type { ToolCall } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { RunState } from '../protocol/state.ts'

export function countRepeat(state: RunState, { tool, args }: ToolCall, observation: Observation): void {
  const key = fingerprint([tool, args, observation.outcome, resultOf(observation)])
  const { repeat, steps } = state
  // Calls of one reply were proposed before any of their results was known: that is not a loop.
  if (repeat?.key === key && repeat.step === steps) return
  state.repeat = { tool, key, step: steps, times: repeat?.key === key ? repeat.times + 1 : 1 }
}

/** Without what differs each time: the time that a timeout took, and the id in the shown part of a long result. */
function resultOf(observation: Observation): string {
  if (observation.code === 'TOOL_TIMEOUT') return ''
  const files = observation.media?.map(({ sha256 }) => sha256) ?? []
  return [observation.full?.sha256 ?? render(observation), ...files].join('\n')
}
