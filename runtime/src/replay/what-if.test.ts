import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collect, engineWith, saying, spyTools } from '../../test/support/engine.ts'
import { makeEvent } from '../../test/support/events.ts'
import { policyWith } from '../../test/support/gate-input.ts'
import { PROFILES } from '../agent/profile.ts'
import type { RoutineFiring } from '../agent/routine.ts'
import { startTurn } from '../agent/turn.ts'
import type { EventData, StoredEvent } from '../protocol/event.ts'
import { AUTONOMY_LEVELS, type Policy } from '../protocol/policy.ts'
import type { Profile } from '../protocol/profile.ts'
import type { Answer } from '../protocol/verdict.ts'
import { defineTool } from '../tool/tool.ts'
import { ComparisonBuilder } from './comparison.ts'
import { differs, type Redecision, redecide, spelled } from './what-if.ts'

const plain = (name: string, own: object = {}) =>
  defineTool({
    name,
    description: name,
    schema: { type: 'object' },
    risk: 'Low',
    readOnly: true,
    execute: () => 'done',
    ...own,
  })
const host = (args: Record<string, unknown>) => ({
  risk: 'Medium' as const,
  readOnly: args.method === undefined,
  hosts: [
    { url: 'https://a.example/', host: 'a.example', port: 443, scheme: 'https', method: String(args.method ?? 'GET') },
  ],
})

interface Played {
  answers?: Answer[]
  policy?: Policy
  profile?: Profile
  task?: string
  routine?: RoutineFiring
}

async function played(calls: (string | [string, object])[], given: Played = {}): Promise<StoredEvent[]> {
  const { answers, policy = policyWith(), profile = PROFILES.chat, task = 't', routine } = given
  const lines = calls.map((call) => {
    const [tool, args] = typeof call === 'string' ? [call, { n: 1 }] : call
    return { calls: [{ id: 'same', tool, args }] }
  })
  const tools = [
    ...spyTools([]),
    plain('list', { family: 'filesystem' }),
    plain('page', { family: 'browser' }),
    plain('http_request', { preValidate: host }),
    plain('read_doc', { family: 'network' }),
    plain('report_findings'),
  ]
  const engine = await engineWith({ tools, model: saying(lines), policy })
  const left = [...(answers ?? [])]
  const confirm = answers === undefined ? undefined : async () => left.shift() ?? ('n' as const)
  const { signal } = new AbortController()
  const input = { task, sessionId: undefined, profile, signal, confirm, stream: false }
  const { result } = await collect(startTurn(engine, routine === undefined ? input : { ...input, routine }))
  return engine.store.readRun(result.runId)
}

function under(events: readonly StoredEvent[], policy: Policy, disabledTools: string[] = []) {
  return [...redecide(events, { policy, disabledTools }, { history: [] })]
}
const after = (events: readonly StoredEvent[], policy: Policy, disabledTools: string[] = []) =>
  under(events, policy, disabledTools).map((each) => spelled(each.after))

const guarded = (softBlockAfter: number) => {
  const policy = policyWith({
    intent: {
      enabled: true,
      allowedFamilies: ['browser'],
      softAllowedFamilies: ['filesystem'],
      softBlockAfter,
      failTaskIfUnmet: false,
    },
  })
  return { ...policy, intentGuard: { ...policy.intentGuard, blockBudget: 9 } }
}
const unguarded = policyWith({ intent: { enabled: false } })
const browsing = { task: 'open https://a.example in the browser', policy: unguarded }

/** Decided otherwise, or for another reason. */
const reasonedOtherwise = ({ before, after: would }: Redecision) => spelled(before) !== spelled(would)

