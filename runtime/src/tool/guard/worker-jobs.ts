/** Work that a model can make endless, run in a thread so that it can be stopped at any point. */
import { parentPort, workerData } from 'node:worker_threads'
import jmespath from 'jmespath'
import { messageOf } from '../../base/errors.ts'
import type { Json } from '../../base/json.ts'

export interface Expression {
  source: string
  flags: string
}

export interface NamedText {
  name: string
  text: string
}

export type Job =
  | { do: 'transform'; input: Json; expression: string; maxOutput: number }
  | { do: 'match'; texts: readonly NamedText[]; expression: Expression; max: number }
  | { do: 'filter'; names: readonly string[]; expression: Expression }

/** Matches of one file. */
export interface Part {
  part: string[]
}

/** `filter`: the matching names; `transform`: the result. */
type Found = { lines: string[] } | { error: string }

/** `ms`: duration of the work, without waiting for a thread. */
export type Done = Found & { ms: number }

/** How to start a worker; in any other thread this file does nothing. */
export const WORKER = { script: new URL(import.meta.url), workerData: 'writ-jobs' }

if (workerData === WORKER.workerData) {
  parentPort?.on('message', (job: Job) => parentPort?.postMessage(doneBy(job)))
  parentPort?.postMessage('ready')
}

function doneBy(job: Job): Done {
  const start = performance.now()
  const found = attempt(job)
  return { ...found, ms: performance.now() - start }
}

function attempt(job: Job): Found {
  try {
    return work(job)
  } catch (error) {
    return { error: messageOf(error) }
  }
}

function work(job: Job): Found {
  if (job.do === 'transform') return transform(job)
  const expression = new RegExp(job.expression.source, job.expression.flags)
  if (job.do === 'filter') return { lines: job.names.filter((name) => expression.test(name)) }
  let left = job.max
  for (const { name, text } of job.texts) {
    const hits = matches(text, expression, left)
    left -= hits.length
    // Sent immediately: earlier matches must not be lost when a later text takes too long.
    if (hits.length > 0) parentPort?.postMessage({ part: hits.map((hit) => `${name}:${hit}`) } satisfies Part)
  }
  return { lines: [] }
}

function transform({ input, expression, maxOutput }: Job & { do: 'transform' }): Found {
  const value: unknown = typeof input === 'string' ? parse(input) : input
  const result: unknown = jmespath.search(value, expression)
  if (!fits(result, maxOutput)) return { error: `the result is longer than ${maxOutput} characters` }
  return { lines: [JSON.stringify(result, null, 2) ?? 'null'] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(`the input is not JSON: ${messageOf(error)}`)
  }
}

/** Measured before printing: an expression can build a value with shared parts that prints to gigabytes. */
function fits(value: unknown, max: number): boolean {
  const pending = [value]
  let size = 0
  for (let item = pending.pop(); size <= max; item = pending.pop()) {
    size += typeof item === 'string' ? item.length + 2 : 4
    if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        size += key.length
        pending.push(inner)
      }
    }
    if (pending.length === 0) break
  }
  return size <= max
}

function matches(text: string, expression: RegExp, max: number): string[] {
  const hits: string[] = []
  let line = 1
  for (let start = 0; start <= text.length && hits.length < max; line++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const content = text.slice(start, end).replace(/\r$/, '')
    const match = expression.exec(content)
    if (match !== null) hits.push(`${line}:${match.index + 1}: ${around(content, match.index)}`)
    start = end + 1
  }
  return hits
}

function around(line: string, at: number): string {
  const start = Math.max(0, at - 80)
  const part = line.slice(start, start + 240).toWellFormed()
  return `${start > 0 ? '…' : ''}${part}${start + 240 < line.length ? '…' : ''}`
}
