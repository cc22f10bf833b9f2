/** The scouts of a turn as lanes: task, state, current tool. Folded from their events. */
import type { Event } from './wire.ts'

export interface Lane {
  scoutId: string
  runId: string
  task: string
  state: string
  tool?: string
  calls: number
  startedAt?: number
  endedAt?: number
}

export function isScoutEvent(type: string): boolean {
  return type.startsWith('SCOUT_') || type.startsWith('scout.')
}

const ENDS: Readonly<Record<string, string>> = {
  SCOUT_COMPLETED: 'COMPLETED',
  SCOUT_FAILED: 'FAILED',
  SCOUT_TIMEOUT: 'TIMEOUT',
  SCOUT_ABORTED: 'ABORTED',
}

export function isOver(lane: Lane): boolean {
  return Object.values(ENDS).includes(lane.state)
}

export function lanesAfter(lanes: Lane[], event: Event): Lane[] {
  const { scoutId, runId, type, timestamp } = event
  if (scoutId === null) return lanes
  const known = lanes.find((lane) => lane.scoutId === scoutId)
  const lane = known ?? { scoutId, runId, task: '', state: 'QUEUED', calls: 0 }
  const next = laneAfter({ ...lane, runId: known?.runId || runId, task: lane.task || textOf(event, 'task') }, event)
  const ended = ENDS[type] === undefined ? next : { ...next, state: ENDS[type], endedAt: timestamp }
  return known === undefined ? [...lanes, ended] : lanes.map((each) => (each.scoutId === scoutId ? ended : each))
}

function laneAfter(lane: Lane, event: Event): Lane {
  switch (event.type) {
    case 'scout.state':
      return { ...lane, state: event.data.to }
    case 'SCOUT_STARTED':
      return { ...lane, startedAt: event.timestamp }
    case 'run.started':
      return { ...lane, runId: event.runId, task: lane.task || event.data.task }
    case 'SCOUT_TOOL_CALLED':
      return { ...lane, calls: lane.calls + 1, tool: textOf(event, 'tool') || (lane.tool ?? '') }
    case 'tool.call':
      return { ...lane, tool: event.data.tool }
    default:
      return lane
  }
}

function textOf(event: Event, key: string): string {
  const value: unknown = Object.entries(event.data).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : ''
}