describe('another policy', () => {
  test('that denies the same call for another reason makes no difference', async () => {
    const events = await played(['change'], { policy: policyWith({ security: { autonomy: 'ReadOnly' } }) })
    const [only, ...none] = redecide(
      events,
      { policy: policyWith({ security: { autonomy: 'ReadOnly' } }), disabledTools: ['change'] },
      { history: [] },
    )
    expect([none.length, only?.before.decision, only?.after.decision]).toEqual([0, 'deny', 'deny'])
    expect(only && reasonedOtherwise(only)).toBe(true)
    expect(only && differs(only)).toBe(false)
  })

  test('is applied to every recorded proposal, and the facts stay', async () => {
    const events = await played(['look', 'change', 'ghost'], { answers: ['y'] })
    const redecided = under(events, policyWith({ security: { autonomy: 'ReadOnly' } }))
    expect(redecided.map(({ tool, before, after: would }) => [tool, spelled(before), spelled(would)])).toEqual([
      ['look', 'allow', 'allow'],
      ['change', 'ask RiskExceedsConfig', 'deny AUTONOMY_FORBIDS'],
      ['ghost', 'deny UNKNOWN_TOOL', 'deny UNKNOWN_TOOL'],
    ])
    expect(redecided.filter(differs)).toHaveLength(1)
  })

  test('that is the same decides the same, whatever was proposed and answered', async () => {
    const tools = ['look', 'change', 'danger', 'fails', 'throws', 'blind', 'ghost', 'list', 'page', 'http_request']
    const plan = fc.record({
      calls: fc.array(fc.constantFrom(...tools), { maxLength: 8 }),
      answers: fc.option(fc.array(fc.constantFrom('y' as const, 'n' as const, 'a' as const)), { nil: undefined }),
      autonomy: fc.constantFrom(...AUTONOMY_LEVELS),
      soft: fc.nat(3),
      mode: fc.constantFrom('chat' as const, 'routine' as const),
    })
    await fc.assert(
      fc.asyncProperty(plan, async ({ calls, answers, autonomy, soft, mode }) => {
        const base = guarded(soft)
        const policy = { ...base, security: { ...base.security, autonomy } }
        const events = await played(calls, {
          task: browsing.task,
          policy,
          profile: PROFILES[mode],
          ...(answers === undefined ? {} : { answers }),
        })
        expect(under(events, policy).filter(reasonedOtherwise)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('S0-86: soft calls are counted as it would have allowed them', async () => {
    const events = await played(['list', 'page', 'list', 'list'], browsing)
    const blocked = 'deny tool_policy_blocked'
    expect(after(events, guarded(1))).toEqual(['allow', 'allow', blocked, blocked])
    expect(after(events, guarded(2))).toEqual(['allow', 'allow', 'allow', blocked])
    expect(after(events, guarded(9))).toEqual(['allow', 'allow', 'allow', 'allow'])
  })

  test('that counts no soft calls ignores those the recorded one counted', async () => {
    const events = await played(['list', 'list', 'list'], { ...browsing, policy: guarded(1) })
    expect(under(events, unguarded).map(({ before }) => spelled(before))).toEqual([
      'allow',
      'deny tool_policy_blocked',
      'deny tool_policy_blocked',
    ])
    expect(after(events, unguarded)).toEqual(['allow', 'allow', 'allow'])
  })

  test('S4: a call it denies was not made, so calls that need it come too early', async () => {
    const profile: Profile = {
      ...PROFILES.scout,
      exposure: { only: ['read_doc', 'report_findings'], hidden: [] },
      limits: { maxSteps: 9 },
    }
    const events = await played(['read_doc', 'report_findings'], { profile })
    const rules = guarded(0)
    rules.intentGuard.intents.general = { ...rules.intentGuard.intents.browser_access, allowedFamilies: ['task'] }
    expect(after(events, rules)[1]).toBe('deny TOOL_ORDER_VIOLATION')
    expect(after(events, policyWith())).toEqual(['allow', 'allow'])
  })

  test('keeps a person’s rejection, and their standing approval', async () => {
    const limit = { ...PROFILES.chat, limits: { maxSteps: 9, maxToolCalls: 2 }, atToolLimit: 'stop' as const }
    const events = await played(['change', 'change', 'change', 'look'], { answers: ['n', 'a'], profile: limit })
    const redecided = under(events, policyWith({ security: { allowedCommands: ['other'] } }))
    expect(redecided.map((each) => spelled(each.after))).toEqual([
      'ask RiskExceedsConfig',
      'ask RiskExceedsConfig',
      'allow',
      'deny MAX_TOOL_CALLS',
    ])
    expect(redecided.filter(reasonedOtherwise)).toEqual([])
  })

  test('counts calls it would have allowed without approval', async () => {
    const limit = { ...PROFILES.chat, limits: { maxSteps: 9, maxToolCalls: 1 }, atToolLimit: 'stop' as const }
    const events = await played(['change', 'look'], { answers: ['n'], profile: limit })
    expect(after(events, policyWith({ security: { autonomy: 'Full' } }))).toEqual(['allow', 'deny MAX_TOOL_CALLS'])
  })

  test('can hide a tool, but cannot expose a hidden one', async () => {
    const events = await played(['look', 'report_findings'])
    expect(after(events, policyWith(), ['look'])).toEqual(['deny TOOL_NOT_ALLOWED', 'deny TOOL_NOT_ALLOWED'])
    expect(after(events, policyWith())).toEqual(['allow', 'deny TOOL_NOT_ALLOWED'])
  })

  test('S1-108: that allows a host makes reading from it low risk, but not writing to it', async () => {
    const events = await played([
      ['http_request', {}],
      ['http_request', { method: 'POST' }],
    ])
    const named = policyWith({ security: { allowedHosts: ['a.example'] } })
    expect(after(events, policyWith())).toEqual(['ask RiskExceedsConfig', 'ask RiskExceedsConfig'])
    expect(after(events, named)).toEqual(['allow', 'ask RiskExceedsConfig'])
  })

  test('does not loosen the restrictions of a routine', async () => {
    const routine = { name: 'r', dueAt: 0, autonomy: 'ReadOnly' as const }
    const events = await played(['change'], { profile: PROFILES.routine, routine })
    expect(after(events, policyWith({ security: { autonomy: 'Full' } }))).toEqual(['deny AUTONOMY_FORBIDS'])
  })

  test('does not loosen the restrictions of a workflow node', async () => {
    const narrowed = { allowedDomains: ['b.example'] }
    const events = (await played([['http_request', {}]])).map((event) =>
      event.type === 'run.started' ? { ...event, data: { ...event.data, policy: narrowed } } : event,
    )
    const open = policyWith({ security: { allowedHosts: ['a.example'] } })
    expect(after(events, open)).toEqual(['deny PRE_VALIDATE_REJECTED/DOMAIN_NOT_ALLOWED'])
  })

  test('does not decide whether a run was over', async () => {
    const [decided, ...none] = (await played(['look'])).filter((event) => event.type === 'gate.decided')
    expect(none).toEqual([])
    if (decided === undefined) throw new Error('nothing was decided')
    const over = { ...decided, data: { ...decided.data, decision: 'deny', reason: 'RUN_OVER', all: ['RUN_OVER'] } }
    const events = (await played(['look'])).map((event) => (event.type === 'gate.decided' ? over : event))
    expect(after(events as StoredEvent[], policyWith({ security: { autonomy: 'Full' } }))).toEqual(['deny RUN_OVER'])
  })

  test('a call judged in time and recorded a moment later is not late', async () => {
    const profile = { ...PROFILES.chat, limits: { maxSteps: 9, runMs: 60_000 } }
    const late = (await played(['look'], { profile })).map((event) =>
      event.type === 'gate.decided' ? { ...event, timestamp: event.timestamp + 60_000 } : event,
    )
    expect(after(late, policyWith())).toEqual(['allow'])
  })
})

describe('actions of a decision', () => {
  const context = {
    window_id: 'w',
    packages: [],
    paths: ['/a', '/b'],
    notifications: [],
    extension_categories: [],
    scenes: [],
  }
  const action = (target: string) => ({ action_type: 'PrefetchFile', target, urgency: 'Immediate' }) as const
  const intent = {
    intent_id: 'i',
    intent_type: { OpenApp: 'x' },
    confidence: 0.5,
    risk_level: 'Low',
    suggested_actions: [action('/a'), action('/x'), action('/b')],
    rationale_tags: [],
  } as const
  const denial = { reason: 'TargetNotInContext', all: [], stage: 'scope', effect: 'skip', message: '' } as const

  function recorded(input: boolean): StoredEvent[] {
    const batch = { window_id: 'w', intents: [intent], generated_at_ms: 0, model: 'm' }
    const extra = { ordinals: [0], context, rationale_tags: [], latency_us: 0, error: null }
    const about = {
      windowId: 'w',
      intents: 1,
      route: 'CloudLlm',
      reordered: false,
      ...(input && { input: { batch, ...extra } }),
    }
    const started = {
      task: 'w',
      profile: PROFILES.decision,
      model: 'm',
      lang: 'en' as const,
      route: 'CloudLlm' as const,
      tools: [],
      history: 0,
      approvals: [],
    }
    const allowed = (target: string) => ({ intent_id: 'i', action: action(target), authorized_at_ms: 0 })
    const refused = { intent_id: 'i', action_index: 1, action: action('/x'), risk: 'Low' as const }
    return [
      makeEvent({ runId: 'r', seq: 1 }, 'run.started', started),
      makeEvent({ runId: 'r', seq: 2 }, 'batch.received', about as EventData['batch.received']),
      makeEvent({ runId: 'r', seq: 3 }, 'action.authorized', allowed('/a')),
      makeEvent({ runId: 'r', seq: 4 }, 'action.denied', { ...refused, denial: { ...denial, all: [denial.reason] } }),
      makeEvent({ runId: 'r', seq: 5 }, 'action.authorized', allowed('/b')),
    ]
  }
  const decision = policyWith().decision

  test('S2-95: are judged again in order, each after what the earlier ones used up', () => {
    const events = recorded(true)
    expect(under(events, policyWith()).filter(reasonedOtherwise)).toEqual([])
    expect(after(events, policyWith({ decision: { ...decision, maxActionsPerBatch: 1 } }))).toEqual([
      'allow',
      'deny BatchActionCapExceeded',
      'deny BatchActionCapExceeded',
    ])
    expect(after(events, policyWith({ decision: { ...decision, minConfidence: 0.9 } }))).toEqual(
      Array(3).fill('deny ConfidenceTooLow'),
    )
  })

  test('stay as recorded where their batch was not recorded', () => {
    expect(under(recorded(false), policyWith({ decision: { ...decision, minConfidence: 0.9 } }))).toEqual([])
  })
})

describe('a comparison', () => {
  test('S2-86: counts before and after by reason, and groups what differs by kind', async () => {
    const comparing = new ComparisonBuilder()
    const readOnly = policyWith({ security: { autonomy: 'ReadOnly' } })
    const runs = [await played(['change', 'change'], { answers: ['y', 'y'] }), await played(['ghost', 'change'])]
    for (const [i, events] of runs.entries()) {
      comparing.addRun(
        under(
          events.map((event) => ({ ...event, runId: `run ${i}` })),
          readOnly,
        ),
      )
    }
    expect(comparing.result()).toMatchObject({
      runs: 2,
      proposals: 4,
      changed: 3,
      first: { runId: 'run 0', tool: 'change', after: { decision: 'deny', reason: 'AUTONOMY_FORBIDS' } },
      before: { verdicts: { allow: 0, ask: 3, deny: 1 }, asked: { RiskExceedsConfig: 3 }, denied: { UNKNOWN_TOOL: 1 } },
      after: { verdicts: { allow: 0, ask: 0, deny: 4 }, asked: {}, denied: { AUTONOMY_FORBIDS: 3, UNKNOWN_TOOL: 1 } },
      kinds: [{ tool: 'change', count: 3, runs: 2, example: { runId: 'run 0' } }],
    })
  })
})
