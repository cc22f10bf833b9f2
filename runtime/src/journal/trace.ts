/** S3's trace of a run (S3 §7), computed from its journal. Every attempted call is an entry, including denied ones. */
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import { isAside } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import { isNormalEnd } from '../protocol/stop.ts'
import type { ContextCut, Trace, TraceEntry } from '../protocol/trace.ts'
import type { Review, ShadowVerdict } from '../protocol/verdict.ts'
import { reviewIn } from './fold-answers.ts'

const ARG_MAX = 200
const OBSERVATION_MAX = 256

/** Not in the journal of an open run: whether a worker is still active, or a person must answer first. */
export type Standing = 'at-work' | 'waiting' | 'cut-off'

export function traceOf(events: readonly Event[], standing?: Standing): Trace {
  const trace: Trace = { final_answer: '', trace: [], used_tools: Object.create(null), finish_reason: null }
  const args = new Map<string, unknown>()
  const startedCalls = new Map<string, string>()
  const shadows = new Map<string, ShadowVerdict>()
  const reviews = new Map<string, Review>()
  let draft = ''
  let lang: Lang = 'en'
  const enter = (call: { callId: string; tool: string }, entry: Omit<TraceEntry, 'step' | 'action'>) => {
    const action = { tool: call.tool, args: clipArgs(args.get(call.callId)) }
    const shadow = shadows.get(call.callId)
    const about = present({ shadow, review: reviews.get(call.callId) })
    trace.trace.push({ step: trace.trace.length + 1, action, ...entry, ...about })
  }
  const use = (tool: string, ms: number) => {
    const used = trace.used_tools[tool] ?? { count: 0, total_ms: 0 }
    trace.used_tools[tool] = { count: used.count + 1, total_ms: used.total_ms + ms }
  }
  for (const event of events) {
    if (event.type === 'gate.decided' && event.data.shadow) shadows.set(event.data.callId, event.data.shadow)
    if (event.type === 'call.reviewed') reviews.set(event.data.callId, reviewIn(event.data))
    if (event.type === 'run.started') lang = event.data.lang
    if (event.type === 'tool.call') {
      args.set(event.data.callId, event.data.args)
      if (event.data.allowed) startedCalls.set(event.data.callId, event.data.tool)
    }
    if (event.type === 'model.replied') draft = draftOf(event) ?? draft
    if (event.type === 'run.stopped') {
      const { reason, text } = event.data.stop
      trace.finish_reason = reason
      trace.final_answer = isNormalEnd(reason) ? text : draft
      if (!isNormalEnd(reason)) trace.error = text
    }
    const cut = cutOf(event, trace.trace.length)
    if (cut !== undefined) trace.context = [...(trace.context ?? []), cut]
    if (event.type === 'tool.result') startedCalls.delete(event.data.callId)
    if (event.type !== 'tool.result' || event.data.observation.code === 'SKIPPED') continue
    const { tool, observation } = event.data
    enter(event.data, seen(observation))
    if (observation.outcome !== 'denied') use(tool, observation.elapsedMs)
  }
  const { stop } = messages(lang)
  if (trace.finish_reason === null && standing === 'cut-off') {
    Object.assign(trace, { finish_reason: 'interrupted', final_answer: draft, error: stop.interrupted })
  }
  for (const [callId, tool] of startedCalls) {
    const text = stop.interruptedCall({ tool })
    const unknown = seen({ outcome: 'error', code: 'INTERRUPTED', text, elapsedMs: 0 })
    const running = { observation: stop.runningCall({ tool }), elapsed_ms: 0, running: true } as const
    enter({ callId, tool }, standing === 'at-work' ? running : unknown)
    use(tool, 0)
  }
  return trace
}

function cutOf(event: Event, after: number): ContextCut | undefined {
  switch (event.type) {
    case 'context.limited':
      return { after, kind: 'limited', tokens: { to: event.data.tokens } }
    case 'context.shortened':
      return { after, kind: 'shortened', tokens: event.data.tokens }
    case 'context.summarised':
      return { after, kind: 'summarised', tokens: event.data.tokens, text: event.data.text }
    default:
      return undefined
  }
}

function seen(observation: Observation): Pick<TraceEntry, 'observation' | 'elapsed_ms' | 'error'> {
  return {
    observation: clip(render(observation), OBSERVATION_MAX),
    elapsed_ms: observation.elapsedMs,
    ...(observation.outcome === 'ok' ? {} : { error: observation.code ?? 'TOOL_FAILED' }),
  }
}

/** The last text the model wrote for the reader; malformed replies do not count. */
function draftOf({ data: { purpose, reply } }: EventOf<'model.replied'>): string | undefined {
  return isAside(purpose) || reply.kind === 'malformed' || reply.text === '' ? undefined : reply.text
}

function clipArgs(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, ARG_MAX)
  if (Array.isArray(value)) return value.map(clipArgs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipArgs(item)]))
}
