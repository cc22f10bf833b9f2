/** S3 §7's account of a run, read off its journal. Every attempted call is an entry, refused ones too. */
import { clip } from '../base/text.ts'
import type { Event } from '../protocol/event.ts'
import { render } from '../protocol/observation.ts'
import type { Trace } from '../protocol/trace.ts'

const ARG_MAX = 200
const OBSERVATION_MAX = 256

export function traceOf(events: readonly Event[]): Trace {
  const trace: Trace = { final_answer: '', trace: [], used_tools: {}, finish_reason: '' }
  const args = new Map<string, unknown>()
  for (const event of events) {
    if (event.type === 'tool.call') args.set(event.data.callId, event.data.args)
    if (event.type === 'run.stopped') {
      trace.finish_reason = event.data.stop.reason
      trace.final_answer = event.data.stop.text
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

function clipArgs(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, ARG_MAX)
  if (Array.isArray(value)) return value.map(clipArgs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipArgs(item)]))
}
