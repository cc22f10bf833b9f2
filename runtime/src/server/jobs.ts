/** Submits jobs to a worker of any process and follows them; with an embedded store this process is the only worker. */
import { enforceRetention, openDispatcher, performerOf, startWorker } from '../assembly/jobs.ts'
import { messageOf } from '../base/errors.ts'
import type { Env } from '../config/places.ts'
import { errorFrom, type Failed, type Job, type Submitted } from '../dispatch/dispatch.ts'
import { localDispatcher } from '../dispatch/local.ts'
import { performing } from '../dispatch/perform.ts'
import { WritError } from '../errors/writ-error.ts'
import { hasRedaction } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import type { CurrentAgent } from './current-agent.ts'
import type { LiveRuns, Started, Work } from './live-runs.ts'
import type { Log } from './log.ts'

/** Concurrent runs. They mostly wait for models; the limit bounds memory use. */
const CONCURRENCY = 256
/** With other workers on the same database, so that they get their share. */
const SHARED_CONCURRENCY = 16
/** Another process may end the run without notifying this one. */
const POLL_MS = 1000

/** Reads from the journal how a run ended or where it waits. Only events after `after` count. */
export type ReadEnd<R> = (store: Store, at: { runId: string; after: number }) => Promise<R | undefined>

type RunJob = Extract<Job, { runId: string }>

export interface Jobs {
  /** Undefined when the same job was submitted before. Throws when the session has too many waiting jobs. */
  submit<R>(job: RunJob, read: ReadEnd<R>): Promise<Work<R> | undefined>
  /** Takes no new jobs; running ones continue. */
  stop(): Promise<void>
  close(): Promise<void>
  /** Whether this process runs jobs. */
  works: boolean
  /** Whether other processes may run its jobs. */
  shared: boolean
}

export interface JobsDeps {
  current: CurrentAgent
  liveRuns: LiveRuns
  log: Log
  env: Env
  atOnce: number | undefined
}

export async function openJobs({ current, liveRuns, log, env, ...wanted }: JobsDeps): Promise<Jobs> {
  const { agent } = current
  const { store } = agent
  const shared = agent.config.config.store === 'postgres'
  const atOnce = wanted.atOnce ?? (shared ? SHARED_CONCURRENCY : CONCURRENCY)
  const works = atOnce > 0
  if (!shared && !works) throw new WritError('USAGE.noWorker')
  const here = localDispatcher()
  const fleet = shared ? await openDispatcher(agent.config, env) : here
  const over = new AbortController()
  const performer = performerOf(
    () => current.agent,
    (at, open) => liveRuns.drive(at, open).result,
  )
  const tell = ({ runId, ...news }: { runId?: string; error?: unknown }) => {
    if ('error' in news) log('error', 'work.failed', { runId, error: messageOf(news.error) })
    else log('info', 'run.resumed', { runId })
  }
  const onOver = ({ sessionId }: Job) => liveRuns.wake(sessionId)
  const workers = works ? [await startWorker(agent, fleet, { atOnce, performer, onOver, tell })] : []
  if (shared) workers.push(await here.work(performing(performer), { atOnce: CONCURRENCY, onOver }))
  const keeping = enforceRetention(agent, over.signal, {
    pruned: (runs) => log('info', 'pruned', { runs }),
    failed: (error) => log('error', 'prune.failed', { error: messageOf(error) }),
  })

  /** Other processes read the queue: keep secrets out of it, and runs with overrides that only this server has. */
  function canBeShared(job: RunJob): boolean {
    if (Object.keys(current.overrides).length > 0) return false
    return !hasRedaction(current.agent.engine.redact(job))
  }

  return {
    shared,
    works,
    async submit(job, read) {
      liveRuns.assertCapacity(job.sessionId)
      const release = liveRuns.reserve(job)
      try {
        const after = await store.lastSeq(job.runId)
        const submitted = await (shared && canBeShared(job) ? fleet : here).submit(job)
        if (submitted !== undefined) return followJob({ store, liveRuns }, job, { submitted, after, read, release })
      } catch (error) {
        release()
        throw error
      }
      release()
      return undefined
    },
    async stop() {
      over.abort()
      await Promise.all([...workers.map((worker) => worker.stop(0)), keeping])
    },
    close: () => fleet.close(),
  }
}

function followJob<R>(
  { store, liveRuns }: { store: Store; liveRuns: LiveRuns },
  { sessionId, runId }: RunJob,
  { submitted, after, read, release }: { submitted: Submitted; after: number; read: ReadEnd<R>; release(): void },
): Work<R> {
  const started = Promise.withResolvers<Started>()
  const subscriber = liveRuns.subscribe(sessionId)
  let isStarted = false

  async function look(): Promise<{ end: R } | undefined> {
    if (!isStarted) {
      const [first] = await store.readRun(runId, after, 1)
      isStarted = first !== undefined
      if (first !== undefined) started.resolve({ runId, turnId: first.turnId })
    }
    // This process is still working on it; the next turn can only start afterwards.
    if (liveRuns.isLive(runId)) return undefined
    const fate = await submitted.fate()
    const end = await read(store, { runId, after })
    if (end !== undefined) return { end }
    if (fate?.error !== undefined) throw errorOf(fate.error)
    return undefined
  }
  async function wait(): Promise<R> {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found.end
      if (liveRuns.closing.aborted) throw new WritError('DRAINING')
      for (;;) {
        const { stored, deltas } = await subscriber.next(POLL_MS)
        if (stored || deltas.length === 0) break
      }
    }
  }
  const result = wait().finally(() => {
    subscriber.close()
    release()
  })
  result.catch((error: unknown) => started.reject(error))
  started.promise.catch(() => {})
  return { sessionId, started: started.promise, result }
}

/** For jobs with a new run id, which cannot have been submitted before. */
export function assertNew<R>(work: Work<R> | undefined): Work<R> {
  if (work === undefined) throw new Error('a run with this id already exists')
  return work
}

function errorOf(failed: Failed): Error {
  const { code } = failed
  if (code === 'SESSION_WAITING') return new WritError('SESSION_WAITING.http')
  if (code === 'QUESTION_CLOSED') return new WritError('QUESTION_CLOSED.http')
  if (code === 'RUN_INTERRUPTED') return new WritError('DRAINING')
  return errorFrom(failed)
}
