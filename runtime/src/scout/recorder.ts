/** S4 §7: the scout events, written to the scout's journal beside the events of its run. */
import { present } from '../base/present.ts'
import type { RunLog } from '../journal/journal.ts'
import type { Event, EventData } from '../protocol/event.ts'
import type { ScoutState } from '../protocol/scout.ts'
import { advance } from './state-machine.ts'

type ScoutEventName = Extract<keyof EventData, `SCOUT_${string}`>

export interface Recorder {
  readonly state: ScoutState
  /** Whether a call was denied because the limit was reached, and a report is required. */
  readonly forced: boolean
  say(name: ScoutEventName, data: Record<string, unknown>, reason: string): void
  move(to: ScoutState, reason: string): void
  /** Passes on an event of the run, and adds S4's event for it. */
  follow(event: Event): void
}

export function openRecorder(log: RunLog, emit: (event: Event) => void, at: ScoutState = 'QUEUED'): Recorder {
  let state = at
  let forced = false
  const say: Recorder['say'] = (name, data, reason) => emit(log.note(name, data, reason))

  function followCall({ data }: Extract<Event, { type: 'tool.call' }>): void {
    const { callId, tool, step, allowed } = data
    say('SCOUT_TOOL_CALLED', { callId, tool, step, allowed }, allowed ? 'called' : 'refused')
  }

  function followRefusal({ data }: Extract<Event, { type: 'tool.result' }>): void {
    const { callId, tool, observation, denial } = data
    if (denial === undefined) return
    const { code, recoverable, hint } = observation
    const about = { callId, tool, code, recoverable, ...present({ hint }) }
    if (denial.reason === 'TOOL_ORDER_VIOLATION') say('SCOUT_TOOL_ORDER_VIOLATION', about, denial.reason)
    if (denial.reason !== 'TOOL_CALL_LIMIT_REACHED') return
    say('SCOUT_TOOL_LIMIT_REACHED', about, denial.reason)
    if (forced) return
    forced = true
    say('SCOUT_FORCE_REPORT_REQUIRED', { callId }, denial.reason)
  }

  return {
    get state() {
      return state
    },
    get forced() {
      return forced
    },
    say,
    move(to, reason) {
      const from = state
      state = advance(from, to)
      emit(log.note('scout.state', { from, to }, reason))
    },
    follow(event) {
      emit(event)
      if (event.type === 'tool.call') followCall(event)
      if (event.type === 'tool.result') followRefusal(event)
    },
  }
}
