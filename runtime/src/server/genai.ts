/** A run as spans, with the attribute names of OpenTelemetry's semantic conventions for generative AI. */
import { present } from '../base/present.ts'
import type { EventOf, StoredEvent } from '../protocol/event.ts'
import { isAside } from '../protocol/message.ts'
import { isNormalEnd } from '../protocol/stop.ts'

export interface SpanData {
  name: string
  kind: 'internal' | 'client'
  /** Milliseconds since 1970. */
  start: number
  end: number
  attributes: Record<string, string | number | boolean | string[]>
  /** Why it failed; absent when it did not. */
  error?: string
  children: SpanData[]
}

/** Undefined unless the run started and stopped. Spans contain no text of users, models or tools. */
export function spanOf(events: readonly StoredEvent[]): SpanData | undefined {
  const started = events.find((event) => event.type === 'run.started')
  const stopped = events.find((event) => event.type === 'run.stopped')
  if (started?.type !== 'run.started' || stopped?.type !== 'run.stopped') return undefined
  const { sessionId, runId, mode, scoutId } = started
  const { stop, usage, steps, toolCalls } = stopped.data
  return {
    name: `invoke_agent ${mode}`,
    kind: 'internal',
    start: started.timestamp,
    end: stopped.timestamp,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(started.data.model),
      'gen_ai.agent.name': 'writ',
      'gen_ai.conversation.id': sessionId,
      'gen_ai.request.model': started.data.model,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'writ.run.id': runId,
      'writ.mode': mode,
      'writ.stop_reason': stop.reason,
      'writ.steps': steps,
      'writ.tool_calls': toolCalls,
      ...(scoutId === null ? {} : { 'writ.scout.id': scoutId }),
    },
    ...(isNormalEnd(stop.reason) ? {} : { error: stop.reason }),
    children: stepsOf(events, stopped.timestamp),
  }
}

/** A step is a model reply with its tool calls. Requests for labels and routes come before the first step. */
function stepsOf(events: readonly StoredEvent[], end: number): SpanData[] {
  const spans: SpanData[] = []
  const verdicts = new Map<string, EventOf<'gate.decided'>['data']>()
  const calls = new Map<string, number>()
  let step: SpanData | undefined
  let requested: EventOf<'model.requested'> | undefined
  let n = 0
  const add = (span: SpanData) => (step === undefined ? spans : step.children).push(span)
  for (const event of events) {
    switch (event.type) {
      case 'model.requested': {
        requested = event
        const { purpose, attempt } = event.data
        if (isAside(purpose) || attempt > 1) break
        if (step !== undefined) step.end = event.timestamp
        step = inner(`step ${++n}`, event.timestamp, end)
        step.attributes['writ.step'] = n
        spans.push(step)
        break
      }
      case 'model.replied':
      case 'model.failed':
        if (requested !== undefined) add(modelSpan(requested, event))
        break
      case 'gate.decided':
        verdicts.set(event.data.callId, event.data)
        break
      case 'tool.call':
        calls.set(event.data.callId, event.timestamp)
        break
      case 'tool.result':
        add(toolSpan(event, { start: calls.get(event.data.callId), verdict: verdicts.get(event.data.callId) }))
        break
    }
  }
  return spans
}

function inner(name: string, start: number, end: number): SpanData {
  return { name, kind: 'internal', start, end, attributes: {}, children: [] }
}

function modelSpan(
  { timestamp, data: { model, purpose, attempt } }: EventOf<'model.requested'>,
  answer: EventOf<'model.replied'> | EventOf<'model.failed'>,
): SpanData {
  const attributes: SpanData['attributes'] = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(model),
    'gen_ai.request.model': model,
    'writ.purpose': purpose,
    'writ.attempt': attempt,
  }
  const span: SpanData = {
    name: `chat ${model}`,
    kind: 'client',
    start: timestamp,
    end: answer.timestamp,
    attributes,
    children: [],
  }
  if (answer.type === 'model.failed') {
    const error = answer.data.status === undefined ? 'provider_error' : String(answer.data.status)
    attributes['error.type'] = error
    return { ...span, error }
  }
  const { usage, reply } = answer.data
  attributes['gen_ai.usage.input_tokens'] = usage.inputTokens
  attributes['gen_ai.usage.output_tokens'] = usage.outputTokens
  if (usage.cachedInputTokens !== undefined) {
    attributes['gen_ai.usage.cache_read.input_tokens'] = usage.cachedInputTokens
  }
  attributes['gen_ai.response.finish_reasons'] = [reply.kind === 'calls' ? 'tool_calls' : 'stop']
  return span
}

function toolSpan(
  { timestamp, data: { tool, callId, observation, denial } }: EventOf<'tool.result'>,
  { start, verdict }: { start: number | undefined; verdict: EventOf<'gate.decided'>['data'] | undefined },
): SpanData {
  const error = observation.outcome === 'ok' ? undefined : (observation.code ?? 'TOOL_FAILED')
  return {
    name: `execute_tool ${tool}`,
    kind: 'internal',
    start: start ?? timestamp,
    end: timestamp,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      ...present({
        'writ.gate.decision': verdict?.decision,
        'writ.gate.reason': denial?.reason,
        'writ.gate.stage': denial?.stage,
        'error.type': error,
      }),
    },
    ...present({ error }),
    children: [],
  }
}

/** `openai/gpt-5` → `openai`; built-in rules and scripts have no slash. */
function providerOf(model: string): string {
  const slash = model.indexOf('/')
  return slash < 0 ? 'writ' : model.slice(0, slash)
}
