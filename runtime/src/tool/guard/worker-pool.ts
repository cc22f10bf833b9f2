/** A few threads for work that may have to be stopped, while the main thread keeps serving. */
import { Worker } from 'node:worker_threads'
import { WritError } from '../../errors/writ-error.ts'
import { type Done, type Job, type Part, WORKER } from './worker-jobs.ts'

const MAX_THREADS = 2
/** Far more than can be filled in the time limit: a single step beyond this limit would end the whole process. */
const MAX_MEMORY_MB = 2048
/** Starting a thread can take seconds on a busy machine; it does not count as the job's time. */
const START_MS = 60_000

interface Limits {
  ms: number
  signal: AbortSignal
  /** Receives partial results. */
  onPart?(lines: readonly string[]): void
}

interface Order extends Limits {
  job: Job
  end(done: Done | undefined): void
  fail(error: unknown): void
}

const waiting: Order[] = []
const idle: Worker[] = []
let threads = 0

/** Undefined: stopped, because of time, memory or the signal. */
export function runInThread(job: Job, limits: Limits): Promise<Done | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Done | undefined>()
  waiting.push({ job, ...limits, end: resolve, fail: reject })
  next()
  return promise
}

function next(): void {
  const order = waiting[0]
  if (order === undefined || (idle.length === 0 && threads >= MAX_THREADS)) return
  waiting.shift()
  if (order.signal.aborted) {
    order.end(undefined)
    next()
    return
  }
  const ready = idle.pop()
  serve(ready ?? start(), order, { isReady: ready !== undefined })
}

function start(): Worker {
  threads++
  const worker = new Worker(WORKER.script, {
    workerData: WORKER.workerData,
    argv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  worker.once('exit', () => {
    threads--
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    next()
  })
  return worker
}

function serve(worker: Worker, order: Order, { isReady }: { isReady: boolean }): void {
  let timer = setTimeout(cut, isReady ? order.ms : START_MS)
  worker.ref()
  worker.on('message', said)
  worker.on('error', broken)
  order.signal.addEventListener('abort', cut, { once: true })
  if (isReady) worker.postMessage(order.job)

  function said(message: Done | Part | 'ready'): void {
    if (message === 'ready') {
      isReady = true
      clearTimeout(timer)
      timer = setTimeout(cut, order.ms)
      worker.postMessage(order.job)
      return
    }
    if ('part' in message) {
      order.onPart?.(message.part)
      return
    }
    leave()
    // An idle thread must not keep the process alive.
    worker.unref()
    idle.push(worker)
    order.end(message)
    next()
  }

  function broken(cause: unknown): void {
    if (isReady) cut()
    else {
      leave()
      order.fail(new WritError('TOOL_THREAD', undefined, { cause }))
    }
  }

  /** The slot is free when the thread has ended: threads stuck in an uninterruptible step must not accumulate. */
  function cut(): void {
    leave()
    void worker.terminate()
    order.end(undefined)
  }

  function leave(): void {
    clearTimeout(timer)
    worker.off('message', said)
    worker.off('error', broken)
    // A late error of a terminating thread must not end the process.
    if (worker.listenerCount('error') === 0) worker.on('error', () => {})
    order.signal.removeEventListener('abort', cut)
  }
}
