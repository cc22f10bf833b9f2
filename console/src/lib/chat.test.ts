import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chat, chatAfter, NO_CHAT, type Turn } from './chat.ts'
import type { Event, Question } from './wire.ts'

let at = 0
let seq = 0
function event<T extends Event['type']>(type: T, data: object, place: Partial<Event> = {}): Event {
  at += 10
  seq += 1
  const base = { sessionId: 's', turnId: 't1', runId: 'r1', scoutId: null, mode: 'chat', reason: '' }
  return { ...base, seq, timestamp: at, type, data, ...place } as unknown as Event
}

const fold = (events: readonly Event[], from: Chat = NO_CHAT) => chatAfter(from, { kind: 'events', events })

const facts = { risk: 'Medium', family: 'shell' }
const question = { callId: 'c1', tool: 'shell', keys: ['touch'] } as unknown as Question
const judged = (decision: string) =>
  event('gate.decided', { callId: 'c1', tool: 'shell', args: { command: 'touch a' }, decision, all: [], facts })

function askedEvents(): Event[] {
  return [
    event('turn.started', { input: 'make a' }),
    event('run.started', { task: 'make a' }),
    event('model.requested', { purpose: 'main' }),
    event('model.replied', { purpose: 'main', reply: { kind: 'calls', calls: [], text: '' } }),
    judged('ask'),
    event('confirm.asked', { question }),
    event('run.parked', { callId: 'c1' }),
  ]
}

function answered(answer: 'y' | 'n' | 'a'): Event[] {
  return [
    event('run.resumed', { steps: 1 }),
    judged('ask'),
    event('confirm.answered', { callId: 'c1', answer, by: 'admin', keys: answer === 'a' ? ['touch'] : [] }),
  ]
}

const ran = () => [
  event('tool.call', { callId: 'c1', tool: 'shell', allowed: true }),
  event('tool.result', { callId: 'c1', tool: 'shell', observation: { outcome: 'ok', text: '', elapsedMs: 4 } }),
  event('turn.committed', { reply: 'Made.', notices: [], stopReason: 'final', runId: 'r1' }),
]

const only = (chat: Chat): Turn => {
  const [turn, ...more] = chat.turns
  if (turn === undefined || more.length > 0) throw new Error(`${chat.turns.length} turns`)
  return turn
}

test('X-MODEL-4: every request to the model restarts the seconds shown while it thinks', () => {
  const asked = fold([
    event('turn.started', { input: 'hi' }),
    event('run.started', { task: 'hi' }),
    event('model.requested', { purpose: 'main' }),
  ])
  const first = only(asked).askedAt
  expect(first).toBeTypeOf('number')
  const again = fold([event('model.requested', { purpose: 'main' })], asked)
  expect(only(again).askedAt).toBeGreaterThan(first ?? 0)
})

describe('a conversation', () => {
  test('X-BUDGET-7: shows a budget warning while the turn runs', () => {
    const before = askedEvents()
    const warned = event('budget.warned', { scope: 'run', limit: 1, spent: 1, usd: 0.1, text: 'over $1.00' })
    expect(only(fold([...before, warned])).notices).toEqual(['over $1.00'])
  })

  test('waits with its question until it is answered', () => {
    const waiting = only(fold(askedEvents()))
    expect(waiting).toMatchObject({ state: 'waiting', question: { callId: 'c1' }, cards: [{ state: 'asked' }] })
  })

  test('continues after a yes, with one card for the call that was judged twice', () => {
    const turn = only(fold([...askedEvents(), ...answered('y'), ...ran()]))
    expect(turn).toMatchObject({ state: 'done', reply: 'Made.', stopReason: 'final' })
    expect(turn.question).toBeUndefined()
    expect(turn.cards).toMatchObject([{ state: 'ok', answer: { answer: 'y', by: 'admin' } }])
  })

  test('keeps standing approvals, and drops those revoked after the run', () => {
    const done = fold([...askedEvents(), ...answered('a'), ...ran()])
    expect(done.approvals).toEqual(['touch'])
    const back = fold([event('confirm.answered', { callId: '', answer: 'n', by: 'admin', keys: ['touch'] })], done)
    expect(back.approvals).toEqual([])
    expect(only(back).state).toBe('done')
  })

  test('still waits for its answer when an "always" is revoked meanwhile', () => {
    const back = event('confirm.answered', { callId: '', answer: 'n', by: 'admin', keys: ['touch'] })
    expect(only(fold([...askedEvents(), back]))).toMatchObject({ state: 'waiting', question: { callId: 'c1' } })
  })

  test('continues after an interrupted call, and shows its next question until it is answered', () => {
    const cutOff = [
      event('turn.started', { input: 'make a' }),
      event('run.started', { task: 'make a' }),
      event('gate.decided', { callId: 'c0', tool: 'shell', args: {}, decision: 'allow', all: [], facts }),
      event('tool.call', { callId: 'c0', tool: 'shell', allowed: true }),
      event('run.resumed', { steps: 1 }),
      event('run.interrupted', { callId: 'c0' }),
      event('tool.result', { callId: 'c0', tool: 'shell', observation: { outcome: 'error', code: 'INTERRUPTED' } }),
    ]
    const resumed = fold(cutOff)
    expect(only(resumed)).toMatchObject({ state: 'running', cards: [{ state: 'failed' }] })
    expect(only(resumed).stopReason).toBeUndefined()
    const asking = fold([judged('ask'), event('confirm.asked', { question })], resumed)
    expect(only(asking)).toMatchObject({ state: 'running', question: { callId: 'c1' } })
    const answeredEvent = event('confirm.answered', { callId: 'c1', answer: 'y', by: 'admin', keys: [] })
    expect(only(fold([answeredEvent], asking)).question).toBeUndefined()
  })

  test('X-REVIEW-1: a call that the reviewer approved says so on its card', () => {
    const begun = [event('turn.started', { input: 'x' }), event('run.started', { task: 'x' }), judged('ask')]
    const reviewed = event('call.reviewed', { callId: 'c1', model: 'a/b', decision: 'allow' })
    expect(only(fold([...begun, reviewed])).cards).toMatchObject([{ review: { model: 'a/b', decision: 'allow' } }])
  })

  test('a question that changed is another one, even when no event in between was shown', () => {
    const begun = [event('turn.started', { input: 'x' }), event('run.started', { task: 'x' })]
    const first = fold([...begun, judged('ask'), event('confirm.asked', { question })])
    const edited = event('confirm.edited', { callId: 'c1', tool: 'shell', before: {}, after: {}, by: 'admin' })
    const second = fold([edited, event('confirm.asked', { question: { ...question, edited: true } })], first)
    expect(only(second).asked).not.toBe(only(first).asked)
  })

  test('has ended when its whole run was interrupted', () => {
    const chat = fold([event('turn.started', { input: 'x' }), event('run.started', {}), event('run.interrupted', {})])
    expect(only(chat)).toMatchObject({ state: 'done', stopReason: 'interrupted' })
  })

  test('shows a denial with its reasons and never as running', () => {
    const chat = fold([event('turn.started', { input: 'x' }), event('run.started', {}), judged('deny')])
    expect(only(chat).cards).toMatchObject([{ state: 'denied', verdict: { decision: 'deny' } }])
  })

  test('replaces the sent message once it is in the journal', () => {
    const sent = chatAfter(NO_CHAT, { kind: 'sent', text: 'make a', at: 1 })
    expect(only(sent).state).toBe('running')
    expect(only(fold(askedEvents(), sent)).turnId).toBe('t1')
  })

  test('shows past messages before their events arrive, and each only once afterwards', () => {
    const messages = [
      { role: 'user', text: 'make a', runId: 'r1', turnId: 't1', at: 1 },
      { role: 'assistant', text: 'Made.', runId: 'r1', turnId: 't1', at: 2, stopReason: 'final' },
    ] as const
    const loaded = chatAfter(NO_CHAT, { kind: 'loaded', messages: [...messages], approvals: [] })
    expect(only(loaded)).toMatchObject({ input: 'make a', reply: 'Made.', state: 'done' })
    const whole = fold([...askedEvents(), ...answered('y'), ...ran()], loaded)
    expect(only(whole).cards).toHaveLength(1)
  })
})

