import { describe, expect, test } from 'vitest'
import { context, decided, decisionEngine, intent, unjournaled } from '../../test/support/decision.ts'
import { saying } from '../../test/support/engine.ts'
import { DEFAULT_RULES, type DecisionRule } from '../config/decision.ts'
import { WritError } from '../errors/writ-error.ts'
import { makeRedactor } from '../journal/redact.ts'
import { CONTEXT_FIELDS } from '../protocol/action.ts'
import type { Backend, ModelJournal } from './backends/backend.ts'
import { type CloudOptions, cloudLlm } from './backends/cloud-llm.ts'
import { fallbackNoOp } from './backends/fallback-no-op.ts'
import { localEvaluator, predictFrom } from './backends/local-evaluator.ts'
import { mock } from './backends/mock.ts'
import { ruleBased } from './backends/rule-based.ts'
import { askBackends } from './router.ts'

const signal = () => new AbortController().signal
const ask = (backends: Backend[], change: { deadlineMs?: number; signal?: AbortSignal; journal?: ModelJournal } = {}) =>
  askBackends(context(), {
    backends,
    deadlineMs: 5_000,
    clock: { now: () => 7 },
    lang: 'en',
    redact: makeRedactor([]),
    journal: unjournaled,
    signal: signal(),
    ...change,
  })

const good = { intents: [intent('a')], model: 'told', rationale_tags: ['t'] }
const silent: Backend = { route: 'CloudLlm', model: 'silent', predict: () => new Promise(() => {}) }

