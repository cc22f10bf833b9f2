/** Jobs in PostgreSQL, for many workers. Order within a session is the queue's; that no two overlap is the lease's. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { ConstructorOptions, Job as Fetched, PgBoss } from 'pg-boss'
import { messageOf } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import { explain, POOL, parseAddress } from '../storage/postgres.ts'
import {
  type Dispatcher,
  type Fate,
  failedBy,
  type Job,
  MAX_TRIES,
  mayPass,
  nameOf,
  RETRY_MS,
  settled,
} from './dispatch.ts'

/** Beside the journal's own, and as easily told from another program's. */
const SCHEMA = 'writ_jobs'
const QUEUE = 'jobs'
/** As short as pg-boss takes it: a worker silent for so long has lost its job to another. */
const HEARTBEAT_S = 10
const SUPERVISE_S = 2
const BEAT_MS = 3000
const POLL_MS = 500
/** How long a job may take in all; whether its worker lives is seen by its heartbeat, not by this. */
const LONGEST_S = 86_000
/** How long a job stays after its end: it holds what somebody said, and nobody needs it any more. */
const KEPT_S = 3600
/** A job that fails for good would hold back its session for ever, so it is ended by us, never by the queue. */
const NEVER = 1_000_000

const GONE = {
  code: 'JOB_GONE',
  message: 'the job is not in the queue any more: it was given up',
  hint: 'See the logs of the workers; what the run had come to is in its journal.',
}

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
  // What it reports here it tries again by itself; without a listener it would end the process.
  boss.on('error', () => {})
  try {
    await boss.start()
    await createQueue(boss)
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => {})
    throw explain(error, address)
  }
  /** Who has just submitted a job need not wait for the next look. */
  const wakes = new Set<() => void>()
  return {
    async submit(job) {
      const name = nameOf(job)
      const wish = name === undefined ? {} : { id: idOf(name) }
      const id = await boss.send(QUEUE, job, { singletonKey: job.sessionId, ...wish }).catch((error: unknown) => {
        throw explain(error, address)
      })
      if (id === null) return undefined
      for (const wake of wakes) wake()
      return {
        async fate() {
          const job = await boss.getJobById<Job>(QUEUE, id).catch((error: unknown) => {
            throw explain(error, address)
          })
          if (job === null) return { error: GONE }
          return job.state === 'completed' ? ((job.output ?? {}) as Fate) : undefined
        },
      }
    },
    async work(perform, { atOnce, onOver, onGivenUp }) {
      const over = new AbortController()
      const running = new Set<Promise<void>>()
      let wake = () => {}
      let news = false
      const rouse = () => {
        news = true
        wake()
      }
      const attempt = async ({ data, id, retryCount }: Held) => {
        const held = { id, retryCount }
        const beat = setInterval(() => void boss.touch(QUEUE, held).catch(() => {}), BEAT_MS)
        try {
          await perform(data)
          await boss.complete(QUEUE, held)
        } catch (error) {
          if (!mayPass(error)) await boss.complete(QUEUE, held, { error: failedBy(error) })
          else if (retryCount + 1 < MAX_TRIES) await boss.fail(QUEUE, held, { why: messageOf(error) })
          else {
            onGivenUp?.(data, error)
            await boss.complete(QUEUE, held, { error: failedBy(error) })
            // Its question is still open, and somebody must be able to answer it again.
            if (data.kind === 'resume' && data.answer !== undefined) await boss.deleteJob(QUEUE, id)
          }
        } finally {
          clearInterval(beat)
        }
      }
      const begin = (job: Held) => {
        // What could not be told to the queue is handed out again.
        const done = attempt(job)
          .catch(() => {})
          .then(() => {
            running.delete(done)
            onOver?.(job.data)
            rouse()
          })
        running.add(done)
      }
      const pause = async () => {
        const roused = new Promise<void>((resolve) => (wake = resolve))
        const late = new AbortController()
        if (!news) await Promise.race([roused, delay(POLL_MS, undefined, { signal: late.signal }).catch(() => {})])
        late.abort()
      }
      /** Looks again at once when a place has become free: pg-boss's own workers would wait. */
      const serve = async () => {
        while (!over.signal.aborted) {
          news = false
          // One by one, so that others get their share. The database may be away; it is asked again after the pause.
          const [job] = running.size < atOnce ? await boss.fetch<Job>(QUEUE, { batchSize: 1 }).catch(() => []) : []
          if (job === undefined) await pause()
          else begin(job)
        }
      }
      wakes.add(rouse)
      const serving = serve()
      return {
        async stop(waitMs) {
          over.abort()
          wakes.delete(rouse)
          rouse()
          await serving
          await settled(running, waitMs)
        },
      }
    },
    close: () => boss.stop({ graceful: false, close: true }),
  }
}

/** pg-boss names jobs by UUIDs; ours say what the job is, so that a second one of its name is none. */
function idOf(name: string): string {
  const hex = sha256(name)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Workers that start at the same time all try; one succeeds, and that is enough. */
async function createQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(QUEUE, {
    policy: 'key_strict_fifo',
    retryLimit: NEVER,
    retryDelay: RETRY_MS / 1000,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: LONGEST_S,
    deleteAfterSeconds: KEPT_S,
  })
}
