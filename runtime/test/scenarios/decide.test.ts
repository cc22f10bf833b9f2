/** `writ decide`: S2's six demonstrations, on the real command. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cloudLlm } from '../../src/decision/backends/cloud-llm.ts'
import { askBackends } from '../../src/decision/router.ts'
import { openModel } from '../../src/model/providers.ts'
import type { Intent, SuggestedAction } from '../../src/protocol/action.ts'
import { DECISION_ROUTES } from '../../src/protocol/risk.ts'
import { DENIAL_REASONS } from '../../src/protocol/verdict.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { action, batch, context, decided, decisionEngine, intent } from '../support/decision.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

interface Printed {
  route: string
  authorized: { intent_id: string; action: SuggestedAction; authorized_at_ms: number }[]
  denied: { intent_id: string; action_index: number; action: SuggestedAction; reason: string; all: string[] }[]
  suggestions: { intent_id: string; risk_level: string }[]
  denial_counts: Record<string, number>
}

const EIGHT = DENIAL_REASONS.slice(0, 8)

async function decide(given: { intents: Intent[]; route?: string; decision?: object; flags?: string[] }) {
  const { intents, route = 'CloudLlm', decision = {}, flags = [] } = given
  place.file('b.json', batch(intents))
  place.file('c.json', context())
  place.file('own.json', { agent: { decision } })
  const files = ['--batch', 'b.json', '--context', 'c.json', '--config', 'own.json']
  const ended = await place.writ(['decide', ...files, '--route', route, ...flags])
  expect(ended.stderr).not.toContain('INTERNAL')
  return { ...ended, decision: ended.code === 0 ? (ended.json()[0] as unknown as Printed) : undefined }
}

/** One intent for each of the eight reasons, and a good action beside the one too many. */
function oneOfEach(): Intent[] {
  const with1 = (change: Partial<SuggestedAction>) => ({ suggested_actions: [action(change)] })
  return [
    intent('config', { confidence: 0.99, risk_level: 'Medium' }),
    intent('capability', { confidence: 0.98, risk_level: 'High' }),
    intent('confidence', { confidence: 0.1 }),
    intent('blocked', { confidence: 0.96, ...with1({ action_type: 'PrefetchFile', target: '/a' }) }),
    intent('deferred', { confidence: 0.95, ...with1({ urgency: 'Deferred' }) }),
    intent('target', { confidence: 0.93, ...with1({ target: 'com.unseen' }) }),
    intent('cap', { confidence: 0.92, suggested_actions: [action(), action()] }),
  ]
}

const NARROW = { blockedActions: ['Prefetch'], maxActionsPerBatch: 1 }

describe('S2 demo 1: all eight reasons', () => {
  test('S2-76, S2-77, S2-78, S2-79, S2-80, S2-81, S2-82, S2-83, S2-84, S2-85, S2-87, S2-90, S2-94: every action has its verdict, its reasons and its place in the counts', async () => {
    const { decision } = await decide({ intents: oneOfEach(), decision: NARROW })
    expect(Object.keys(decision ?? {})).toEqual(['route', 'authorized', 'denied', 'suggestions', 'denial_counts'])
    expect(decision?.route).toBe('CloudLlm')
    expect(decision?.authorized).toEqual([{ intent_id: 'cap', action: action(), authorized_at_ms: expect.any(Number) }])
    expect(
      decision?.denied.map(({ intent_id, action_index, reason, all }) => [intent_id, action_index, reason, all]),
    ).toEqual([
      ['config', 0, 'RiskExceedsConfig', ['RiskExceedsConfig']],
      ['capability', 0, 'RiskExceedsCapability', ['RiskExceedsCapability', 'RiskExceedsConfig']],
      ['blocked', 0, 'ActionTypeBlocked', ['ActionTypeBlocked']],
      ['deferred', 0, 'ActionUrgencyDeferred', ['ActionUrgencyDeferred']],
      ['target', 0, 'TargetNotInContext', ['TargetNotInContext']],
      ['cap', 1, 'BatchActionCapExceeded', ['BatchActionCapExceeded']],
      ['confidence', 0, 'ConfidenceTooLow', ['ConfidenceTooLow']],
    ])
    // CloudLlm may propose every action type: the eighth reason needs a narrower route.
    const narrow = await decide({
      route: 'RuleBased',
      decision: NARROW,
      intents: [
        intent('type', { suggested_actions: [action({ action_type: 'PreWarmProcess' })] }),
        ...oneOfEach().filter(({ intent_id }) => intent_id !== 'config'),
        intent('config', { suggested_actions: [action()], risk_level: 'Low' }),
      ],
    })
    const counted = [
      ...Object.keys(decision?.denial_counts ?? {}),
      ...Object.keys(narrow.decision?.denial_counts ?? {}),
    ]
    expect(new Set(counted)).toEqual(new Set(EIGHT))
    expect(Object.keys(decision?.denial_counts ?? {})).toEqual(
      EIGHT.filter((reason) => reason !== 'ActionCapabilityDenied'),
    )
    expect(Object.values(decision?.denial_counts ?? {})).toEqual(Array.from({ length: 7 }, () => 1))
  })
})

