/** Opens the model of `agent.security.injectionModel`; every failure of the start is an error with the next step. */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Classified, Classifier } from '../../inspect/classifier.ts'
import type { ModelUse } from '../../protocol/policy.ts'
import { isWithin } from '../guard/paths.ts'
import { type ClassifierLoad, type ClassifierSaid, classifierWorker } from './classifier-worker.ts'
import { readModelFolder } from './model-folder.ts'

export interface ClassifierSettings {
  folder: string
  use: ModelUse
  /** The labels that mean injection; known from their names when absent. */
  labels: readonly string[] | undefined
  /** For one text. */
  timeoutMs: number
  /** Searched for the package after Writ's own folders. Never the workspace: its code would run. */
  configHome: string
}

export interface OpenClassifier extends Classifier {
  close(): Promise<void>
}

const PACKAGE = '@huggingface/transformers'
/** A large model takes seconds, on a busy machine many. */
const START_MS = 120_000

/** Shared by all agents of this process: a large model is in memory once. */
const shared = new Map<string, { threads: Threads; users: number }>()

export async function openClassifier(settings: ClassifierSettings): Promise<OpenClassifier> {
  const { folder, labels, configHome, use, timeoutMs } = settings
  const model = await readModelFolder(folder, labels)
  const load = { ...model, worker: classifierWorker().name, library: libraryIn(configHome) }
  const key = JSON.stringify(load)
  const known = shared.get(key) ?? { threads: new Threads(load), users: 0 }
  shared.set(key, known)
  known.users++
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    if (--known.users > 0) return
    shared.delete(key)
    await known.threads.close()
  }
  await known.threads.start().catch(async (error: unknown) => {
    await close()
    throw new WritError('CLASSIFIER_BROKEN', { folder, why: messageOf(error) }, { cause: error })
  })
  return {
    use,
    classify: async (text) => (isOpen ? known.threads.classify(text, timeoutMs) : { failed: 'crashed' }),
    close,
  }
}

function libraryIn(configHome: string): string {
  const beside = resolvedFrom(import.meta.url)
  if (beside !== undefined) return beside
  const own = resolvedFrom(join(configHome, 'package.json'))
  // Not in a folder above it, which may be a workspace.
  if (own !== undefined && isWithin(own, realpathSync(configHome))) return own
  throw new WritError('CLASSIFIER_MISSING.package', { name: PACKAGE, configHome })
}

function resolvedFrom(base: string): string | undefined {
  try {
    return createRequire(base).resolve(PACKAGE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

interface Thread {
  worker: Worker
  ready: Promise<void>
  /** Settles when the thread can no longer answer. */
  ended: Promise<{ failed: 'crashed' }>
}

/** One thread at a time, which reads one text after the other. After a crash the next text starts another. */
class Threads {
  readonly #load: ClassifierLoad
  #thread: Thread | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(load: ClassifierLoad) {
    this.#load = load
  }

  async start(): Promise<Thread> {
    this.#thread ??= startThread(this.#load)
    const thread = this.#thread
    try {
      await thread.ready
    } catch (error) {
      this.#drop(thread)
      throw error
    }
    return thread
  }

  classify(text: string, timeoutMs: number): Promise<Classified> {
    if (text.trim() === '') return Promise.resolve({ found: false })
    const answer = this.#turn.then(() => this.#classifyNow(text, timeoutMs))
    this.#turn = answer
    return answer
  }

  async #classifyNow(text: string, timeoutMs: number): Promise<Classified> {
    // A thread started now would never be stopped.
    if (this.#isClosed) return { failed: 'crashed' }
    const thread = await this.start().catch(() => undefined)
    if (thread === undefined) return { failed: 'crashed' }
    const { worker, ended } = thread
    const { promise: late, resolve } = Promise.withResolvers<Classified>()
    const timer = setTimeout(() => resolve({ failed: 'late' }), timeoutMs)
    worker.ref()
    const answered = new Promise<Classified>((done) => worker.once('message', done))
    worker.postMessage(text)
    const said = await Promise.race([answered, late, ended])
    clearTimeout(timer)
    // An idle thread must not keep the process alive.
    worker.unref()
    if ('failed' in said && said.failed !== 'too-long') this.#drop(thread)
    return said
  }

  #drop(thread: Thread): void {
    if (this.#thread === thread) this.#thread = undefined
    void thread.worker.terminate()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.worker.terminate()
    this.#thread = undefined
  }
}

function startThread(load: ClassifierLoad): Thread {
  const worker = new Worker(classifierWorker().script, {
    workerData: load,
    argv: [],
    env: {},
    stdout: true,
    stderr: true,
  })
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<{ failed: 'crashed' }>()
  const timer = setTimeout(() => fail(new Error(`not ready within ${START_MS / 1000} s`)), START_MS)
  const fail = (error: unknown) => {
    clearTimeout(timer)
    reject(error)
    end({ failed: 'crashed' })
  }
  worker.once('message', (said: ClassifierSaid) => {
    clearTimeout(timer)
    if (said === 'ready') {
      worker.unref()
      resolve()
    } else fail(new Error('broken' in (said as object) ? (said as { broken: string }).broken : 'no answer'))
  })
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('the thread ended')))
  // Marked handled: it is awaited where the thread is started.
  ready.catch(() => {})
  return { worker, ready, ended }
}
