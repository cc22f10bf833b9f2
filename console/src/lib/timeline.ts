/** A run as rows in time: model calls, tool calls and waits, folded from its events. */
import { isAside } from '../../../runtime/src/protocol/message.ts'
import type { Event, EventOf, Observation, Why } from './wire.ts'

interface Span {
  key: string
  at: number
  /** Absent while it lasts. */
  end?: number
}

export interface ModelRow extends Span {
  kind: 'model'
  model: string
  purpose: string
  attempt: number
  /** As measured by the model's client, without waiting for a free place. */
  ms?: number
  usage?: EventOf<'model.replied'>['data']['usage']
  /** What it wrote, and how many calls it proposed. */
  text: string
  calls: number
  malformed?: string
  failed?: Why
}

export interface CallRow extends Span {
  kind: 'call'
  /** The number of the call in the trace; 0: it is not in the trace. */
  step: number
  callId: string
  tool: string
  args: unknown
  decision?: 'allow' | 'ask' | 'deny'
  state: 'judged' | 'running' | 'ok' | 'failed' | 'denied' | 'skipped' | 'unknown'
  observation?: Observation
  flag?: EventOf<'injection.flagged'>['data']
  shadow?: EventOf<'gate.decided'>['data']['shadow']
  /** The sub-agent of an outside agent that proposed it. */
  subAgent?: EventOf<'call.proposed'>['data']['subAgent']
}

export interface WaitRow extends Span {
  kind: 'wait'
  tool: string
  answer?: 'y' | 'n' | 'a' | 'edit'
  by?: string
}

export type Row = ModelRow | CallRow | WaitRow

export interface Timeline {
  rows: Row[]
  start: number
  end: number
}

interface Reading {
  running: boolean
  now: number
  /** The number of one call: needed when earlier events are missing. */
  known?: { seq: number; step: number } | undefined
}

export function timelineOf(events: readonly Event[], { running, now, known }: Reading): Timeline {
  const rows: Row[] = []
  const subAgents = new Map<string, CallRow['subAgent']>()
  let steps = stepsBefore(events, known)
  const callOf = (callId: string) =>
    rows.findLast((row): row is CallRow => row.kind === 'call' && row.callId === callId)
  for (const event of events) {
    const { timestamp: at, seq } = event
    const key = String(seq)
    switch (event.type) {
      case 'model.requested': {
        const { purpose, model, attempt } = event.data
        rows.push({ kind: 'model', key, at, model, purpose, attempt, text: '', calls: 0 })
        break
      }
      case 'model.replied':
        Object.assign(lastModel(rows) ?? {}, { end: at, ...repliedIn(event.data) })
        break
      case 'model.failed':
        Object.assign(lastModel(rows) ?? {}, { end: at, failed: event.data.why ?? event.data.message })
        break
      case 'call.proposed':
        subAgents.set(event.data.call.id, event.data.subAgent)
        break
      case 'gate.decided': {
        const { callId, tool, args, decision, shadow } = event.data
        const judged = callOf(callId)
        if (judged === undefined) {
          const row: CallRow = { kind: 'call', key, at, step: 0, callId, tool, args, decision, state: 'judged' }
          const subAgent = subAgents.get(callId)
          rows.push({ ...row, ...(shadow && { shadow }), ...(subAgent && { subAgent }) })
        } else Object.assign(judged, { args, decision: judged.decision === 'ask' ? 'ask' : decision })
        break
      }
      case 'confirm.asked':
        rows.push({ kind: 'wait', key, at, tool: event.data.question.tool })
        break
      case 'confirm.answered':
        if (event.data.callId !== '') endWait(rows, at, { answer: event.data.answer, by: event.data.by })
        break
      case 'confirm.edited':
        endWait(rows, at, { answer: 'edit', by: event.data.by })
        break
      case 'tool.call':
        if (event.data.allowed) Object.assign(callOf(event.data.callId) ?? {}, { at, state: 'running' })
        break
      case 'injection.flagged':
        Object.assign(callOf(event.data.callId) ?? {}, { flag: event.data })
        break
      case 'tool.result': {
        const { callId, observation, retried } = event.data
        const skipped = observation.code === 'SKIPPED'
        const step = skipped ? 0 : ++steps
        const { outcome } = observation
        const state = skipped ? 'skipped' : outcome === 'ok' || outcome === 'denied' ? outcome : 'failed'
        const row = callOf(callId)
        if (row === undefined) break
        Object.assign(row, { end: at, step, state, observation })
        // It is tried once more, as a row of its own.
        if (retried) rows.push({ ...withoutResult(row), key: `${key} again`, at })
        break
      }
    }
  }
  for (const row of rows) {
    if (row.kind === 'call' && row.state === 'running' && !running)
      Object.assign(row, { step: ++steps, state: 'unknown' })
  }
  const start = events[0]?.timestamp ?? now
  const last = events.at(-1)?.timestamp ?? start
  return { rows, start, end: running ? Math.max(now, last) : last }
}