test('S2 demo 2: S2-41, S2-42, S2-45, S2-88: the same batch is bounded by who proposed it', async () => {
  const each = (['PreWarmProcess', 'KeepAlive', 'NoOp'] as const).map((action_type) => action({ action_type }))
  const intents = [intent('low', { suggested_actions: each }), intent('medium', { risk_level: 'Medium' })]
  const decision = { maxAutoRisk: 'Medium' }
  const passed = async (route: string) => {
    const found = await decide({ intents, route, decision })
    return {
      passed: found.decision?.authorized.map(({ intent_id, action: done }) => `${intent_id} ${done.action_type}`),
      refused: found.decision?.denied.map(({ intent_id, reason }) => `${intent_id} ${reason}`),
    }
  }
  expect(await passed('CloudLlm')).toEqual({
    passed: ['low PreWarmProcess', 'low KeepAlive', 'low NoOp', 'medium KeepAlive'],
    refused: [],
  })
  expect(await passed('RuleBased')).toEqual({
    passed: ['low KeepAlive', 'low NoOp'],
    refused: ['low ActionCapabilityDenied', 'medium RiskExceedsCapability'],
  })
  expect(await passed('FallbackNoOp')).toEqual({
    passed: ['low NoOp'],
    refused: ['low ActionCapabilityDenied', 'low ActionCapabilityDenied', 'medium RiskExceedsCapability'],
  })
})

test('S2 demo 3: S2-43, S2-44: High is a suggestion on every route, whatever the settings', async () => {
  const intents = [intent('risky', { risk_level: 'High', suggested_actions: [action({ action_type: 'NoOp' })] })]
  for (const route of DECISION_ROUTES) {
    const { decision } = await decide({ intents, route, decision: { maxAutoRisk: 'High', minConfidence: 0 } })
    expect(decision?.authorized).toEqual([])
    expect(decision?.suggestions).toMatchObject([{ intent_id: 'risky', risk_level: 'High', action_index: 0 }])
  }
})

test('S2 demo 4: a hand-written AuthorizedAction and a used writ are refused, journaled, and do nothing', async () => {
  const engine = await decisionEngine()
  const run = await decided(engine, [intent('a', { suggested_actions: [action({ action_type: 'NoOp' })] })])
  const written = { intent_id: 'mine', action: action({ action_type: 'ReleaseMemory' }), authorized_at_ms: 1 }
  expect(await run.execute(written)).toMatchObject({ ok: false, code: 'WRIT_FORGED' })
  expect(await run.execute(run.granted[0]?.writ)).toMatchObject({ ok: true })
  expect(await run.execute(run.granted[0]?.writ)).toMatchObject({ ok: false, code: 'WRIT_SPENT' })
  await run.close()
  const failed = (await engine.store.readRun(run.runId)).filter(({ type }) => type === 'action.failed')
  expect(failed.map(({ reason, data }) => [reason, 'intent_id' in data ? data.intent_id : ''])).toEqual([
    ['WRIT_FORGED', 'mine'],
    ['WRIT_SPENT', 'a'],
  ])
})

