/** The worker's other end: hands it documents, and gives up on the one it cannot finish. */
import { Worker } from 'node:worker_threads'
import { WritError } from '../base/errors.ts'
import { type Extracted, type ExtractJob, WORKER } from './docs-worker.ts'

const DOCUMENT_MS = 20_000
const MAX_HEAP_MB = 768

export interface Extractor {
  extract(document: ExtractJob): Promise<Extracted>
  close(): Promise<void>
}

interface Waiting {
  job: ExtractJob
  resolve(extracted: Extracted): void
  reject(error: unknown): void
}

/** The worker answers in the order it was asked, so the first one waiting is the one it is at. */
export function openExtractor(): Extractor {
  const waiting: Waiting[] = []
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(WORKER.script, {
      workerData: WORKER.workerData,
      // No arguments and no environment: whatever a document brings with it finds nothing here.
      argv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    let isReady = false
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
      else refuse(new WritError('DOCS_WORKER', 'the thread that reads documents cannot be started', { cause }))
    }
  }

  function refuse(failure: WritError): void {
    for (const { reject } of waiting.splice(0)) reject(failure)
    void drop()
  }

  /** The document it is at has cost too much time or memory; the others behind it may be innocent. */
  function giveUp(): void {
    waiting.shift()?.resolve({ skipped: 'unreadable' })
    void drop()
    if (waiting.length > 0) worker = start()
    watch()
  }

  function watch(): void {
    clearTimeout(timer)
    if (waiting.length === 0) return
    timer = setTimeout(giveUp, DOCUMENT_MS)
  }

  async function drop(): Promise<void> {
    clearTimeout(timer)
    const old = worker
    worker = undefined
    await old?.terminate()
  }

  return {
    extract(job) {
      // A worker started now would never be ended.
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