describe('live text', () => {
  const startedChat = () => fold([event('turn.started', { input: 'x' }), event('run.started', {})])
  const delta = (text: string, restart?: true) => event('model.delta', { text, restart }, { seq: 2 })

  test('grows, and restarts when the model does', () => {
    expect(only(fold([delta('One, '), delta('two')], startedChat())).live).toBe('One, two')
    expect(only(fold([delta('Wrong'), delta('', true), delta('Right')], startedChat())).live).toBe('Right')
  })

  test('is replaced by the snapshot after a reconnect', () => {
    const chat = fold([delta('One, ')], startedChat())
    expect(only(chatAfter(chat, { kind: 'snapshot', runId: 'r1', text: 'One, two, ' })).live).toBe('One, two, ')
  })

  test('is complete once its step is stored, even when another process wrote it', () => {
    const replied = (purpose: string, text: string) =>
      event('model.replied', { purpose, reply: { kind: 'final', text } }, { seq: ++seq })
    const chat = fold([replied('route', '{"direct":true}')], startedChat())
    expect(only(chat).live).toBe('')
    expect(only(fold([replied('main', 'One, two, three')], chat)).live).toBe('One, two, three')
  })

  test('of a scout is not the reply', () => {
    const scouting = event('model.delta', { text: 'psst' }, { scoutId: 'sc1', runId: 'r2' })
    expect(only(fold([scouting], startedChat())).live).toBe('')
  })
})

test('duplicate events, as after a reconnect, change nothing', () => {
  const events = [...askedEvents(), ...answered('y'), ...ran()]
  const once = fold(events)
  fc.assert(
    fc.property(fc.nat(events.length), fc.nat(events.length), (from, length) => {
      const again = events.toSpliced(from + length, 0, ...events.slice(from, from + length))
      expect(fold(again)).toEqual(once)
    }),
  )
})

test('scouts are lanes with their task, state and tool', () => {
  const scout = (type: Event['type'], data: object) => event(type, data, { scoutId: 'sc1', runId: 'r2' })
  const chat = fold([
    event('turn.started', { input: 'compare' }),
    event('run.started', {}),
    scout('SCOUT_TRIGGERED', { task: 'read A' }),
    scout('SCOUT_QUEUED', {}),
    scout('scout.state', { from: 'PREPARE', to: 'RUNNING' }),
    scout('SCOUT_STARTED', {}),
    scout('SCOUT_TOOL_CALLED', { tool: 'read_doc' }),
  ])
  expect(only(chat).lanes).toMatchObject([{ task: 'read A', state: 'RUNNING', tool: 'read_doc', runId: 'r2' }])
  const over = fold([scout('SCOUT_TIMEOUT', {})], chat)
  expect(only(over).lanes).toMatchObject([{ state: 'TIMEOUT', endedAt: expect.any(Number) }])
})
