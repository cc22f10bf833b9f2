/** The states of scouts, computed from events: equal events give equal states. */
import { isObject } from '../base/json.ts'
import type { Event } from '../protocol/event.ts'
import { SCOUT_EDGES, SCOUT_STATES, type ScoutState } from '../protocol/scout.ts'

/** A scout at one moment. */
export interface ScoutView {
  scoutId: string
  runId: string
  task: string
  state: ScoutState
  /** The current call. */
  tool?: string
  /** Start of the run; waiting does not count. */
  startedAt?: number
  elapsedMs: number
  /** How it ended. */
  status?: string
  /** Why it was not successful. */
  code?: string
  /** Documents withheld from it because of prompt injection. */
  withheld?: string[]
}

export interface ScoutHistory extends ScoutView {
  sessionId: string
  turnId: string
  /** All its states, from QUEUED on. */
  states: ScoutState[]
}

/** For every scout in the events, in the order they were started. A transition that S4 does not allow is rejected. */
export function scoutStates(events: readonly Event[]): ScoutHistory[] {
  const scouts = new Map<string, ScoutHistory>()
  for (const event of events) {
    const { scoutId, runId, sessionId, turnId } = event
    if (scoutId === null) continue
    const known = scouts.get(scoutId)
    if (known === undefined) {
      const first: ScoutHistory = {
        scoutId,
        runId,
        sessionId,
        turnId,
        task: '',
        state: 'QUEUED',
        states: ['QUEUED'],
        elapsedMs: 0,
      }
      scouts.set(scoutId, { ...first, ...viewAfter(first, event) })
      continue
    }
    if (event.type === 'scout.state') known.states.push(nextState(known, event.data))
    Object.assign(known, viewAfter(known, event))
  }
  return [...scouts.values()]
}

function nextState({ scoutId, state }: ScoutView, { from, to }: { from: string; to: string }): ScoutState {
  const next = SCOUT_STATES.find((name) => name === to)
  if (from !== state || next === undefined || !SCOUT_EDGES[state].includes(next)) {
    throw new RangeError(`scout ${scoutId} is ${state}; the journal takes it from ${from} to ${to}`)
  }
  return next
}

/** The changes an event makes to the view of a scout. */
export function viewAfter(view: ScoutView, event: Event): Partial<ScoutView> {
  switch (event.type) {
    case 'SCOUT_TRIGGERED':
      return { task: String(event.data.task ?? '') }
    case 'scout.state': {
      const state = SCOUT_STATES.find((name) => name === event.data.to) ?? view.state
      return { state, ...timeAt(view, event) }
    }
    case 'SCOUT_STARTED':
      return { startedAt: event.timestamp }
    case 'tool.call':
      return { tool: event.data.tool, ...timeAt(view, event) }
    case 'SCOUT_COMPLETED':
    case 'SCOUT_FAILED':
    case 'SCOUT_TIMEOUT':
    case 'SCOUT_ABORTED': {
      return { ...endOf(event.data.result), ...timeAt(view, event) }
    }
    default:
      return {}
  }
}

function endOf(result: unknown): Partial<ScoutView> {
  if (!isObject(result)) return {}
  const { status, error, withheld } = result
  return {
    status: String(status),
    ...(isObject(error) ? { code: String(error.code) } : {}),
    ...(Array.isArray(withheld) ? { withheld: withheld.map(String) } : {}),
  }
}

function timeAt({ startedAt }: ScoutView, { timestamp }: Event): Pick<ScoutView, 'elapsedMs'> | undefined {
  return startedAt === undefined ? undefined : { elapsedMs: Math.max(0, timestamp - startedAt) }
}
