/** An agent as a worker: it performs jobs, resumes interrupted runs and enforces the retention settings. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AttachedFile } from '../agent/attachments.ts'
import type { Confirm } from '../agent/context.ts'
import { systemClock } from '../base/clock.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import type { Dispatcher, Job, Worker, WorkOptions } from '../dispatch/dispatch.ts'
import { localDispatcher } from '../dispatch/local.ts'
import { type Performer, performing } from '../dispatch/perform.ts'
import { type RecoverDeps, recover } from '../dispatch/recover.ts'
import { WritError } from '../errors/writ-error.ts'
import { applyRetention } from '../journal/prune.ts'
import { placesOfQuestion } from '../journal/questions.ts'
import { firstEvent } from '../journal/read.ts'
import type { Media } from '../protocol/media.ts'
import { EVERYONE, LOCAL } from '../protocol/principal.ts'
import { leasesOn } from '../storage/leases.ts'
import type { Agent } from './agent.ts'
import { forgetDeletedRuns } from './undo.ts'

/** With PostgreSQL any worker can take a job; without it jobs run in the process that submits them. */
export async function openDispatcher({ config }: LoadedConfig, env: Env): Promise<Dispatcher> {
  if (config.store !== 'postgres') return localDispatcher()
  return (await import('../dispatch/pg-boss.ts')).pgBossDispatcher(env.WRIT_DATABASE_URL ?? '')
}

/** `agentNow` is called for every job: the server may have replaced its agent by a more restricted one. */
export function performerOf(agentNow: () => Agent, drive: Performer['drive'] = driveUnwatched): Performer {
  const { store } = agentNow()
  return {
    store,
    drive,
    async *begin(job, signal) {
      const agent = agentNow()
      const { sessionId, runId, lang } = job
      const { principal = await agent.engine.ownerOf(sessionId) } = job
      const how = { sessionId, runId, signal, principal, ...present({ lang }) }
      if (job.kind === 'turn') {
        const attachments = job.attachments && (await storedFiles(agent, sessionId, job.attachments))
        return yield* agent.stream(job.task, { ...how, ...present({ outputSchema: job.outputSchema, attachments }) })
      }
      return yield* agent.workflows.stream(job.document, job.input, how)
    },
    async *resume(runId, { signal, answer }) {
      const agent = agentNow()
      const first = await firstEvent(store, runId)
      if (first?.mode === 'workflow') return yield* agent.workflows.resume(runId, { signal })
      if (answer === undefined) return yield* agent.resume(runId, { signal })
      const { callId, asked, ...reply } = answer
      const shown = asked ?? (await placesOfQuestion(store, runId, callId)).shown
      // An answer counts for one question only; the next question, or a changed one, needs an answer of its own.
      const confirm: Confirm = async (question) => {
        if (question.callId !== callId) return 'later'
        return (await placesOfQuestion(store, runId, callId)).latest === shown ? reply : 'later'
      }
      return yield* agent.resume(runId, { signal, confirm })
    },
    async runRoutine(name) {
      const { routines } = agentNow()
      const routine = (await routines.routinesOf(EVERYONE, LOCAL).list()).find((each) => each.name === name)
      if (routine === undefined) throw new WritError('ROUTINE_UNKNOWN', { name })
      return routines.engineFor(agentNow()).runNow(routine, new AbortController().signal)
    },
  }
}

/** Throws where the server that stored them has another data folder. */
async function storedFiles({ engine }: Agent, sessionId: string, files: readonly Media[]): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: await engine.media.files.read(sessionId, file) })),
  )
}

const driveUnwatched: Performer['drive'] = (_at, open) => drain(open(new AbortController().signal))

export interface WorkerOptions {
  /** Max concurrent jobs. */
  atOnce: number
  performer?: Performer
  onOver?: WorkOptions['onOver']
  tell?: RecoverDeps['tell']
}

/** Works until it is stopped. */
export async function startWorker(
  agent: Agent,
  dispatcher: Dispatcher,
  { atOnce, performer = performerOf(() => agent), onOver = () => {}, tell = () => {} }: WorkerOptions,
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

/** Deletes what the retention settings allow, at the start and then every hour. */
export async function enforceRetention(
  { store, engine: { results, world }, config: { config } }: Agent,
  signal: AbortSignal,
  { pruned, failed }: { pruned(runs: number): void; failed(error: unknown): void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const done = await applyRetention(store, config.retention, systemClock.now())
      if (done === undefined) return
      if (done.runs > 0) {
        await forgetDeletedRuns(world, store)
        pruned(done.runs)
      }
      await results?.keepOnly(await store.readRunIds())
    } catch (error) {
      failed(error)
    }
    await delay(RETENTION_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
