/** Asks the backends in their order until one answers, within one deadline. A failure ends the asking: nothing is done then. */
import type { Clock } from '../base/clock.ts'
import { clip } from '../base/text.ts'
import { errorText, WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Redact } from '../journal/redact.ts'
import type { DecisionBackendResult, StructuredContext } from '../protocol/action.ts'
import type { Usage } from '../protocol/message.ts'
import type { Backend, ModelJournal, Predicted } from './backends/backend.ts'
import { fallbackNoOp } from './backends/fallback-no-op.ts'
import { checkResult } from './wire.ts'

export interface RouterOptions {
  backends: readonly Backend[]
  deadlineMs: number
  clock: Clock
  lang: Lang
  redact: Redact
  signal: AbortSignal
  journal: ModelJournal
}

export interface Routed {
  result: DecisionBackendResult
  usage: Usage
}

const ERROR_SHOWN = 500

export async function askBackends(context: StructuredContext, options: RouterOptions): Promise<Routed> {
  const { backends, deadlineMs, signal, redact } = options
  const began = performance.now()
  const silent: string[] = []
  for (const backend of backends) {
    signal.throwIfAborted()
    const left = Math.max(0, deadlineMs - (performance.now() - began))
    const start = performance.now()
    const journal = openFor(options.journal)
    try {
      const predicted = await within(left, signal, (limit) => backend.predict(context, limit, journal))
      const skipped = silent.map((_, i) => `fell_through:${backends[i]?.route}`)
      return resultOf(predicted, { backend, context, start, options, skipped, error: null })
    } catch (error) {
      signal.throwIfAborted()
      const why = journal.close(errorText(error, options.lang).message)
      silent.push(redact(`${backend.route}: ${clip(why, ERROR_SHOWN)}`))
      // Another backend may know a window that this one does not; it must not hide that this one is broken.
      if (!(error instanceof WritError && error.code === 'NO_PREDICTION')) break
    } finally {
      journal.close()
    }
  }
  const predicted = await fallbackNoOp.predict(context, signal, options.journal)
  const error = silent.length === 0 ? 'no backend is configured' : silent.join('; ')
  return resultOf(predicted, { backend: fallbackNoOp, context, start: began, options, skipped: [], error })
}

/** A backend's own view of the journal. What it says after it was left behind is dropped: the run has moved on. */
function openFor(journal: ModelJournal): ModelJournal & { close(why?: string): string } {
  let asked: Parameters<ModelJournal['note']>[1] | undefined
  let lastFailure: string | undefined
  let isOpen = true
  return {
    note(type, data) {
      if (!isOpen) return
      asked = type === 'model.requested' ? data : undefined
      if (type === 'model.failed' && 'message' in data) lastFailure = data.message
      journal.note(type, data)
    },
    meter: journal.meter,
    flush: () => (isOpen ? journal.flush() : Promise.resolve()),
    /** A request that has no answer has failed for this reason; says the reason, with what went wrong before. */
    close(why = '') {
      if (isOpen && asked !== undefined && 'attempt' in asked && why !== '') {
        const { purpose, attempt } = asked
        journal.note('model.failed', { purpose, message: why, attempt })
      }
      isOpen = false
      return lastFailure === undefined || why.includes(lastFailure) ? why : `${why}; before that: ${lastFailure}`
    },
  }
}

interface Answered {
  backend: Backend
  context: StructuredContext
  start: number
  options: RouterOptions
  skipped: string[]
  error: string | null
}

function resultOf(predicted: Predicted, { backend, context, start, options, skipped, error }: Answered): Routed {
  const { intents, model, rationale_tags, usage = { inputTokens: 0, outputTokens: 0 } } = predicted
  const result = {
    route: backend.route,
    intent_batch: { window_id: context.window_id, intents, generated_at_ms: options.clock.now(), model },
    rationale_tags: [...rationale_tags, ...skipped],
    latency_us: Math.round((performance.now() - start) * 1000),
    error,
  }
  // A backend is code of any origin: what it hands over is read like any other input.
  return { result: checkResult(result, { origin: backend.route }), usage }
}

/** A backend that ignores its signal is left behind all the same. */
async function within<T>(ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const overtime = new AbortController()
  const end = (why: Error) => {
    overtime.abort(why)
    reject(why)
  }
  const timer = setTimeout(() => end(new Error(`no answer within ${Math.round(ms)} ms`)), ms)
  const onOuter = () => end(new Error('cancelled'))
  outer.addEventListener('abort', onOuter, { once: true })
  try {
    return await Promise.race([work(overtime.signal), late])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', onOuter)
  }
}