describe('S2 demo 5: bad input', () => {
  test('is refused with its path, exit code 2, and leaves no journal', async () => {
    place.file('c.json', context())
    const good = JSON.stringify(batch([intent('a', { confidence: 0.123 })]))
    const cases: [string, string][] = [
      [good.replace('0.123', '1.2'), 'intents[0].confidence'],
      [good.replace('0.123', 'NaN'), 'intents[0].confidence'],
      [good.replace('"Low"', '"Extreme"'), 'intents[0].risk_level'],
      [good.replace('"window_id"', '"windowId"'), 'did you mean window_id?'],
      [good.replace(',"urgency":"Immediate"', ''), 'intents[0].suggested_actions[0].urgency'],
      [good.replace('"test"', JSON.stringify('x'.repeat(6_000_000))), 'larger than'],
      ['not json', '1:1'],
    ]
    for (const [text, words] of cases) {
      place.file('b.json', text)
      const ended = await place.writ([
        'decide',
        '--batch',
        'b.json',
        '--context',
        'c.json',
        '--route',
        'CloudLlm',
        '--execute',
      ])
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(words)
    }
    expect(place.has('.writ')).toBe(false)
  })
  test('a route that is none, or a file that is missing, is named', async () => {
    const { stderr, code } = await decide({ intents: [], route: 'CloudLm' })
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean CloudLlm?')
    const missing = await place.writ(['decide', '--batch', 'none.json', '--context', 'c.json', '--route', 'Mock'])
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('none.json cannot be read')
  })
})

describe('S2 demo 6: backend down', () => {
  test('S2-26: a dead backend makes the decision a FallbackNoOp that says why', async () => {
    const model = await openModel(
      { provider: 'compatible', name: 'gone', baseURL: 'http://127.0.0.1:9/v1', maxOutputTokens: 100 },
      { idleMs: 1000 },
    )
    const { result } = await askBackends(context(), {
      backends: [cloudLlm(model)],
      deadlineMs: 10_000,
      clock: { now: () => 1 },
      lang: 'en',
      signal: new AbortController().signal,
    })
    expect(result.route).toBe('FallbackNoOp')
    expect(result.error).toContain('CloudLlm:')
    expect(result.intent_batch.intents.flatMap(({ suggested_actions }) => suggested_actions)).toEqual([
      { action_type: 'NoOp', target: null, urgency: 'Immediate' },
    ])
  })
  test('S2-24 S2-26: the command says so, for people and for programs, and goes on without it', async () => {
    place.file('c.json', context())
    const dead = ['--model', 'compatible/gone', '--base-url', 'http://127.0.0.1:9/v1']
    const ended = await place.writ(['decide', '--context', 'c.json', '--route', 'CloudLlm', ...dead])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('CloudLlm:')
    expect(ended.json()).toMatchObject([
      { route: 'FallbackNoOp', authorized: [{ intent_id: 'idle' }], error: expect.stringContaining('CloudLlm:') },
    ])
    const others = await place.writ(['decide', '--context', 'c.json', ...dead])
    expect(others.json()).toMatchObject([{ route: 'RuleBased' }])
    expect(others.json()[0]).not.toHaveProperty('error')
  })
})

test('S2-56, S2-100: with --execute what was authorised is done, and the audit shows how it ended', async () => {
  const file = place.file('hot.txt', 'x'.repeat(10_000))
  place.file(
    'b.json',
    batch([intent('a', { suggested_actions: [action({ action_type: 'PrefetchFile', target: file }), action()] })]),
  )
  place.file('c.json', context({ paths: [file] }))
  const ended = await place.writ(['decide', '--batch', 'b.json', '--context', 'c.json', '--route', 'Mock', '--execute'])
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('✓ PrefetchFile')
  expect(ended.stderr).toContain('read 10000 bytes in 1 file')
  expect(ended.stderr).toContain('✗ KeepAlive ACTION_TARGET_MISSING')
  expect(ended.json()[0]?.executed).toEqual([
    { intent_id: 'a', action: expect.objectContaining({ target: file }), ok: true, text: expect.any(String) },
    { intent_id: 'a', action: action(), ok: false, code: 'ACTION_TARGET_MISSING', message: expect.any(String) },
  ])
  const audit = await place.writ(['audit', 'verify'])
  expect(audit.code).toBe(0)
})

test('S2-85: a replay of the journal counts the denials under the same name', async () => {
  const { decision } = await decide({ intents: oneOfEach(), decision: NARROW })
  const [summary] = (await place.writ(['replay', '--all', '--json'])).json()
  expect(summary?.denial_counts).toEqual(decision?.denial_counts)
})