/** How many calls ended before these events. */
function stepsBefore(events: readonly Event[], known: Reading['known']): number {
  if (known === undefined || (events[0]?.seq ?? 1) === 1) return 0
  const ended = events.filter((event) => event.type === 'tool.result' && event.data.observation.code !== 'SKIPPED')
  const at = ended.findIndex(({ seq }) => seq === known.seq)
  if (at >= 0) return known.step - 1 - at
  // All of them are newer than that call.
  return (ended[0]?.seq ?? 0) > known.seq ? known.step : Math.max(0, known.step - 1 - ended.length)
}

function lastModel(rows: readonly Row[]): ModelRow | undefined {
  return rows.findLast((row): row is ModelRow => row.kind === 'model' && row.end === undefined)
}

function repliedIn({ reply, usage, elapsedMs }: EventOf<'model.replied'>['data']): Partial<ModelRow> {
  const calls = reply.kind === 'calls' ? reply.calls.length : 0
  const malformed = reply.kind === 'malformed' ? { malformed: reply.error } : {}
  return { ms: elapsedMs, usage, text: reply.text, calls, ...malformed }
}

function withoutResult({ end: _, observation: __, ...row }: CallRow): CallRow {
  return { ...row, step: 0, state: 'running' }
}

function endWait(rows: readonly Row[], at: number, answer: Pick<WaitRow, 'answer' | 'by'>): void {
  const open = rows.findLast((row) => row.kind === 'wait' && row.end === undefined)
  Object.assign(open ?? {}, { end: at, ...answer })
}

/** Whether it is a step of the run, or was asked for classification, routing or a summary. */
export function isStep({ purpose }: ModelRow): boolean {
  return !isAside(purpose as Parameters<typeof isAside>[0])
}

/** Equal calls with equal results in a row, as one. */
export interface Group {
  row: Row
  /** All of them; the first is `row`. */
  rows: readonly Row[]
}

export function grouped(rows: readonly Row[]): Group[] {
  const groups: { row: Row; rows: Row[]; mark: string | undefined }[] = []
  for (const row of rows) {
    const mark = markOf(row)
    const last = groups.at(-1)
    if (last !== undefined && mark !== undefined && last.mark === mark) last.rows.push(row)
    else groups.push({ row, rows: [row], mark })
  }
  return groups
}

function markOf(row: Row): string | undefined {
  if (row.kind !== 'call' || row.observation === undefined) return undefined
  const { text, code, outcome } = row.observation
  return JSON.stringify([row.subAgent, row.tool, row.args, row.decision, outcome, code, text])
}

export interface Scale {
  /** Share of the width before this time, 0 to 1. */
  at(time: number): number
  /** The time shown, without waits for a person. */
  ms: number
}

/** Waits for a person take no width: a question that was open for a week would hide everything else. */
export function scaleOf({ rows, start, end }: Timeline): Scale {
  const waits = rows.flatMap((row) => (row.kind === 'wait' ? [{ from: row.at, to: row.end ?? end }] : []))
  const waited = (time: number) =>
    waits.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(time, to) - Math.min(time, from)), 0)
  const ms = Math.max(1, end - start - waited(end))
  return { ms, at: (time) => Math.min(1, Math.max(0, (time - start - waited(time)) / ms)) }
}

export interface Shares {
  model: number
  tools: number
  waiting: number
  /** Everything else: the gate, the journal, the prompt. */
  rest: number
}

export function sharesOf({ rows, start, end }: Timeline): Shares {
  const lasted = (row: Row) => (row.end ?? end) - row.at
  const sum = (kind: Row['kind']) => rows.reduce((all, row) => (row.kind === kind ? all + lasted(row) : all), 0)
  const [model, tools, waiting] = [sum('model'), rows.reduce((all, row) => all + ranMs(row), 0), sum('wait')]
  return { model, tools, waiting, rest: Math.max(0, end - start - model - tools - waiting) }
}

/** How long the tool itself ran. */
export function ranMs(row: Row): number {
  return row.kind === 'call' && row.observation !== undefined ? row.observation.elapsedMs : 0
}
