import { sessionsAtWork } from '../dispatch/lease.ts'
import { type ScoutHistory, type ScoutView as ScoutState, scoutStates } from '../journal/scout-states.ts'
import type { ScoutView } from './contract/shapes.ts'
import type { Setup } from './setup.ts'

/** Those at work in any process, as their journals tell it. */
export async function scoutsAtWork({ store, leases }: Pick<Setup, 'store' | 'leases'>): Promise<ScoutHistory[]> {
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
    ...(tool === undefined ? {} : { tool }),
    ...(startedAt === undefined ? {} : { startedAt }),
    elapsedMs,
    ...(status === undefined ? {} : { status }),
  }
}
