/** An agent put to work: it does the jobs that come, goes on with what a crash cut off, and keeps the store small. */

import { WritError } from '../base/errors.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import type { Dispatcher, Job } from '../dispatch/dispatch.ts'
import { localDispatcher } from '../dispatch/local.ts'
import { type Performer, performing } from '../dispatch/perform.ts'
import { type RecoverDeps, recover } from '../dispatch/recover.ts'
import { leasesOn } from '../storage/leases.ts'
import type { Agent } from './agent.ts'

/** PostgreSQL hands jobs to any worker; without it they are done in the process that has them. */
export async function openDispatcher({ config }: LoadedConfig, env: Env): Promise<Dispatcher> {
  if (config.store !== 'postgres') return localDispatcher()
  return (await import('../dispatch/pg-boss.ts')).pgBossDispatcher(env.WRIT_DATABASE_URL ?? '')
}

export function performerOf(agent: Agent): Performer {
  const { store, routines } = agent
  return {
    store,
    stream: (task, { sessionId, runId }) => agent.stream(task, { sessionId, runId }),
    async *resume(runId) {
      const [first] = await store.readRun(runId, 0, 1)
      return yield* first?.mode === 'workflow' ? agent.workflows.resume(runId) : agent.resume(runId)
    },
    runWorkflow: ({ document, input, sessionId, runId }) =>
      agent.workflows.stream(document, input, { sessionId, runId }),
    async runRoutine(name) {
      const routine = (await routines.routines.list()).find((each) => each.name === name)
      if (routine === undefined) throw new WritError('ROUTINE_UNKNOWN', `there is no routine ${name}`)
      return routines.engineFor(agent).runNow(routine, new AbortController().signal)
    },
  }
}

export interface WorkAtOptions {
  atOnce: number
  tell?: RecoverDeps['tell']
}

/** Until it is stopped; waits then for what is under way, at most so long. */
export async function putToWork(
  agent: Agent,
  dispatcher: Dispatcher,
  { atOnce, tell = () => {} }: WorkAtOptions,
): Promise<{ stop(waitMs: number): Promise<void> }> {
  const performer = performerOf(agent)
  const recovering = recover({ performer, leases: leasesOn(agent.db), tell })
  const onGivenUp = (job: Job, error: unknown) => tell('runId' in job ? { runId: job.runId, error } : { error })
  const working = await dispatcher.work(performing(performer), { atOnce, onGivenUp })
  return {
    async stop(waitMs) {
      await Promise.all([recovering.stop(waitMs), working.stop(waitMs)])
    },
  }
}
