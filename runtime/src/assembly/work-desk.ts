/** An agent put to work: it does the jobs that come, goes on with what a crash cut off, and keeps the store small. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Confirm } from '../agent/context.ts'
import { systemClock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import type { Dispatcher, Job, Worker, WorkOptions } from '../dispatch/dispatch.ts'
import { localDispatcher } from '../dispatch/local.ts'
import { type Performer, performing } from '../dispatch/perform.ts'
import { type RecoverDeps, recover } from '../dispatch/recover.ts'
import { applyRetention } from '../journal/prune.ts'
import { placesOfQuestion } from '../journal/questions.ts'
import { EVERYONE, LOCAL } from '../protocol/principal.ts'
import { leasesOn } from '../storage/leases.ts'
import type { Agent } from './agent.ts'

/** PostgreSQL hands jobs to any worker; without it they are done in the process that has them. */
export async function openDispatcher({ config }: LoadedConfig, env: Env): Promise<Dispatcher> {
  if (config.store !== 'postgres') return localDispatcher()
  return (await import('../dispatch/pg-boss.ts')).pgBossDispatcher(env.WRIT_DATABASE_URL ?? '')
}

/** The agent is asked for anew with every job: it may have been replaced by one that is held to less. */
export function performerOf(agentNow: () => Agent, drive: Performer['drive'] = driveAlone): Performer {
  const { store } = agentNow()
  return {
    store,
    drive,
    async *begin(job, signal) {
      const agent = agentNow()
      const { sessionId, runId, lang } = job
      const { principal = await agent.engine.ownerOf(sessionId) } = job
      const how = { sessionId, runId, signal, principal, ...(lang === undefined ? {} : { lang }) }
      if (job.kind === 'turn') return yield* agent.stream(job.task, how)
      return yield* agent.workflows.stream(job.document, job.input, how)
    },
    async *resume(runId, { signal, answer }) {
      const agent = agentNow()
      const [first] = await store.readRun(runId, 0, 1)
      if (first?.mode === 'workflow') return yield* agent.workflows.resume(runId, { signal })
      if (answer === undefined) return yield* agent.resume(runId, { signal })
      const { callId, asked, ...said } = answer
      const shown = asked ?? (await placesOfQuestion(store, runId, callId)).shown
      // An answer is to one question; the next one waits for its own, and so does what that question has become.
      const confirm: Confirm = async (question) => {
        if (question.callId !== callId) return 'later'
        return (await placesOfQuestion(store, runId, callId)).latest === shown ? said : 'later'
      }
      return yield* agent.resume(runId, { signal, confirm })
    },
    async runRoutine(name) {
      const { routines } = agentNow()
      const routine = (await routines.routinesOf(EVERYONE, LOCAL).list()).find((each) => each.name === name)
      if (routine === undefined) throw new WritError('ROUTINE_UNKNOWN', `there is no routine ${name}`)
      return routines.engineFor(agentNow()).runNow(routine, new AbortController().signal)
    },
  }
}

const driveAlone: Performer['drive'] = (_at, open) => drain(open(new AbortController().signal))

export interface WorkAtOptions {
  atOnce: number
  performer?: Performer
  onOver?: WorkOptions['onOver']
  tell?: RecoverDeps['tell']
}

/** Until it is stopped; waits then for what is under way, at most so long. */
export async function putToWork(
  agent: Agent,
  dispatcher: Dispatcher,
  { atOnce, performer = performerOf(() => agent), onOver = () => {}, tell = () => {} }: WorkAtOptions,
): Promise<Worker> {
  const recovering = recover({ performer, leases: leasesOn(agent.db), tell })
  const onGivenUp = (job: Job, error: unknown) => tell('runId' in job ? { runId: job.runId, error } : { error })
  const working = await dispatcher.work(performing(performer), { atOnce, onOver, onGivenUp })
  return {
    async stop(waitMs) {
      await Promise.all([recovering.stop(waitMs), working.stop(waitMs)])
    },
  }
}

const RETENTION_MS = 3_600_000

/** What the configuration says may go, goes: at the start, and every hour. */
export async function keepSmall(
  { store, config: { config } }: Agent,
  signal: AbortSignal,
  { pruned, failed }: { pruned(runs: number): void; failed(error: unknown): void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const done = await applyRetention(store, config.retention, systemClock.now())
      if (done === undefined) return
      if (done.runs > 0) pruned(done.runs)
    } catch (error) {
      failed(error)
    }
    await delay(RETENTION_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
