import { describe, expect, test } from 'vitest'
import { makeEvent, makeStart, makeStop } from '../../test/support/events.ts'
import type { EventData } from '../protocol/event.ts'
import { fold } from './fold.ts'
import { foldSession } from './session.ts'

const place = (seq: number, runId = 'run_1') => ({ runId, seq })

function verdict(decision: 'allow' | 'ask' | 'deny', callId: string): EventData['gate.decided'] {
  return {
    callId,
    tool: 'pay',
    args: {},
    argsHash: '',
    route: 'CloudLlm',
    facts: {
      registered: true,
      exposed: true,
      family: 'unknown',
      risk: 'Medium',
      trust: 'external',
      readOnly: false,
      form: [],
      deed: 'payment',
      targets: [{ kind: 'account', value: 'DE75' }],
    },
    decision,
    all: [],
  }
}

function result(callId: string, outcome: 'ok' | 'denied'): EventData['tool.result'] {
  const observation = { outcome, text: 'x', elapsedMs: 0 }
  return { callId, tool: 'read_doc', family: 'unknown', trust: 'external', step: 1, observation }
}

describe('provenance data is in the journal', () => {
  test('a deed is counted once, with whether a person was asked', () => {
    const events = [
      makeStart({ runId: 'run_1' }),
      makeEvent(place(2), 'gate.decided', verdict('allow', 'a')),
      makeEvent(place(3), 'gate.decided', verdict('ask', 'b')),
      makeEvent(place(4), 'gate.decided', verdict('allow', 'b')),
      makeEvent(place(5), 'gate.decided', verdict('deny', 'c')),
    ]
    expect(fold(events, { history: [] }).deeds).toEqual([
      { callId: 'a', deed: 'payment', targets: ['DE75'], asked: false },
      { callId: 'b', deed: 'payment', targets: ['DE75'], asked: true },
    ])
  })

  test('the origin of a result is known in the next turn too', () => {
    const events = [
      makeStart({ runId: 'run_1' }),
      makeEvent(place(2), 'injection.flagged', { callId: 'a', tool: 'read_doc', verdict: 'Review', findings: [] }),
      makeEvent(place(3), 'tool.result', result('a', 'ok')),
      makeEvent(place(4), 'tool.result', result('b', 'denied')),
      makeStop(place(5)),
      makeEvent(place(6), 'turn.committed', { reply: '', notices: [], stopReason: 'final', runId: 'run_1' }),
    ]
    const origins = [
      { callId: 'a', tool: 'read_doc', trust: 'external', inspection: 'review', family: 'unknown' },
      { callId: 'b', tool: 'read_doc', trust: 'external', inspection: 'pass', family: 'unknown', refused: true },
    ]
    const session = foldSession(events)
    expect(session.origins).toEqual(origins)
    expect(fold([makeStart({ runId: 'run_2' })], session).origins).toEqual(origins)
  })
})

test('event types of other versions change nothing', () => {
  const start = makeStart({ runId: 'run_1' })
  const event = makeEvent(place(2), 'session.opened', { locale: 'en' })
  const foreign = ['config.loaded', 'constructor', '__proto__'].map((type) => ({ ...event, type }) as typeof event)
  expect(fold([start, ...foreign], { history: [] })).toEqual(fold([start], { history: [] }))
})
