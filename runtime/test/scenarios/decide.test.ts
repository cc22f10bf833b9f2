/** `writ decide`: S2's six demonstrations, on the real command. */
import { spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Intent, SuggestedAction } from '../../src/protocol/action.ts'
import { DECISION_ROUTES } from '../../src/protocol/risk.ts'
import { DENIAL_REASONS } from '../../src/protocol/verdict.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { action, batch, context, decided, decisionEngine, intent } from '../support/decision.ts'
import { type StubModel, type StubReply, startStubModel } from '../support/stub-model.ts'

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
  const files = ['--batch', 'b.json', '--context', 'c.json', '--config', 'own.json', '--json']
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
  let decision: Printed | undefined
  let narrow: Printed | undefined
  beforeEach(async () => {
    decision ??= (await decide({ intents: oneOfEach(), decision: NARROW })).decision
    // CloudLlm may propose every action type: the eighth reason needs a narrower route.
    const intents = [
      intent('type', { suggested_actions: [action({ action_type: 'PreWarmProcess' })] }),
      ...oneOfEach().filter(({ intent_id }) => intent_id !== 'config'),
      intent('config', { suggested_actions: [action()], risk_level: 'Low' }),
    ]
    narrow ??= (await decide({ route: 'RuleBased', decision: NARROW, intents })).decision
  })

  test.each([
    ['S2-76', 'config', 'RiskExceedsConfig'],
    ['S2-77', 'capability', 'RiskExceedsCapability'],
    ['S2-78', 'confidence', 'ConfidenceTooLow'],
    ['S2-79 S2-90', 'blocked', 'ActionTypeBlocked'],
    ['S2-80', 'deferred', 'ActionUrgencyDeferred'],
    ['S2-82', 'target', 'TargetNotInContext'],
    ['S2-83', 'cap', 'BatchActionCapExceeded'],
  ])('%s: the intent "%s" is denied with %s', (_id, intent_id, reason) => {
    expect(decision?.denied).toContainEqual(expect.objectContaining({ intent_id, reason }))
  })

  test('S2-81: an action type that the route may not propose is denied with ActionCapabilityDenied', () => {
    expect(narrow?.denial_counts).toHaveProperty('ActionCapabilityDenied')
  })

  test('S2-84 S2-87 S2-94: a denial has its main reason first and all reasons as enum values', () => {
    expect(Object.keys(decision ?? {})).toEqual([
      'run_id',
      'window_id',
      'route',
      'model',
      'generated_at_ms',
      'rationale_tags',
      'latency_us',
      'authorized',
      'denied',
      'suggestions',
      'denial_counts',
      'error',
    ])
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
  })

  test('S2-85: denials are counted per reason', () => {
    const counted = [...Object.keys(decision?.denial_counts ?? {}), ...Object.keys(narrow?.denial_counts ?? {})]
    expect(new Set(counted)).toEqual(new Set(EIGHT))
    expect(Object.keys(decision?.denial_counts ?? {})).toEqual(
      EIGHT.filter((reason) => reason !== 'ActionCapabilityDenied'),
    )
    expect(Object.values(decision?.denial_counts ?? {})).toEqual(Array.from({ length: 7 }, () => 1))
  })
})

test('S2-41 S2-42 S2-45 S2-88: demo 2: the same batch is bounded by who proposed it', async () => {
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
  const { decision: unset } = await decide({ intents, route: 'CloudLlm' })
  expect(unset?.denied).toMatchObject([{ intent_id: 'medium', reason: 'RiskExceedsConfig' }])
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

test('S2-43 S2-44: demo 3: High is a suggestion on every route, whatever the settings', async () => {
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
    expect(missing.stderr).toContain('cannot read none.json')
  })
})

