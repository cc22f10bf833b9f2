import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { action, context, decided, decisionEngine, intent } from '../../test/support/decision.ts'
import { policyWith } from '../../test/support/gate-input.ts'
import { CapabilityLevel } from '../gate/capability.ts'
import { fold } from '../journal/fold.ts'
import { audit } from '../journal/verify.ts'
import { ACTION_TYPES, ACTION_URGENCIES } from '../protocol/action.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../protocol/risk.ts'
import { DENIAL_REASONS } from '../protocol/verdict.ts'
import { carryOut } from './schedule.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-decision-'))
  file = join(folder, 'hot.bin')
  writeFileSync(file, Buffer.alloc(100_000, 1))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const prefetch = (urgency: 'Immediate' | 'IdleTime' = 'Immediate') =>
  intent('p', { suggested_actions: [action({ action_type: 'PrefetchFile', target: file, urgency })] })
const always = async () => true
const seen = () => context({ paths: [file] })

describe('verdicts', () => {
  test('S2-49, S2-51, S2-52, S2-53: only what passed becomes an AuthorizedAction, unchanged', async () => {
    const { decision } = await decided(await decisionEngine(), [
      intent('good', { suggested_actions: [action({ urgency: 'IdleTime' }), action({ target: 'com.unseen' })] }),
    ])
    expect(decision.authorized).toEqual([
      { intent_id: 'good', action: action({ urgency: 'IdleTime' }), authorized_at_ms: 1_700_000_000_000 },
    ])
    expect(decision.denied).toEqual([
      {
        intent_id: 'good',
        action_index: 1,
        action: action({ target: 'com.unseen' }),
        reason: 'TargetNotInContext',
        all: ['TargetNotInContext'],
        message: expect.stringContaining('com.unseen'),
      },
    ])
  })
  test('S2-64, S2-65: every route has its most risk and its action types, and no more', () => {
    const all = ['NoOp', 'PreWarmProcess', 'PrefetchFile', 'KeepAlive', 'ReleaseMemory']
    expect(DECISION_ROUTES.map((route) => [route, CapabilityLevel.forRoute(route)])).toEqual([
      ['RuleBased', { max_risk: 'Low', allowed_actions: ['NoOp', 'ReleaseMemory', 'KeepAlive'] }],
      ['LocalEvaluator', { max_risk: 'Low', allowed_actions: all }],
      ['CloudLlm', { max_risk: 'Medium', allowed_actions: all }],
      ['FallbackNoOp', { max_risk: 'Low', allowed_actions: ['NoOp'] }],
      ['Mock', { max_risk: 'Medium', allowed_actions: all }],
    ])
  })
  test('S2-89: the floor of confidence is a setting, and standing on it is enough', async () => {
    const decision = { maxAutoRisk: 'Low', minConfidence: 0.7, blockedActions: [], maxActionsPerBatch: 5 } as const
    const engine = await decisionEngine({ policy: policyWith({ decision: { ...decision, blockedActions: [] } }) })
    const run = await decided(engine, [intent('on', { confidence: 0.7 }), intent('under', { confidence: 0.699 })])
    expect(run.decision.authorized.map(({ intent_id }) => intent_id)).toEqual(['on'])
    expect(run.decision.denial_counts).toEqual({ ConfidenceTooLow: 1 })
  })
  test('S2-83, S2-91, S2-95: the cap counts approved actions of one intent', async () => {
    const policy = policyWith({
      decision: { maxAutoRisk: 'Low', minConfidence: 0.3, blockedActions: [], maxActionsPerBatch: 2 },
    })
    const many = [action({ target: 'no' }), action(), action(), action()]
    const { decision } = await decided(await decisionEngine({ policy }), [
      intent('a', { suggested_actions: many }),
      intent('b', { suggested_actions: [action(), action()] }),
    ])
    expect(decision.authorized.map(({ intent_id }) => intent_id)).toEqual(['a', 'a', 'b', 'b'])
    expect(decision.denial_counts).toEqual({ TargetNotInContext: 1, BatchActionCapExceeded: 1 })
  })
  test('an intent may have any name without it counting against the cap', async () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    const { decision } = await decided(
      await decisionEngine(),
      names.map((name) => intent(name)),
    )
    expect(decision.authorized.map(({ intent_id }) => intent_id)).toEqual(names)
  })
  test('S2-62, S2-97, S2-99: one verdict per action, and a denied one does not stop the others', async () => {
    const three = [action(), action({ urgency: 'Deferred' }), action()]
    const { decision } = await decided(await decisionEngine(), [
      intent('low', { confidence: 0.1, suggested_actions: three }),
      intent('ok', { suggested_actions: three }),
    ])
    expect(decision.authorized).toHaveLength(2)
    expect(decision.denied).toHaveLength(4)
    expect(decision.denied.find(({ all }) => all.length > 1)).toMatchObject({
      reason: 'ConfidenceTooLow',
      all: ['ConfidenceTooLow', 'ActionUrgencyDeferred'],
    })
  })
  const EACH = {
    RuleBased: { risk: 'Low', actions: ['NoOp', 'ReleaseMemory', 'KeepAlive'] },
    LocalEvaluator: { risk: 'Low', actions: [...ACTION_TYPES] },
    CloudLlm: { risk: 'Medium', actions: [...ACTION_TYPES] },
    FallbackNoOp: { risk: 'Low', actions: ['NoOp'] },
    Mock: { risk: 'Medium', actions: [...ACTION_TYPES] },
  } as const
  const isWithin = (risk: string, most: string) =>
    ['Low', 'Medium', 'High'].indexOf(risk) <= ['Low', 'Medium', 'High'].indexOf(most)

  test('S2-73 S2-74: five routes by three risks and five actions', () => {
    for (const route of DECISION_ROUTES) {
      const level = CapabilityLevel.forRoute(route)
      const { risk: most, actions } = EACH[route]
      for (const risk of RISK_LEVELS) expect(CapabilityLevel.allowsRisk(level, risk)).toBe(isWithin(risk, most))
      for (const type of ACTION_TYPES) {
        expect(CapabilityLevel.allowsAction(level, type)).toBe(actions.some((each) => each === type))
      }
    }
  })
  test.each([
    ['S2-68', 'RuleBased'],
    ['S2-69', 'LocalEvaluator'],
    ['S2-70', 'CloudLlm'],
    ['S2-71', 'FallbackNoOp'],
    ['S2-72', 'Mock'],
  ] as const)('%s: %s is denied what is beyond its row of the table', async (_id, route) => {
    const policy = policyWith({
      decision: { maxAutoRisk: 'High', minConfidence: 0, blockedActions: [], maxActionsPerBatch: 100 },
    })
    const intents = RISK_LEVELS.flatMap((risk_level) =>
      ACTION_TYPES.map((action_type) => {
        const target = action_type === 'PrefetchFile' ? '/a' : 'com.x'
        return intent(`${risk_level} ${action_type}`, {
          risk_level,
          suggested_actions: [action({ action_type, target })],
        })
      }),
    )
    const { decision } = await decided(await decisionEngine({ policy }), intents, { route })
    const { risk: most, actions } = EACH[route]
    const denied = new Map(decision.denied.map(({ intent_id, all }) => [intent_id, all]))
    for (const risk of RISK_LEVELS) {
      for (const type of ACTION_TYPES) {
        const reasons = denied.get(`${risk} ${type}`) ?? []
        expect(reasons.includes('RiskExceedsCapability'), `${risk} ${type}`).toBe(!isWithin(risk, most))
        const mayAct = actions.some((each) => each === type)
        expect(reasons.includes('ActionCapabilityDenied'), `${risk} ${type}`).toBe(!mayAct)
        if (risk === 'Low' && mayAct) expect(reasons).toEqual([])
      }
    }
  })
  test('S2-86: counts come in enum order, whatever the order of the denials', async () => {
    const { decision } = await decided(await decisionEngine(), [
      intent('z', { confidence: 0.9, suggested_actions: [action({ target: 'no' })] }),
      intent('y', { confidence: 0.8, suggested_actions: [action({ urgency: 'Deferred' })] }),
      intent('x', { confidence: 0.1 }),
      intent('w', { confidence: 0.7, risk_level: 'High' }),
    ])
    const reasons = Object.keys(decision.denial_counts)
    expect(reasons).toEqual(DENIAL_REASONS.filter((reason) => reasons.includes(reason)))
    expect(reasons).toHaveLength(4)
  })
  test('S2-43 S2-67 S2-75 S2-98: no batch on any route under any setting runs High or beyond the table', async () => {
    const anyIntent = fc.record({
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      risk_level: fc.constantFrom(...RISK_LEVELS),
      suggested_actions: fc.array(
        fc.record({
          action_type: fc.constantFrom(...ACTION_TYPES),
          target: fc.constantFrom('com.x', '/a', 'elsewhere', '', null),
          urgency: fc.constantFrom(...ACTION_URGENCIES),
        }),
      ),
    })
    const setting = fc.record({
      maxAutoRisk: fc.constantFrom(...RISK_LEVELS),
      minConfidence: fc.double({ min: 0, max: 1, noNaN: true }),
      blockedActions: fc.subarray(['Prefetch', 'Memory', 'NoOp']),
      maxActionsPerBatch: fc.nat(6),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...DECISION_ROUTES),
        setting,
        fc.array(anyIntent, { maxLength: 6 }),
        async (route, decision, given) => {
          const intents = given.map((each, i) => intent(`i${i}`, each))
          const engine = async () => decisionEngine({ policy: policyWith({ decision }) })
          const { decision: found } = await decided(await engine(), intents, { route })
          expect((await decided(await engine(), intents, { route })).decision).toEqual(found)
          const level = CapabilityLevel.forRoute(route)
          for (const each of found.authorized) {
            const source = intents.find(({ intent_id }) => intent_id === each.intent_id)
            expect(source?.risk_level).not.toBe('High')
            expect(level.allowed_actions).toContain(each.action.action_type)
            expect(each.action.urgency).not.toBe('Deferred')
          }
          const total = intents.reduce((sum, each) => sum + each.suggested_actions.length, 0)
          expect(found.authorized.length + found.denied.length).toBe(total)
          const risky = found.denied.filter(
            ({ intent_id }) => intents.find((each) => each.intent_id === intent_id)?.risk_level !== 'Low',
          )
          expect(found.suggestions).toHaveLength(risky.length)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the journal of a decision', () => {
  test('S2-1, S2-100: is a run of its own, whole and folded back to the same state', async () => {
    const engine = await decisionEngine()
    const run = await decided(engine, [prefetch(), intent('high', { risk_level: 'High' })], { context: seen() })
    for await (const _ of carryOut(run, always));
    await run.close()
    const events = await engine.store.readRun(run.runId)
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'batch.received',
      'action.authorized',
      'action.denied',
      'batch.decided',
      'action.executed',
      'run.stopped',
    ])
    expect(events.every(({ mode }) => mode === 'decision')).toBe(true)
    expect(fold(events, { history: [] }).approvedActions).toEqual({ p: 1 })
    expect(events[1]?.data).toMatchObject({ reordered: false, input: { context: seen(), ordinals: [0, 1] } })
    expect((await audit(engine.store)).breaches).toEqual([])
  })
  test('what was decided is on disk before anything is done', async () => {
    const engine = await decisionEngine()
    const run = await decided(engine, [prefetch()], { context: seen() })
    const before = (await engine.store.readRun(run.runId)).map(({ type }) => type)
    expect(before.at(-1)).toBe('batch.decided')
  })
})

describe('carrying out', () => {
  const typesOf = async (engine: Awaited<ReturnType<typeof decisionEngine>>, runId: string) =>
    (await engine.store.readRun(runId))
      .filter(({ type }) => type.startsWith('action.'))
      .map(({ type, reason }) => [type, reason])

  test('S2-50, S2-54: a look-alike or a used writ is refused, journaled, and does nothing', async () => {
    const engine = await decisionEngine()
    const run = await decided(engine, [prefetch()], { context: seen() })
    const other = await decided(engine, [prefetch()], { context: seen() })
    const [granted] = run.granted
    for (const forged of [run.decision.authorized[0], { ...granted?.writ }, other.granted[0]?.writ, null, 'writ']) {
      expect(await run.execute(forged)).toMatchObject({ ok: false, code: 'WRIT_FORGED' })
    }
    expect(await run.execute(granted?.writ)).toMatchObject({ ok: true })
    expect(await run.execute(granted?.writ)).toMatchObject({ ok: false, code: 'WRIT_SPENT' })
    await run.close()
    expect(await typesOf(engine, run.runId)).toEqual([
      ['action.authorized', ''],
      ...Array.from({ length: 5 }, () => ['action.failed', 'WRIT_FORGED']),
      ['action.executed', ''],
      ['action.failed', 'WRIT_SPENT'],
    ])
  })
  test('S2-54: an authorised action cannot be changed after it was authorised', async () => {
    const engine = await decisionEngine()
    const suggested = action({ action_type: 'NoOp', target: null })
    const run = await decided(engine, [intent('n', { suggested_actions: [suggested] })])
    suggested.action_type = 'PrefetchFile'
    suggested.target = '/etc/hostname'
    expect(await run.execute(run.granted[0]?.writ)).toEqual({ ok: true, text: 'nothing to do' })
  })
  test('S2-59, S2-60, S2-61, S2-63: immediate ones come first; idle ones wait until no other run is under way', async () => {
    const engine = await decisionEngine({ clock: { now: () => Date.now() } })
    let isBusy = true
    const actions = [action({ action_type: 'NoOp', urgency: 'IdleTime' }), action({ action_type: 'NoOp' })]
    const run = await decided(engine, [intent('a', { suggested_actions: actions })])
    const done: string[] = []
    for await (const { authorized, outcome } of carryOut(run, async () => !isBusy)) {
      done.push(`${authorized.action.urgency} ${outcome.ok}`)
      setImmediate(() => {
        isBusy = false
      })
    }
    expect(done).toEqual(['Immediate true', 'IdleTime true'])
  })
  test('S2-63: an idle one whose window ends first expires and is not done', async () => {
    const engine = await decisionEngine({ clock: { now: () => Date.now() } })
    const run = await decided(engine, [prefetch('IdleTime')], { context: seen(), windowMs: 300 })
    for await (const { outcome } of carryOut(run, async () => false)) {
      expect(outcome).toMatchObject({ ok: false, code: 'WINDOW_EXPIRED' })
    }
    expect(run.window.aborted).toBe(true)
    expect(await run.execute(run.granted[0]?.writ)).toMatchObject({ ok: false, code: 'WINDOW_EXPIRED' })
    await run.close()
    expect((await typesOf(engine, run.runId)).map(([type]) => type)).not.toContain('action.executed')
  })
})
