/** Sends documents to the worker thread, and gives up on those it cannot finish. */
import { Worker } from 'node:worker_threads'
import { WritError } from '../errors/writ-error.ts'
import { docsWorker, type Extracted, type ExtractJob } from './docs-worker.ts'

/** A normal document takes a fraction of this. */
const BASE_MS = 8_000
/** Time to start the thread: seconds on a busy machine, which must not count against the document. */
const START_MS = 60_000
const MS_PER_MB = 2_000
const MAX_MS = 20_000
/** Heap and external memory: decompressed streams are not on the heap, and limits of the thread do not cover them. */
const MAX_MEMORY_MB = 384
const LOOK_EVERY_MS = 100
const MB = 1024 * 1024

export interface Extractor {
  extract(document: ExtractJob): Promise<Extracted>
  close(): Promise<void>
}

interface Waiting {
  job: ExtractJob
  resolve(extracted: Extracted): void
  reject(error: unknown): void
}

/** The worker answers in order, so the first waiting job is the current one. */
export function openExtractor(): Extractor {
  const waiting: Waiting[] = []
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let watching: NodeJS.Timeout | undefined
  let isClosed = false
  let isReady = false

  function start(): Worker {
    const { script, workerData } = docsWorker()
    const started = new Worker(script, {
      workerData,
      // No arguments and no environment: a malicious document finds nothing here.
      argv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    })
    isReady = false
    started.on('message', (said: Extracted | 'ready') => {
      if (worker !== started) return
      if (said === 'ready') isReady = true
      else waiting.shift()?.resolve(said)
      watch()
    })
    started.on('error', (error) => broken(error))
    started.on('exit', () => broken())
    for (const { job } of waiting) started.postMessage(job)
    return started

    function broken(cause?: unknown): void {
      if (worker !== started) return
      if (isReady) giveUp()
      else refuse(new WritError('DOCS_WORKER', undefined, { cause }))
    }
  }

  function refuse(failure: WritError): void {
    for (const { reject } of waiting.splice(0)) reject(failure)
    void drop()
  }

  /** The current document exceeded its limits; those behind it are tried in a new thread. */
  function giveUp(): void {
    waiting.shift()?.resolve({ skipped: 'costly' })
    void drop()
    if (waiting.length > 0) worker = start()
    watch()
  }

  function watch(): void {
    clearTimeout(timer)
    clearInterval(watching)
    const [first] = waiting
    if (first === undefined) return
    const forThis = Math.min(MAX_MS, BASE_MS + (first.job.bytes.length / MB) * MS_PER_MB)
    timer = setTimeout(giveUp, isReady ? forThis : START_MS)
    watching = setInterval(weigh, LOOK_EVERY_MS)
  }

  function weigh(): void {
    const weighed = worker
    weighed?.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: beside }) => {
        if (worker === weighed && waiting.length > 0 && heap + beside > MAX_MEMORY_MB * MB) giveUp()
      },
      // It has ended; its events report that.
      () => {},
    )
  }

  async function drop(): Promise<void> {
    clearTimeout(timer)
    clearInterval(watching)
    const old = worker
    worker = undefined
    await old?.terminate()
  }

  return {
    extract(job) {
      // A worker started now would never be stopped.
      if (isClosed) return Promise.resolve({ skipped: 'unreadable' })
      const { promise, resolve, reject } = Promise.withResolvers<Extracted>()
      waiting.push({ job, resolve, reject })
      if (worker === undefined) worker = start()
      else worker.postMessage(job)
      if (waiting.length === 1) watch()
      return promise
    },
    async close() {
      isClosed = true
      for (const { resolve } of waiting.splice(0)) resolve({ skipped: 'unreadable' })
      await drop()
    },
  }
}
