/**
 * Runs a text-classification model in a worker thread: a long text does not block the main thread, and a crash ends only
 * this one. Long texts are read in overlapping windows. Nothing is fetched.
 */
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../base/errors.ts'
import type { Classified } from '../../inspect/classifier.ts'
import type { ModelFolder } from './model-folder.ts'

export interface ClassifierLoad extends ModelFolder {
  worker: typeof NAME
  /** The main file of the package `@huggingface/transformers`. */
  library: string
}

export type ClassifierSaid = 'ready' | { broken: string } | Classified

const NAME = 'writ-classifier'
const THRESHOLD = 0.5
const MOST_WINDOWS = 400
const CHARS_PER_TOKEN = 6
/** The share of a window that the next one reads again: an order must not be cut in two. */
const OVERLAP = 0.25

/** File and name of the worker; in any other thread this file does nothing. */
export function classifierWorker() {
  return { script: new URL(import.meta.url), name: NAME } as const
}

type Scores = { label: string; score: number }[]
interface Pipeline {
  (text: string, options: { top_k: null }): Promise<Scores>
  tokenizer: { encode(text: string): { length: number } }
}
interface Library {
  env: Record<string, unknown>
  pipeline(task: 'text-classification', model: string, options: object): Promise<Pipeline>
}

if (workerData?.worker === NAME) {
  const load: ClassifierLoad = workerData
  const loaded = open(load)
  let turn: Promise<unknown> = loaded.then(
    () => parentPort?.postMessage('ready'),
    (error: unknown) => parentPort?.postMessage({ broken: messageOf(error) }),
  )
  parentPort?.on('message', (text: string) => {
    turn = turn.then(async () => parentPort?.postMessage(await classify(await loaded, load, text)))
  })
}

async function open(load: ClassifierLoad): Promise<Pipeline> {
  const { folder, library } = load
  const { env, pipeline }: Library = createRequire(import.meta.url)(library)
  const closed = () => Promise.reject(new Error('the network is closed to the classifier'))
  globalThis.fetch = closed
  Object.assign(env, {
    fetch: closed,
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: dirname(folder),
    useFSCache: false,
    useBrowserCache: false,
  })
  const pipe = await pipeline('text-classification', basename(folder), {
    dtype: 'fp32',
    device: 'cpu',
    local_files_only: true,
    session_options: { logSeverityLevel: 3 },
  })
  // A model that loads may still not answer, or not with its labels.
  await scoreOf(pipe, load, 'The meeting is at ten.')
  return pipe
}

async function scoreOf(pipe: Pipeline, { harmful }: ModelFolder, text: string): Promise<number> {
  const scores = await pipe(text, { top_k: null })
  const found = scores.filter(({ label, score }) => harmful.includes(label) && Number.isFinite(score))
  if (found.length < harmful.length) throw new Error('its answer lacks labels that config.json names')
  return found.reduce((sum, { score }) => sum + score, 0)
}

async function classify(pipe: Pipeline, load: ClassifierLoad, text: string): Promise<Classified> {
  let count = 0
  for (const { at, part } of windowsOf(text, { pipe, maxTokens: load.maxTokens })) {
    if (++count > MOST_WINDOWS) return { failed: 'too-long' }
    if (part.trim() === '') continue
    const score = await scoreOf(pipe, load, part)
    if (score >= THRESHOLD) return { found: true, at, score }
  }
  return { found: false }
}

/** As much as the model reads at once; what it would cut off is the beginning of the next window. */
function* windowsOf(
  text: string,
  { pipe, maxTokens }: { pipe: Pipeline; maxTokens: number },
): Generator<{ at: number; part: string }> {
  for (let at = 0; at < text.length; ) {
    let size = maxTokens * CHARS_PER_TOKEN
    let part = text.slice(at, at + size)
    for (let tokens = pipe.tokenizer.encode(part).length; tokens > maxTokens && size > 1; ) {
      size = Math.max(1, Math.min(part.length - 1, Math.floor((part.length * maxTokens) / tokens)))
      part = text.slice(at, at + size)
      tokens = pipe.tokenizer.encode(part).length
    }
    yield { at, part }
    if (at + part.length >= text.length) return
    at += Math.max(1, Math.floor(part.length * (1 - OVERLAP)))
  }
}