describe('S2 demo 6: backend down', () => {
  let stub: StubModel | undefined
  afterEach(async () => {
    await stub?.close()
    stub = undefined
  })

  /** The window is put before a model that answers as told, and the command's whole answer is given back. */
  async function predicting(reply: (n: number) => StubReply, given: { seen?: object; decision?: object } = {}) {
    const server = await startStubModel({ reply: (_request, n) => reply(n) })
    stub = server
    place.file('c.json', context(given.seen))
    place.file('own.json', { agent: { decision: given.decision ?? {} } })
    const model = ['--model', 'compatible/m', '--base-url', `${server.url}/v1`, '--config', 'own.json']
    const ended = await place.writ(['decide', '--context', 'c.json', ...model, '--json'])
    const [decision] = ended.json() as unknown as (Printed & { run_id: string; error: string | null })[]
    const events = (await place.writ(['export', '--run', decision?.run_id ?? ''])).json()
    return { ...ended, decision, events, requests: server.requests }
  }
  const answer = (intents: Intent[]) => ({ calls: [{ tool: 'propose_intents', args: { intents } }] })
  const of = (events: Record<string, unknown>[], type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => data as Record<string, never>)

  for (const [how, reply, words, times] of [
    ['answers 401', { status: 401, text: 'bad key' }, 'HTTP 401: bad key', 1],
    ['answers 500', { status: 500, text: 'broken' }, 'HTTP 500: broken', 3],
    ['answers with a web page', { fault: 'garbage' }, 'CloudLlm:', 1],
    ['breaks off', { fault: 'cut' }, 'CloudLlm:', 3],
    ['answers no JSON', { text: 'no idea' }, 'the answer contains no JSON object', 2],
    ['answers nothing', { fault: 'silent' }, 'no answer within', 1],
  ] as const) {
    test(`S2-24, S2-26: a backend that ${how} makes the decision a FallbackNoOp that says why`, async () => {
      const silent = how === 'answers nothing' ? { decision: { timeoutMs: 1500 } } : {}
      const found = await predicting(() => reply, silent)
      expect(found.code).toBe(0)
      expect(found.decision).toMatchObject({ route: 'FallbackNoOp', error: expect.stringContaining(words) })
      expect(found.decision?.authorized.map(({ action: done }) => done.action_type)).toEqual(['NoOp'])
      expect(found.stderr).toContain(words)
      expect(found.requests).toHaveLength(times)
      expect(of(found.events, 'batch.received')).toMatchObject([
        { route: 'FallbackNoOp', input: { error: found.decision?.error } },
      ])
      expect(of(found.events, 'model.requested')).toHaveLength(times)
    })
  }
  test('S2-25: a failure that passes is retried as everywhere, and both requests are in the journal', async () => {
    const found = await predicting((n) => (n === 0 ? { status: 503, text: 'busy' } : answer([intent('a')])))
    expect(found.decision).toMatchObject({ route: 'CloudLlm', error: null, authorized: [{ intent_id: 'a' }] })
    expect(of(found.events, 'model.requested').map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(of(found.events, 'model.failed')).toMatchObject([{ status: 503, attempt: 1 }])
    expect(of(found.events, 'model.replied')).toMatchObject([{ purpose: 'decide' }])
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })
  test('S2-21: secrets of the window are masked before a model is sent them, and masked names still work', async () => {
    const secrets = ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '482913', 'hunter2-hunter2', 'f3a9c1d27be04458a1c9']
    const paths = [`/srv/${secrets[0]}/a`, '/srv/plain.txt', `/x?session=${secrets[2]}`, `/cache/${secrets[3]}.bin`]
    const notifications = [`Your login code is ${secrets[1]}`, `验证码：${secrets[1]}，5分钟内有效`]
    const masked = '/srv/[REDACTED:github-token]/a'
    const found = await predicting(
      () => answer([intent('a', { suggested_actions: [action({ action_type: 'PrefetchFile', target: masked })] })]),
      { seen: { paths, notifications } },
    )
    const sent = JSON.stringify(found.requests[0]?.body)
    for (const secret of secrets) expect(sent).not.toContain(secret)
    expect(sent).toContain('/srv/plain.txt')
    expect(sent).toContain(masked)
    expect(found.decision?.authorized).toMatchObject([{ action: { target: paths[0] } }])
  })
  test('S2-21: the operator chooses the fields a model is sent', async () => {
    const given = { seen: { notifications: ['n1'], scenes: ['home'] }, decision: { cloudFields: ['scenes'] } }
    const found = await predicting(() => answer([intent('a')]), given)
    const messages = JSON.stringify(found.requests[0]?.body.messages)
    expect(messages).toContain('home')
    for (const kept of ['com.x', '/a', 'n1']) expect(messages).not.toContain(kept)
    expect(of(found.events, 'model.requested')).toMatchObject([{ fields: ['scenes'] }])
    const none = await predicting(() => answer([intent('a')]), { decision: { cloudFields: [] } })
    expect(none.requests).toEqual([])
    expect(none.decision?.route).toBe('RuleBased')
  })
})

