/** A few threads for work that may have to be stopped. The main thread goes on serving meanwhile. */
import { Worker } from 'node:worker_threads'
import { WritError } from '../../base/errors.ts'
import { type Done, type Job, type Part, WORKER } from './worker-jobs.ts'

const MAX_THREADS = 2
/** Far above what the time allows to fill: a single step that passes this limit would end the whole process. */
const MAX_MEMORY_MB = 2048
/** Until the thread has started, which costs a busy machine seconds and is no fault of the job. */
const START_MS = 60_000

interface Limits {
  ms: number
  signal: AbortSignal
  /** Told what is found on the way. */
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

/** Undefined: it took longer than `ms` or too much memory, or the signal came, and was stopped. */
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
      order.fail(new WritError('TOOL_THREAD', 'a thread for this tool cannot be started', { cause }))
    }
  }

  /** Its place is free when it has ended: a step that cannot be interrupted must not be followed by more of them. */
  function cut(): void {
    leave()
    void worker.terminate()
    order.end(undefined)
  }

  function leave(): void {
    clearTimeout(timer)
    worker.off('message', said)
    worker.off('error', broken)
    // A late failure of a thread that is being ended must not end the process.
    if (worker.listenerCount('error') === 0) worker.on('error', () => {})
    order.signal.removeEventListener('abort', cut)
  }
}
