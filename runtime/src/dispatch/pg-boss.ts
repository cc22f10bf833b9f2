/** Jobs in PostgreSQL, for many workers. Order within a session is the queue's; that no two overlap is the lease's. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Job as Fetched, PgBoss } from 'pg-boss'
import { messageOf, WritError } from '../base/errors.ts'
import { explain, parseAddress } from '../storage/postgres.ts'
import { type Dispatcher, type Job, MAX_TRIES, RETRY_MS, settled } from './dispatch.ts'

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
/** A job that fails for good would hold back its session for ever, so it is ended by us, never by the queue. */
const NEVER = 1_000_000

type Held = Pick<Fetched<Job>, 'id' | 'data' | 'retryCount'>

export async function pgBossDispatcher(url: string): Promise<Dispatcher> {
  const address = parseAddress(url)
  const { PgBoss: Boss } = await import('pg-boss')
  const boss = new Boss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'writ',
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    schedule: false,
  })
  // What it reports here it tries again by itself; without a listener it would end the process.
  boss.on('error', () => {})
  try {
    await boss.start()
    await createQueue(boss)
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => {})
    throw explain(error, address)
  }
  return {
    async submit(job) {
      const sent = await boss.send(QUEUE, job, { singletonKey: job.sessionId }).catch((error: unknown) => {
        throw explain(error, address)
      })
      if (sent === null) throw new WritError('JOB_REFUSED', `the queue did not take a job of session ${job.sessionId}`)
    },
    async work(perform, { atOnce, onGivenUp }) {
      const over = new AbortController()
      const attempt = async ({ data, id, retryCount }: Held) => {
        const held = { id, retryCount }
        const beat = setInterval(() => void boss.touch(QUEUE, held).catch(() => {}), BEAT_MS)
        try {
          await perform(data)
          await boss.complete(QUEUE, held)
        } catch (error) {
          if (retryCount + 1 < MAX_TRIES) await boss.fail(QUEUE, held, { why: messageOf(error) })
          else {
            onGivenUp?.(data, error)
            await boss.complete(QUEUE, held, { givenUp: messageOf(error) })
          }
        } finally {
          clearInterval(beat)
        }
      }
      /** One place at the bench. Who has just finished looks again at once: pg-boss's own workers would wait. */
      const serve = async () => {
        while (!over.signal.aborted) {
          try {
            const [job] = await boss.fetch<Job>(QUEUE, { batchSize: 1 })
            if (job !== undefined) await attempt(job)
            else await delay(POLL_MS, undefined, { signal: over.signal })
          } catch {
            // The database is away, or this worker was told to stop: what it had is handed out again.
            await delay(POLL_MS)
          }
        }
      }
      const places = Array.from({ length: atOnce }, serve)
      return {
        async stop(waitMs) {
          over.abort()
          await settled(places, waitMs)
        },
      }
    },
    close: () => boss.stop({ graceful: false, close: true }),
  }
}

/** Workers that start at the same time all try; one succeeds, and that is enough. */
async function createQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(QUEUE, {
    policy: 'key_strict_fifo',
    retryLimit: NEVER,
    retryDelay: RETRY_MS / 1000,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: LONGEST_S,
  })
}
