import type { ScoutView as ScoutState } from '../journal/scout-states.ts'
import type { ScoutView } from './contract/shapes.ts'

export function scoutView(scout: ScoutState): ScoutView {
  const { scoutId, runId, task, state, tool, startedAt, elapsedMs, status } = scout
  return {
    scoutId,
    runId,
    task,
    state,
    ...(tool === undefined ? {} : { tool }),
    ...(startedAt === undefined ? {} : { startedAt }),
    elapsedMs,
    ...(status === undefined ? {} : { status }),
  }
}
