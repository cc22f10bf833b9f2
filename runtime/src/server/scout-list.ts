import { present } from '../base/present.ts'
import { sessionsAtWork } from '../dispatch/lease.ts'
import { type ScoutHistory, type ScoutView as ScoutState, scoutStates } from '../journal/scout-states.ts'
import type { ScoutView } from './contract/shapes.ts'
import type { ServerDeps } from './server-deps.ts'

/** Running scouts of all processes, from their journals. */
export async function runningScouts({ store, leases }: Pick<ServerDeps, 'store' | 'leases'>): Promise<ScoutHistory[]> {
  const found: ScoutHistory[] = []
  for (const sessionId of await sessionsAtWork(leases)) {
    const open = await store.listRuns({ sessionId, open: true })
    for (const { runId, parentRunId } of open.toReversed()) {
      if (parentRunId !== undefined) found.push(...scoutStates(await store.readRun(runId)))
    }
  }
  return found.filter(({ status }) => status === undefined)
}

export function scoutView(scout: ScoutState): ScoutView {
  const { scoutId, runId, task, state, tool, startedAt, elapsedMs, status } = scout
  return {
    scoutId,
    runId,
    task,
    state,
    ...present({ tool, startedAt }),
    elapsedMs,
    ...present({ status }),
  }
}