describe('the router', () => {
  test('S2-20 S2-21 S2-22 S2-23: fills in route, window, time and latency itself', async () => {
    const { result } = await ask([mock(good)])
    expect(result).toEqual({
      route: 'Mock',
      intent_batch: { window_id: 'w1', intents: good.intents, generated_at_ms: 7, model: 'told' },
      rationale_tags: ['t'],
      latency_us: expect.any(Number),
      error: null,
    })
    expect(Number.isSafeInteger(result.latency_us) && result.latency_us >= 0).toBe(true)
  })
  test('a backend that has nothing to say falls through to the next, and that is noted', async () => {
    const { result } = await ask([mock(new WritError('NO_PREDICTION.journal')), ruleBased()])
    expect(result).toMatchObject({ route: 'RuleBased', error: null, rationale_tags: ['fell_through:Mock'] })
  })
  test('S2-24, S2-26: one that is broken is not hidden by the next: nothing is done, and the reason is kept', async () => {
    const { result } = await ask([mock(new Error('HTTP 401: wrong key sk-abcdefghijklmnopqrstuv')), ruleBased()])
    expect(result).toMatchObject({ route: 'FallbackNoOp', error: 'Mock: HTTP 401: wrong key [REDACTED:api-key]' })
    expect(result.intent_batch.intents).toMatchObject([{ suggested_actions: [{ action_type: 'NoOp' }] }])
  })
  test('S2-26: one that never answers is left when the time is up', async () => {
    const { result } = await ask([silent, mock(good)], { deadlineMs: 300 })
    expect(result.route).toBe('FallbackNoOp')
    expect(result.error).toMatch(/^CloudLlm: no answer within \d+ ms$/)
  })
  test('S2-26: when all fail, FallbackNoOp answers with every error', async () => {
    const { result } = await ask([mock(new WritError('NO_PREDICTION.journal')), mock(new Error('broken'))])
    expect(result.route).toBe('FallbackNoOp')
    expect(result.error).toBe('Mock: the journal has no similar window; Mock: broken')
    expect((await ask([])).result.error).toBe('no backend is configured')
  })
  test('what a backend hands over is read as strictly as any input', async () => {
    const { result } = await ask([mock({ ...good, intents: [intent('a', { confidence: 7 })] }), fallbackNoOp])
    expect(result).toMatchObject({ route: 'FallbackNoOp', error: expect.stringContaining('confidence') })
  })
  test('a cancelled decision asks no backend', async () => {
    await expect(ask([mock(good)], { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})

describe('CloudLlm', () => {
  const intents = { intents: [intent('llm')] }
  const options = (): CloudOptions => ({
    fields: CONTEXT_FIELDS,
    redact: makeRedactor([]),
    attempts: 3,
    clock: { now: () => 7 },
    newId: (prefix) => `${prefix}_1`,
  })
  const predict = (lines: Parameters<typeof saying>[0]) => {
    const model = saying(lines)
    return { model, answer: cloudLlm(model, options()).predict(context(), signal(), unjournaled) }
  }

  test('takes a tool call, or the JSON of one in its text', async () => {
    const called = predict([{ calls: [{ id: '1', tool: 'propose_intents', args: intents }] }])
    expect((await called.answer).intents).toEqual(intents.intents)
    const written = predict([{ text: `Sure:\n\`\`\`json\n${JSON.stringify(intents)}\n\`\`\`` }])
    expect(await written.answer).toMatchObject({ intents: intents.intents, model: 'test/said' })
  })
  test('is asked once more when its answer does not fit, and no third time', async () => {
    const bad = { text: JSON.stringify({ intents: [intent('llm', { confidence: 9 })] }) }
    const repaired = predict([bad, { text: JSON.stringify(intents) }])
    expect(await repaired.answer).toMatchObject({ usage: { inputTokens: 2, outputTokens: 2 } })
    const hopeless = predict([bad, { text: 'no idea' }, { text: JSON.stringify(intents) }])
    await expect(hopeless.answer).rejects.toThrow('no JSON object')
    expect(hopeless.model.asked).toBe(2)
  })
  test('S2-19: a route the model claims is refused with the rest of what it may not say', async () => {
    const claims = { text: JSON.stringify({ ...intents, route: 'Mock' }) }
    await expect(predict([claims, claims]).answer).rejects.toThrow('route: is not a key here')
  })
})

describe('RuleBased', () => {
  test('rules are data: those whose conditions hold speak', async () => {
    const rule = {
      name: 'at_home',
      when: { scenes: ['home'] },
      intent: 'EnterContext',
      confidence: 1,
      actions: [{ type: 'KeepAlive', on: 'latest', urgency: 'Immediate' }],
    } satisfies DecisionRule
    const home = await ruleBased([rule]).predict(context({ scenes: ['home'] }), signal(), unjournaled)
    expect(home.intents).toMatchObject([
      { intent_id: 'at_home', intent_type: { EnterContext: 'home' }, suggested_actions: [{ target: 'com.x' }] },
    ])
    await expect(ruleBased([rule]).predict(context(), signal(), unjournaled)).rejects.toThrow('no rule matches')
  })
  test('S2-68: its own default rules ask for nothing its route may not do', async () => {
    const many = context({ packages: Array.from({ length: 9 }, (_, i) => `app${i}`) })
    const { intents } = await ruleBased().predict(many, signal(), unjournaled)
    expect(intents).toHaveLength(DEFAULT_RULES.length)
    const { decision } = await decided(await decisionEngine(), intents, { route: 'RuleBased', context: many })
    expect(decision.denied).toEqual([])
  })
})

describe('LocalEvaluator', () => {
  const HOUR = 3_600_000
  const window = (packages: string[]) => context({ packages, paths: [] })

  test('what followed more often, and more lately, is likelier', () => {
    const past = [
      { at: 0, context: window(['mail']) },
      { at: 1_000, context: window(['web']) },
      { at: HOUR, context: window(['mail']) },
      { at: HOUR + 1_000, context: window(['notes']) },
      { at: 2 * HOUR, context: window(['mail']) },
      { at: 2 * HOUR + 1_000, context: window(['notes']) },
    ]
    const found = predictFrom(past, window(['web', 'notes', 'mail']), 3 * HOUR)
    expect(found.map(({ intent_type }) => intent_type)).toEqual([{ SwitchToApp: 'notes' }, { SwitchToApp: 'web' }])
    expect(found[0]?.suggested_actions).toEqual([
      { action_type: 'PreWarmProcess', target: 'notes', urgency: 'IdleTime' },
    ])

    const late = [past[0], past[1], past[2], past[3]].flatMap((each, i) =>
      each === undefined ? [] : [{ ...each, at: i < 2 ? each.at : each.at + 1000 * HOUR }],
    )
    const byTime = predictFrom(late, window(['web', 'notes', 'mail']), 1001 * HOUR)
    expect(byTime.map(({ intent_type }) => intent_type)).toEqual([{ SwitchToApp: 'notes' }, { SwitchToApp: 'web' }])
  })
  test('it learns from the journal’s own decisions, and only proposes what is in view', async () => {
    let now = 1_000
    const engine = await decisionEngine({ clock: { now: () => now } })
    const evaluator = localEvaluator(engine)
    await expect(evaluator.predict(window(['a', 'b']), signal(), unjournaled)).rejects.toThrow('no similar window')
    for (const packages of [['a'], ['b'], ['a'], ['b'], ['c']]) {
      now += 1_000
      await (await decided(engine, [], { context: window(packages) })).close()
    }
    const { intents } = await evaluator.predict(window(['b', 'a']), signal(), unjournaled)
    expect(intents.map(({ intent_type }) => intent_type)).toEqual([{ SwitchToApp: 'b' }])
    const { decision } = await decided(engine, intents, { route: 'LocalEvaluator', context: window(['b', 'a']) })
    expect(decision.authorized).toHaveLength(1)
  })
})
