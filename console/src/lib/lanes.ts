/** The scouts of a turn as lanes: task, state, current tool. Folded from their events. */
import { isObject, type Json } from './paths.ts'
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
  /** What its report said, before it was checked. */
  reported?: readonly Evidence[]
  finding?: Finding
}

export interface Evidence {
  source: string
  quote?: string
  note: string
}

/** The result of a scout, as its session gets it. */
export interface Finding {
  status: string
  summary: string
  confidence: number
  evidence: readonly Evidence[]
  /** Number of pieces of evidence that did not occur in what the scout read, and those of them that are known. */
  dropped: { count: number; evidence: readonly Evidence[] }
  /** Documents that were not shown to the scout. */
  withheld: readonly string[]
  error?: string
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
  const ended = ENDS[type] === undefined ? next : endedLane(next, event, { state: ENDS[type], endedAt: timestamp })
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
    case 'tool.call': {
      const { tool, args } = event.data
      const reported = isObject(args) && Array.isArray(args.evidence) ? evidenceIn(args.evidence) : undefined
      return { ...lane, tool, ...(reported && { reported }) }
    }
    default:
      return lane
  }
}

function textOf(event: Event, key: string): string {
  const value: unknown = Object.entries(event.data).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : ''
}

function endedLane(lane: Lane, { data }: Event, end: { state: string; endedAt: number }): Lane {
  const result = Object.entries(data).find(([name]) => name === 'result')?.[1]
  return { ...lane, ...end, ...(isObject(result) && { finding: findingOf(result, lane.reported ?? []) }) }
}

function findingOf(result: Json, reported: readonly Evidence[]): Finding {
  const { status, summary, confidence, evidence, grounding, withheld, error } = result
  const kept = evidenceIn(evidence)
  const count = isObject(grounding) && typeof grounding.dropped === 'number' ? grounding.dropped : 0
  const lost = count === 0 ? [] : reported.filter((each) => !kept.some((other) => isSame(other, each)))
  return {
    status: String(status ?? ''),
    summary: typeof summary === 'string' ? summary : '',
    confidence: typeof confidence === 'number' ? confidence : 0,
    evidence: kept,
    dropped: { count, evidence: lost.slice(0, count) },
    withheld: Array.isArray(withheld) ? withheld.map(String) : [],
    ...(isObject(error) && typeof error.message === 'string' && { error: error.message }),
  }
}

/** Kept evidence may be shortened, and moved to the document that its quote comes from. */
function isSame(kept: Evidence, reported: Evidence): boolean {
  if (reported.quote === undefined || reported.quote === '') return kept.source === reported.source
  return reported.quote.startsWith((kept.quote ?? '\0').replace(/…\(\+\d+\)$/, ''))
}

function evidenceIn(value: unknown): Evidence[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (!isObject(item) || typeof item.source !== 'string') return []
    const quote = typeof item.quote === 'string' ? { quote: item.quote } : {}
    return [{ source: item.source, ...quote, note: typeof item.note === 'string' ? item.note : '' }]
  })
}

/** The results of several scouts, as the tool that sent them returned them; the text may be cut. */
export function findingsOf(text: string | undefined): Finding[] {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const results = isObject(value) && Array.isArray(value.results) ? value.results : []
    return results.flatMap((each) => (isObject(each) ? [findingOf(each, [])] : []))
  } catch {
    return []
  }
}
