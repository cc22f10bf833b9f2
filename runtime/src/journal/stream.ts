/** S1's StreamEvents: a run's journal for live display. */
import { present } from '../base/present.ts'
import type { Event } from '../protocol/event.ts'
import { isAside } from '../protocol/message.ts'
import { isApology, type StopReason } from '../protocol/stop.ts'
import type { Question } from '../protocol/verdict.ts'
import { type ScoutView, viewAfter } from './scout-states.ts'

/** A call at one moment. */
export interface ToolStatus {
  name: string
  callId: string
  phase: 'asked' | 'running' | 'ok' | 'failed' | 'denied'
  elapsedMs: number
}

/** What `processMessageStream` reports: the reply as it arrives, and what the tools do. */
export type StreamEvent =
  | { type: 'text'; text: string }
  /** Discard the text so far: it was not the reply. */
  | { type: 'restart' }
  | ({ type: 'tool' } & ToolStatus)
  | { type: 'clarification'; question: string }
  | { type: 'confirm'; question: Question }
  | ({ type: 'scout' } & Pick<ScoutView, 'scoutId' | 'task' | 'state'> & { tool?: string; status?: string })
  | { type: 'notice'; text: string }
  | { type: 'error'; message: string }
  | { type: 'done'; stop: StopReason }

/**
 * The texts since the last `restart`, joined, are always a prefix of the reply, and in the end all of it. When the
 * provider failed there is no reply and no text: the caller gets the error.
 */
export function streamOf(): (event: Event) => StreamEvent[] {
  let shown = ''
  const say = (text: string): StreamEvent[] => {
    shown += text
    return text === '' ? [] : [{ type: 'text', text }]
  }
  const forget = (): StreamEvent[] => {
    if (shown === '') return []
    shown = ''
    return [{ type: 'restart' }]
  }
  const tool = (data: { tool: string; callId: string }, phase: ToolStatus['phase'], elapsedMs = 0): StreamEvent => ({
    type: 'tool',
    name: data.tool,
    callId: data.callId,
    phase,
    elapsedMs,
  })
  const scouts = new Map<string, ScoutView>()
  return (event) => {
    if (event.scoutId !== null) return scoutNews(event, event.scoutId, scouts)
    switch (event.type) {
      case 'model.delta':
        return event.data.restart ? forget() : say(event.data.text)
      case 'model.replied':
        return isAside(event.data.purpose) || event.data.reply.kind === 'final' ? [] : forget()
      case 'confirm.asked':
        return [tool(event.data.question, 'asked'), { type: 'confirm', question: event.data.question }]
      case 'tool.call':
        return event.data.allowed ? [tool(event.data, 'running')] : []
      case 'tool.result': {
        const { outcome, elapsedMs } = event.data.observation
        return [tool(event.data, outcome === 'ok' || outcome === 'denied' ? outcome : 'failed', elapsedMs)]
      }
      case 'route.decided':
        return event.data.route.kind === 'clarify'
          ? [{ type: 'clarification', question: event.data.route.question }]
          : []
      case 'error.internal':
        return [{ type: 'error', message: event.data.message }]
      case 'turn.committed': {
        const { reply, notices, stopReason } = event.data
        if (isApology(stopReason)) return [...forget(), { type: 'done', stop: stopReason }]
        const rest = reply.startsWith(shown) ? say(reply.slice(shown.length)) : [...forget(), ...say(reply)]
        return [
          ...rest,
          ...notices.map((text) => ({ type: 'notice' as const, text })),
          { type: 'done', stop: stopReason },
        ]
      }
      default:
        return []
    }
  }
}

/** A scout's text is not shown; viewers see only its activity. */
function scoutNews(event: Event, scoutId: string, scouts: Map<string, ScoutView>): StreamEvent[] {
  const { runId } = event
  const known = scouts.get(scoutId) ?? { scoutId, runId, task: '', state: 'QUEUED', elapsedMs: 0 }
  const changed = viewAfter(known, event)
  const view: ScoutView = { ...known, ...changed }
  scouts.set(scoutId, view)
  if (Object.keys(changed).length === 0) return []
  const { task, state, tool, status } = view
  const more = present({ tool, status })
  return [{ type: 'scout', scoutId, task, state, ...more }]
}
