/** Jobs in PostgreSQL, for many workers. The queue keeps the order within a session, the lease prevents overlap. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { ConstructorOptions, Job as Fetched, PgBoss } from 'pg-boss'
import { messageOf } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { WritError } from '../errors/writ-error.ts'
import { explain, POOL, parseAddress } from '../storage/postgres.ts'
import {
  afterFailure,
  type Dispatcher,
  type Fate,
  failedBy,
  type Job,
  nameOf,
  type Perform,
  RETRY_MS,
  settled,
  type Worker,
  type WorkOptions,
} from './dispatch.ts'

/** Beside the journal's own schema, and recognizable as Writ's. */
const SCHEMA = 'writ_jobs'
const QUEUE = 'jobs'
/** The minimum of pg-boss: a worker silent for this long loses its job to another. */
const HEARTBEAT_S = 10
const SUPERVISE_S = 2
const BEAT_MS = 3000
const POLL_MS = 500
/** Maximum duration of a job; a dead worker is noticed by its heartbeat, not by this. */
const LONGEST_S = 86_000
/** How long a finished job stays: it contains user text and is no longer needed. */
const KEPT_S = 3600
/** A job that the queue fails for good blocks its session, so the queue never does; see `attempt`. */
const RETRY_LIMIT = 1_000_000

type Held = Pick<Fetched<Job>, 'id' | 'data' | 'retryCount'>

export async function pgBossDispatcher(url: string): Promise<Dispatcher> {
  const address = parseAddress(url)
  const { PgBoss: Boss } = await import('pg-boss')
  const settings: ConstructorOptions & PoolConfig = {
    ...POOL,
    connectionString: url,
    schema: SCHEMA,
    application_name: 'writ',
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    maintenanceIntervalSeconds: KEPT_S,
    schedule: false,
  }
  const boss = new Boss(settings)
  // pg-boss retries what it reports here; without a listener the process would end.
  boss.on('error', () => {})
  try {
    await boss.start()
    await createQueue(boss)
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => {})
    throw explain(error, address)
  }
  /** Wake the workers of this process after a submit, instead of waiting for the next poll. */
  const wakes = new Set<() => void>()
  return {
    async submit(job) {
      const name = nameOf(job)
      const named = name === undefined ? {} : { id: idOf(name) }
      const id = await boss.send(QUEUE, job, { singletonKey: job.sessionId, ...named }).catch((error: unknown) => {
        throw explain(error, address)
      })
      if (id === null) return undefined
      for (const wake of wakes) wake()
      return {
        async fate() {
          const job = await boss.getJobById<Job>(QUEUE, id).catch((error: unknown) => {
            throw explain(error, address)
          })
          if (job === null) return { error: failedBy(new WritError('JOB_GONE')) }
          return job.state === 'completed' ? ((job.output ?? {}) as Fate) : undefined
        },
      }
    },
    work: async (perform, options) => startPolling(boss, { perform, wakes, ...options }),
    close: () => boss.stop({ graceful: false, close: true }),
  }
}

interface Polling extends WorkOptions {
  perform: Perform
  wakes: Set<() => void>
}

function startPolling(boss: PgBoss, { perform, wakes, atOnce, onOver, onGivenUp }: Polling): Worker {
  const over = new AbortController()
  const running = new Set<Promise<void>>()
  let wake = () => {}
  let isWoken = false
  const wakeUp = () => {
    isWoken = true
    wake()
  }
  const attempt = async ({ data, id, retryCount }: Held) => {
    const held = { id, retryCount }
    const beat = setInterval(() => void boss.touch(QUEUE, held).catch(() => {}), BEAT_MS)
    try {
      await perform(data)
      await boss.complete(QUEUE, held)
    } catch (error) {
      const next = afterFailure(error, retryCount + 1)
      if (next === 'retry') await boss.fail(QUEUE, held, { why: messageOf(error) })
      else {
        if (next === 'give up') onGivenUp?.(data, error)
        await boss.complete(QUEUE, held, { error: failedBy(error) })
        // Its question is still open: the name must be free for another answer.
        if (next === 'give up' && data.kind === 'resume' && data.answer !== undefined) await boss.deleteJob(QUEUE, id)
      }
    } finally {
      clearInterval(beat)
    }
  }
  const begin = (job: Held) => {
    // A job whose end could not be stored is handed out again.
    const done = attempt(job)
      .catch(() => {})
      .then(() => {
        running.delete(done)
        onOver?.(job.data)
        wakeUp()
      })
    running.add(done)
  }
  const pause = async () => {
    const woken = new Promise<void>((resolve) => (wake = resolve))
    const late = new AbortController()
    if (!isWoken) await Promise.race([woken, delay(POLL_MS, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
  }
  /** Fetches immediately when a job has ended: pg-boss's own workers would wait for the next poll. */
  const serve = async () => {
    while (!over.signal.aborted) {
      isWoken = false
      // One by one, so that other workers get their share. A failed fetch is retried after the pause.
      const [job] = running.size < atOnce ? await boss.fetch<Job>(QUEUE, { batchSize: 1 }).catch(() => []) : []
      if (job === undefined) await pause()
      else begin(job)
    }
  }
  wakes.add(wakeUp)
  const serving = serve()
  return {
    async stop(waitMs) {
      over.abort()
      wakes.delete(wakeUp)
      wakeUp()
      await serving
      await settled(running, waitMs)
    },
  }
}

/** pg-boss identifies jobs by UUID; derived from the name, so that a second job of the same name is refused. */
function idOf(name: string): string {
  const hex = sha256(name)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Workers that start together may all try; it is idempotent. */
async function createQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(QUEUE, {
    policy: 'key_strict_fifo',
    retryLimit: RETRY_LIMIT,
    retryDelay: RETRY_MS / 1000,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: LONGEST_S,
    deleteAfterSeconds: KEPT_S,
  })
}
