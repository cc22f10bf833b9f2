/** Jobs performed in this process. Started runs are in the journal; jobs not started are lost with the process. */
import { setImmediate } from 'node:timers'
import { setTimeout as delay } from 'node:timers/promises'
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
  type WorkOptions,
} from './dispatch.ts'

interface LocalWorker extends WorkOptions {
  perform: Perform
  running: Set<Promise<void>>
}

interface Queued {
  job: Job
  fate?: Fate
}

export function localDispatcher(): Dispatcher {
  const waiting: Queued[] = []
  const names = new Set<string>()
  const busy = new Set<string>()
  const workers = new Set<LocalWorker>()
  let isDue = false

  function next(): Queued | undefined {
    const at = waiting.findIndex(({ job }) => !busy.has(job.sessionId))
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }

  /** One at a time: between two starts, requests that have arrived are answered. */
  function handOut(): void {
    isDue = false
    for (const worker of workers) {
      if (worker.running.size >= worker.atOnce) continue
      const queued = next()
      if (queued === undefined) return
      const { sessionId } = queued.job
      busy.add(sessionId)
      const done = attempt(queued.job, worker).then((fate) => {
        queued.fate = fate
        busy.delete(sessionId)
        names.delete(nameOf(queued.job) ?? '')
        worker.onOver?.(queued.job)
        worker.running.delete(done)
        handOutSoon()
      })
      worker.running.add(done)
      handOutSoon()
      return
    }
  }

  function handOutSoon(): void {
    if (isDue || waiting.length === 0) return
    isDue = true
    setImmediate(handOut)
  }

  async function attempt(job: Job, worker: LocalWorker): Promise<Fate> {
    const { perform, onGivenUp } = worker
    for (let tries = 1; ; tries++) {
      try {
        await perform(job)
        return {}
      } catch (error) {
        const next = afterFailure(error, tries)
        if (next === 'give up') onGivenUp?.(job, error)
        // Not retried by a worker that is stopping.
        if (next !== 'retry' || !workers.has(worker)) return { error: failedBy(error) }
        await delay(RETRY_MS)
      }
    }
  }

  return {
    async submit(job) {
      const name = nameOf(job)
      if (name !== undefined && names.has(name)) return undefined
      if (name !== undefined) names.add(name)
      const queued: Queued = { job }
      waiting.push(queued)
      handOutSoon()
      return { fate: async () => queued.fate }
    },
    async work(perform, options) {
      const worker: LocalWorker = { ...options, perform, running: new Set() }
      workers.add(worker)
      handOutSoon()
      return {
        stop(waitMs) {
          workers.delete(worker)
          return settled(worker.running, waitMs)
        },
      }
    },
    close: async () => {
      waiting.length = 0
    },
  }
}
