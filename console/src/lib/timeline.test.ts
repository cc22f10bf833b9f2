import { expect, test } from 'vitest'
import { grouped, type Row, scaleOf, sharesOf, timelineOf } from './timeline.ts'
import type { Event } from './wire.ts'

let seq = 0
function event(type: Event['type'], timestamp: number, data: object): Event {
  seq++
  return { seq, timestamp, type, data, runId: 'r', sessionId: 's', turnId: 't', scoutId: null } as unknown as Event
}

const usage = { inputTokens: 10, outputTokens: 2 }
const asked = (at: number, purpose = 'main') => event('model.requested', at, { purpose, model: 'm', attempt: 1 })
const replied = (at: number, reply: object, elapsedMs: number) =>
  event('model.replied', at, { purpose: 'main', reply, usage, elapsedMs })
const judged = (at: number, callId: string, decision = 'allow') =>
  event('gate.decided', at, { callId, tool: 'file_list', args: { path: '.' }, decision, all: [] })
const called = (at: number, callId: string) => event('tool.call', at, { callId, tool: 'file_list', allowed: true })
const observed = (at: number, callId: string, text = 'a', more: object = {}) =>
  event('tool.result', at, { callId, tool: 'file_list', observation: { outcome: 'ok', text, elapsedMs: 5, ...more } })

const one = (at: number, callId: string, text?: string) => [
  judged(at, callId),
  called(at, callId),
  observed(at + 5, callId, text),
]
const of = (events: Event[], running = false) => timelineOf(events, { running, now: 10_000 })
const brief = (row: Row) =>
  row.kind === 'model'
    ? `model ${row.ms ?? '…'} ${row.calls}`
    : row.kind === 'wait'
      ? `wait ${row.answer ?? '…'}`
      : `${row.step} ${row.tool} ${row.state}`

test('X-CONSOLE-5: model calls, calls, questions and their answers are rows in the order in which they began', () => {
  const { rows, start, end } = of([
    asked(0),
    replied(100, { kind: 'calls', calls: [{}], text: '' }, 90),
    judged(101, 'c1', 'ask'),
    event('confirm.asked', 102, { question: { callId: 'c1', tool: 'file_list' } }),
    event('confirm.answered', 5102, { callId: 'c1', answer: 'y', by: 'ann', keys: [] }),
    judged(5103, 'c1', 'allow'),
    called(5104, 'c1'),
    observed(5110, 'c1'),
    asked(5111),
    replied(5200, { kind: 'final', text: 'done' }, 80),
  ])
  expect(rows.map(brief)).toEqual(['model 90 1', '1 file_list ok', 'wait y', 'model 80 0'])
  expect(rows[0]).toMatchObject({ usage, model: 'm' })
  expect(rows[1]).toMatchObject({ decision: 'ask', at: 5104, end: 5110 })
  expect([start, end]).toEqual([0, 5200])
  expect(sharesOf(of([]))).toEqual({ model: 0, tools: 0, waiting: 0, rest: 0 })
})

test('X-CONSOLE-5: waiting for a person takes no width in the waterfall', () => {
  const week = 7 * 86_400_000
  const timeline = of([
    asked(0),
    replied(100, { kind: 'calls', calls: [{}], text: '' }, 100),
    judged(100, 'c1', 'ask'),
    event('confirm.asked', 100, { question: { callId: 'c1', tool: 'file_list' } }),
    event('confirm.answered', week, { callId: 'c1', answer: 'y', by: 'ann', keys: [] }),
    called(week, 'c1'),
    observed(week + 100, 'c1'),
  ])
  const scale = scaleOf(timeline)
  expect(scale.ms).toBe(200)
  expect([0, 100, week, week + 100].map(scale.at)).toEqual([0, 0.5, 0.5, 1])
  expect(sharesOf(timeline)).toEqual({ model: 100, tools: 5, waiting: week - 100, rest: 95 })
})

test('X-CONSOLE-5: equal calls with equal results in a row are one group; a different result ends it', () => {
  const { rows } = of([...one(0, 'c1'), ...one(10, 'c2'), ...one(20, 'c3', 'b'), ...one(30, 'c4')])
  expect(grouped(rows).map(({ rows: same }) => same.length)).toEqual([2, 1, 1])
})

test('a retried call is two rows, and calls that were skipped have no number', () => {
  const { rows } = of([
    judged(0, 'c1'),
    called(0, 'c1'),
    event('tool.result', 5, {
      callId: 'c1',
      retried: true,
      observation: { outcome: 'error', code: 'TOOL_TIMEOUT', text: '', elapsedMs: 5 },
    }),
    observed(9, 'c1'),
    judged(10, 'c2'),
    observed(11, 'c2', '', { outcome: 'error', code: 'SKIPPED' }),
  ])
  expect(rows.map(brief)).toEqual(['1 file_list failed', '2 file_list ok', '0 file_list skipped'])
})

test('a call that has not ended is running in a live run and unknown in another', () => {
  const events = [judged(0, 'c1'), called(0, 'c1')]
  expect(of(events, true).rows.map(brief)).toEqual(['0 file_list running'])
  expect(of(events).rows.map(brief)).toEqual(['1 file_list unknown'])
})

test('a failed model call names why, and its retry is a row of its own', () => {
  const { rows } = of([
    asked(0),
    event('model.failed', 10, { purpose: 'main', message: 'HTTP 500', attempt: 1, retryInMs: 1 }),
    asked(20),
    replied(30, { kind: 'malformed', text: '{', error: 'not JSON' }, 10),
  ])
  expect(rows).toMatchObject([
    { failed: 'HTTP 500', end: 10 },
    { malformed: 'not JSON', ms: 10 },
  ])
})

test('X-CONSOLE-5: calls keep their numbers when earlier events are not loaded', () => {
  const events = [...one(0, 'c8'), ...one(10, 'c9')]
  const last = events.at(-1)
  const { rows } = timelineOf(events, { running: false, now: 0, known: { seq: last?.seq ?? 0, step: 9 } })
  expect(rows.map(brief)).toEqual(['8 file_list ok', '9 file_list ok'])
})
