import { describe, expect, test } from 'vitest'
import { collect, engineWith, saying, spyTools } from '../../test/support/engine.ts'
import { makeEvent, makeStart } from '../../test/support/events.ts'
import type { Confirm } from '../agent/context.ts'
import { PROFILES } from '../agent/profile.ts'
import { startTurn } from '../agent/turn.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { SummaryBuilder } from './summary.ts'

async function played(calls: string[], confirm?: Confirm): Promise<StoredEvent[]> {
  const lines = calls.map((tool) => ({ calls: [{ id: 'same', tool, args: { n: 1 } }] }))
  const engine = await engineWith({ tools: spyTools([]), model: saying(lines) })
  const { signal } = new AbortController()
  const input = { task: 't', sessionId: undefined, profile: PROFILES.chat, signal, confirm, stream: false }
  const { result } = await collect(startTurn(engine, input))
  return engine.store.readRun(result.runId)
}

function summaryOf(...runs: StoredEvent[][]) {
  const account = new SummaryBuilder()
  for (const events of runs) account.addRun(events)
  return account.summary()
}

describe('a replay summary', () => {
  test('S2-85: counts each proposal once by its first verdict, and each denial by its reason', async () => {
    const answers = ['y', 'n'] as const
    let asked = 0
    const events = await played(['change', 'look', 'ghost', 'danger'], async () => answers[asked++] ?? 'n')
    expect(summaryOf(events)).toMatchObject({
      runs: 1,
      events: events.length,
      steps: 5,
      tokens: { inputTokens: 5, outputTokens: 5 },
      verdicts: { allow: 1, ask: 2, deny: 1 },
      asked: { RiskExceedsConfig: 1, RiskExceedsCapability: 1 },
      denied: { USER_REJECTED: 1, UNKNOWN_TOOL: 1 },
      routes: { CloudLlm: { allow: 1, ask: 2, deny: 1 } },
      tools: { change: { ask: 1 }, danger: { ask: 1 }, ghost: { deny: 1 }, look: { allow: 1 } },
      stops: { final: 1 },
      chain: { ok: true, breaches: [] },
    })
  })

  test('S2-86: prints in the order of the enums, whatever the order of the runs', async () => {
    const one = await played(['ghost', 'change'])
    const two = await played(['danger', 'look', 'look'])
    expect(JSON.stringify(summaryOf(one, two))).toBe(JSON.stringify(summaryOf(two, one)))
    expect(Object.keys(summaryOf(one, two).denied)).toEqual(['NO_CONFIRM_CHANNEL', 'UNKNOWN_TOOL'])
    expect(Object.keys(summaryOf(one, two).tools)).toEqual(['change', 'danger', 'ghost', 'look'])
  })

  test('a provider may use a call’s id again', async () => {
    expect(summaryOf(await played(['look', 'look', 'look'])).verdicts.allow).toBe(3)
  })

  test('a run that has not stopped is open', async () => {
    const events = await played(['look'])
    expect(summaryOf(events.slice(0, -3)).stops).toEqual({ open: 1 })
  })

  test('a changed event is reported', async () => {
    const events = await played(['look'])
    const changed = events.with(4, { ...events[4], reason: 'changed' } as StoredEvent)
    expect(summaryOf(changed).chain).toMatchObject({ ok: false, breaches: [{ seq: 5 }] })
  })

  test('actions of a decision are counted by type, under the route of their batch', () => {
    const action = { action_type: 'KeepAlive', target: null, urgency: 'Immediate' } as const
    const place = { runId: 'r', seq: 2 }
    const denial = { reason: 'ConfidenceTooLow', all: [], stage: 'authority', effect: 'skip', message: '' } as const
    const batch = { windowId: 'w', intents: 1, route: 'LocalEvaluator', reordered: false } as const
    const summary = summaryOf([
      makeStart({ runId: 'r' }),
      makeEvent(place, 'batch.received', batch),
      makeEvent(place, 'action.authorized', { intent_id: 'i', action, authorized_at_ms: 1 }),
      makeEvent(place, 'action.denied', {
        intent_id: 'i',
        action_index: 0,
        action,
        risk: 'Low',
        denial: { ...denial, all: [] },
      }),
    ])
    expect(summary).toMatchObject({
      verdicts: { allow: 1, ask: 0, deny: 1 },
      denied: { ConfidenceTooLow: 1 },
      routes: { LocalEvaluator: { allow: 1, deny: 1 } },
      actions: { KeepAlive: { allow: 1, deny: 1 } },
    })
  })
})
