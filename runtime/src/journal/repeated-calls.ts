/** How often in a row the same call had the same result. */
import { fingerprint } from '../base/hash.ts'
import type { ToolCall } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { RunState } from '../protocol/state.ts'

export function countRepeat(state: RunState, { tool, args }: ToolCall, observation: Observation): void {
  // The text of a timeout has the time it took, which always differs.
  const text = observation.code === 'TOOL_TIMEOUT' ? '' : render(observation)
  const key = fingerprint([tool, args, observation.outcome, text])
  state.repeat = { tool, key, times: state.repeat?.key === key ? state.repeat.times + 1 : 1 }
}