describe('a script in place of the model', () => {
  test('S2-18, S2-25: answers as the Mock route, and --record keeps what would have been sent', async () => {
    place.file('c.json', context({ notifications: ['pin 4711'] }))
    const args = { intents: [intent('said', { risk_level: 'Medium' })] }
    place.script('s.json', [{ purpose: 'decide', calls: [{ tool: 'propose_intents', args }] }])
    const flags = ['--script', 's.json', '--record', 'r.jsonl', '--json']
    for (const route of [[], ['--route', 'Mock'], ['--route', 'CloudLlm']]) {
      const ended = await place.writ(['decide', '--context', 'c.json', ...flags, ...route])
      expect(ended.json()).toMatchObject([
        { route: 'Mock', model: 'scripted', denied: [{ intent_id: 'said', reason: 'RiskExceedsConfig' }] },
      ])
    }
    const [recorded] = place
      .read('r.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(recorded).toMatchObject({ purpose: 'decide', tools: [{ name: 'propose_intents' }] })
    expect(JSON.stringify(recorded)).not.toContain('4711')
    const mock = await place.writ(['decide', '--context', 'c.json', '--route', 'Mock'])
    expect(mock.code).toBe(2)
    expect(mock.stderr).toContain('--script')
  })
})

describe('what a person reads', () => {
  test('S2-8, S2-13, S2-22, S2-23: window, model, route, tags, latency, run and every verdict, in both languages', async () => {
    place.file('b.json', batch([intent('good'), intent('risky', { risk_level: 'High' })]))
    place.file('c.json', context())
    const files = ['decide', '--batch', 'b.json', '--context', 'c.json', '--route', 'CloudLlm']
    const { stdout } = await place.writ(files)
    for (const words of [
      /Run +run_/,
      /Window +w1/,
      /Route +CloudLlm/,
      /Model +test/,
      /Authorized: 1\n +good +KeepAlive/,
    ]) {
      expect(stdout).toMatch(words)
    }
    expect(stdout).toContain('RiskExceedsCapability')
    expect(stdout).not.toContain('{')
    expect((await place.writ([...files, '--lang', 'zh'])).stdout).toContain('已授权：1')
    place.file('other.json', context({ packages: ['never.seen'], paths: [] }))
    const predicted = await place.writ(['decide', '--context', 'other.json'])
    expect(predicted.stdout).toMatch(/Tags +fell_through:LocalEvaluator/)
    expect(predicted.stdout).toMatch(/Latency +\d+\.\d ms/)
  })
  test('S2-64, S2-65, S2-66: the table of routes is listed', async () => {
    const { stdout } = await place.writ(['decide', '--routes'])
    expect(stdout).toMatch(/RuleBased +Low +NoOp, ReleaseMemory, KeepAlive/)
    const [table] = (await place.writ(['decide', '--routes', '--json'])).json() as unknown as [{ routes: object[] }]
    expect(table.routes).toHaveLength(5)
  })
})

describe('rules of one’s own', () => {
  const rule = { name: 'free', when: { scenes: ['locked'] }, confidence: 0.9 }
  test('S2-14, S2-68: are settings', async () => {
    const actions = [{ type: 'ReleaseMemory', on: 'oldest' }]
    place.file('own.json', { agent: { decision: { rules: [{ ...rule, actions }] } } })
    place.file('c.json', context({ packages: ['old', 'new'], scenes: ['locked'] }))
    const asked = ['decide', '--context', 'c.json', '--config', 'own.json', '--json']
    expect((await place.writ(asked)).json()).toMatchObject([
      { route: 'RuleBased', authorized: [{ intent_id: 'free', action: { target: 'old' } }] },
    ])
  })
  test('config check refuses what a rule may not say', async () => {
    const check = async (rules: object[]) => {
      place.file('own.json', { agent: { decision: { rules } } })
      return place.writ(['config', 'check', 'own.json'])
    }
    const keep = { type: 'KeepAlive', on: 'latest' }
    for (const [rules, words] of [
      [[{ ...rule, actions: [{ ...keep, type: 'PreWarmProcess' }] }], 'rules.0.actions.0.type'],
      [[{ ...rule, intent: 'Idle', actions: [keep] }], 'only the action NoOp'],
      [
        [
          { ...rule, actions: [] },
          { ...rule, actions: [] },
        ],
        'different names',
      ],
      [[{ ...rule, confidence: 2, actions: [] }], 'rules.0.confidence'],
      [[{ ...rule, action: [] }], 'rules.0.action'],
    ] as const) {
      const ended = await check([...rules])
      expect(ended.code).not.toBe(0)
      expect(ended.stdout + ended.stderr).toContain(words)
    }
    expect((await check([{ ...rule, actions: [keep] }])).code).toBe(0)
  })
})

test('S2-31: an intent without suggested actions is accepted, and nothing is decided about it', async () => {
  const { code, decision } = await decide({ intents: [intent('quiet', { suggested_actions: [] }), intent('loud')] })
  expect(code).toBe(0)
  expect(decision?.authorized.map(({ intent_id }) => intent_id)).toEqual(['loud'])
  expect(decision?.denied).toEqual([])
})

describe('the policy binds actions too', () => {
  test('S2-39: an Idle intent does nothing, whatever it suggests', async () => {
    const suggested_actions = [action(), action({ action_type: 'NoOp' })]
    const { decision } = await decide({
      intents: [intent('idle', { intent_type: 'Idle', suggested_actions })],
      flags: ['--execute'],
    })
    expect(decision?.denied).toMatchObject([{ intent_id: 'idle', reason: 'INTENT_IDLE' }])
    expect(decision?.authorized.map(({ action: done }) => done.action_type)).toEqual(['NoOp'])
  })
  test('S2-41, S2-100: under ReadOnly no action is carried out', async () => {
    const kinds = ['KeepAlive', 'ReleaseMemory', 'PreWarmProcess', 'PrefetchFile', 'NoOp'] as const
    const suggested_actions = kinds.map((action_type) => action({ action_type }))
    const flags = ['--execute', '--autonomy', 'ReadOnly']
    const { decision } = await decide({ intents: [intent('a', { suggested_actions })], flags })
    expect(decision?.denied.map(({ reason }) => reason)).toEqual(Array(4).fill('AUTONOMY_FORBIDS'))
    expect(decision?.authorized.map(({ action: done }) => done.action_type)).toEqual(['NoOp'])
  })
  test('S2-100: a blocked path is denied, by its name and through a link, and so are Writ’s own records', async () => {
    place.file('.env', 'SECRET=1')
    place.file('sub/plain.txt', 'x')
    symlinkSync(join(place.workspace, '.env'), join(place.workspace, 'link'))
    const paths = ['.env', join(place.workspace, '.env'), 'link', '.writ/journal.db', 'sub/plain.txt']
    place.file('c.json', context({ paths }))
    const suggested_actions = paths.map((target) => action({ action_type: 'PrefetchFile', target }))
    place.file('b.json', batch([intent('a', { suggested_actions })]))
    const files = ['--batch', 'b.json', '--context', 'c.json', '--route', 'CloudLlm']
    const [report] = (await place.writ(['decide', ...files, '--execute', '--json'])).json() as unknown as [
      Printed & { executed: { action: SuggestedAction; ok: boolean }[] },
    ]
    expect(report.denied.map(({ action: done, reason }) => [done.target, reason])).toEqual(
      paths.slice(0, 4).map((path) => [path, 'PRE_VALIDATE_REJECTED']),
    )
    expect(report.executed).toMatchObject([{ action: { target: 'sub/plain.txt' }, ok: true }])
  })
  test('S2-27: an intent without an id is refused', async () => {
    for (const id of ['', '  ']) {
      const { code, stderr } = await decide({ intents: [intent(id)] })
      expect(code).toBe(2)
      expect(stderr).toContain('intents[0].intent_id: is empty')
    }
  })
})

test('S2-61, S2-100: a decision that was killed is interrupted, and does not count as busy', async () => {
  const child = spawn('sleep', ['600'])
  place.file('c.json', context({ packages: ['sleep'] }))
  place.file('b.json', batch([intent('a', { suggested_actions: [action({ target: 'sleep' })] })]))
  const files = ['decide', '--batch', 'b.json', '--context', 'c.json', '--route', 'CloudLlm', '--execute', '--json']
  try {
    const running = place.start(files)
    await running.said('Active until the window ends')
    const listed = async () => (await place.writ(['trace', '--json'])).json() as unknown as { stopReason?: string }[]
    expect(await listed()).toMatchObject([{ stopped: false }])
    running.child.kill('SIGKILL')
    await running.ended
    expect(await listed()).toMatchObject([{ stopReason: 'interrupted' }])
    place.file(
      'b.json',
      batch([intent('n', { suggested_actions: [action({ action_type: 'NoOp', urgency: 'IdleTime' })] })]),
    )
    expect((await place.writ(files)).json()).toMatchObject([{ executed: [{ ok: true }] }])
    expect(await listed()).toMatchObject([{ stopReason: 'final' }, { stopped: true, stopReason: 'interrupted' }])
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})

test('S2-56, S2-100: with --execute what was authorised is done, and the audit shows how it ended', async () => {
  const file = place.file('hot.txt', 'x'.repeat(10_000))
  place.file(
    'b.json',
    batch([intent('a', { suggested_actions: [action({ action_type: 'PrefetchFile', target: file }), action()] })]),
  )
  place.file('c.json', context({ paths: [file] }))
  const files = ['--batch', 'b.json', '--context', 'c.json', '--route', 'Mock']
  const ended = await place.writ(['decide', ...files, '--execute', '--json'])
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('✓ PrefetchFile')
  expect(ended.stderr).toContain('read 10000 bytes in 1 file')
  expect(ended.stderr).toContain('✗ KeepAlive')
  expect(ended.stderr).toContain('(ACTION_TARGET_MISSING)')
  expect(ended.json()[0]?.executed).toEqual([
    { intent_id: 'a', action: expect.objectContaining({ target: file }), ok: true, text: expect.any(String) },
    { intent_id: 'a', action: action(), ok: false, code: 'ACTION_TARGET_MISSING', message: expect.any(String) },
  ])
  const audit = await place.writ(['audit', 'verify'])
  expect(audit.code).toBe(0)
})

test.each([
  ['en', 'No tool was called', ['Authorized: 2', 'Denied: 1', 'Executed: 2']],
  ['zh', '没有调用任何工具', ['已授权', '已拒绝', '已执行']],
] as const)('S2-100: the trace of a decision shows its verdicts and what was done (%s)', async (lang, none, titles) => {
  const file = place.file('hot.txt', 'x')
  const prefetch = (target: string) => action({ action_type: 'PrefetchFile', target })
  place.file('b.json', batch([intent('a', { suggested_actions: [prefetch(file), action(), prefetch('/elsewhere')] })]))
  place.file('c.json', context({ paths: [file] }))
  const files = ['--batch', 'b.json', '--context', 'c.json', '--route', 'Mock']
  await place.writ(['decide', ...files, '--execute', '--json'])
  const { stdout } = await place.writ(['trace', '--last', '--lang', lang])
  expect(stdout).not.toContain(none)
  for (const title of titles) expect(stdout).toContain(title)
  expect(stdout).toContain('TargetNotInContext')
  expect(stdout).toContain('ACTION_TARGET_MISSING')
  const [told] = (await place.writ(['trace', '--last', '--json'])).json()
  expect(told).toMatchObject({
    actions: {
      authorized: [{ action: { target: file } }, { action: action() }],
      denied: [{ action: { target: '/elsewhere' }, all: ['TargetNotInContext'] }],
      executed: [{ ok: true }, { ok: false, code: 'ACTION_TARGET_MISSING' }],
    },
  })
})

test('S2-85: a replay of the journal counts the denials under the same name', async () => {
  const { decision } = await decide({ intents: oneOfEach(), decision: NARROW })
  const [summary] = (await place.writ(['replay', '--all', '--json'])).json()
  expect(summary?.denial_counts).toEqual(decision?.denial_counts)
})
