/** S3 §7's account of a run, read off its journal. Every attempted call is an entry, refused ones too. */
import { clip } from '../base/text.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import { render } from '../protocol/observation.ts'
import { isNormalEnd } from '../protocol/stop.ts'
import type { Trace } from '../protocol/trace.ts'

const ARG_MAX = 200
const OBSERVATION_MAX = 256

export function traceOf(events: readonly Event[]): Trace {
  const trace: Trace = { final_answer: '', trace: [], used_tools: {}, finish_reason: '' }
  const args = new Map<string, unknown>()
  let draft = ''
  for (const event of events) {
    if (event.type === 'tool.call') args.set(event.data.callId, event.data.args)
    if (event.type === 'model.replied') draft = draftOf(event) ?? draft
    if (event.type === 'run.stopped') {
      const { reason, text } = event.data.stop
      trace.finish_reason = reason
      trace.final_answer = isNormalEnd(reason) ? text : draft
      if (!isNormalEnd(reason)) trace.error = text
    }
    if (event.type !== 'tool.result' || event.data.observation.code === 'SKIPPED') continue
    const { callId, tool, observation } = event.data
    const text = render(observation)
    trace.trace.push({
      step: trace.trace.length + 1,
      action: { tool, args: clipArgs(args.get(callId)) },
      observation: clip(text, OBSERVATION_MAX),
      elapsed_ms: observation.elapsedMs,
      ...(observation.outcome === 'ok' ? {} : { error: observation.code ?? 'TOOL_FAILED' }),
    })
    if (observation.outcome === 'denied') continue
    const used = trace.used_tools[tool] ?? { count: 0, total_ms: 0 }
    trace.used_tools[tool] = { count: used.count + 1, total_ms: used.total_ms + observation.elapsedMs }
  }
  return trace
}

/** What the model last wrote for the reader; a reply that broke the form was written for nobody. */
function draftOf({ data: { purpose, reply } }: EventOf<'model.replied'>): string | undefined {
  const aside = purpose === 'detect' || purpose === 'route'
  return aside || reply.kind === 'malformed' || reply.text === '' ? undefined : reply.text
}

function clipArgs(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, ARG_MAX)
  if (Array.isArray(value)) return value.map(clipArgs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipArgs(item)]))
}
