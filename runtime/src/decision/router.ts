/** Asks the backends in their order until one answers, within one deadline; nobody's failure is the decision's. */
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { clip } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import type { DecisionBackendResult, StructuredContext } from '../protocol/action.ts'
import type { Usage } from '../protocol/message.ts'
import type { Backend, Predicted } from './backends/backend.ts'
import { fallbackNoOp } from './backends/fallback-no-op.ts'
import { checkResult } from './wire.ts'

export interface RouterOptions {
  backends: readonly Backend[]
  deadlineMs: number
  clock: Clock
  lang: Lang
  signal: AbortSignal
}

export interface Routed {
  result: DecisionBackendResult
  usage: Usage
}

const ERROR_SHOWN = 300

export async function askBackends(context: StructuredContext, options: RouterOptions): Promise<Routed> {
  const { backends, deadlineMs, signal } = options
  const began = performance.now()
  const errors: string[] = []
  for (const [i, backend] of backends.entries()) {
    signal.throwIfAborted()
    // An equal share of what is left, so that a silent backend cannot spend the time of those behind it.
    const share = Math.max(0, deadlineMs - (performance.now() - began)) / (backends.length - i)
    const start = performance.now()
    try {
      const predicted = await within(share, signal, (limit) => backend.predict(context, limit))
      const skipped = backends.slice(0, i).map(({ route }) => `fell_through:${route}`)
      return resultOf(predicted, { backend, context, start, options, skipped, error: null })
    } catch (error) {
      signal.throwIfAborted()
      errors.push(`${backend.route}: ${clip(messageOf(error), ERROR_SHOWN)}`)
    }
  }
  const predicted = await fallbackNoOp.predict(context, signal)
  const error = errors.length === 0 ? 'no backend is configured' : errors.join('; ')
  return resultOf(predicted, { backend: fallbackNoOp, context, start: began, options, skipped: [], error })
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
  return { result: checkResult(result, { origin: backend.route, lang: options.lang }), usage }
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
