import { describe, expect, test } from 'vitest'
import { actionInput, policyWith, type ToolCase, toolInput } from '../../test/support/gate-input.ts'
import { PROFILES } from '../agent/profile.ts'
import { DENIAL_REASONS, type DenialReason } from '../protocol/verdict.ts'
import { decide, judge } from './gate.ts'
import { Writ } from './writ.ts'

const browserTask = { taskIntent: { label: 'browser_access', confidence: 1, source: 'heuristic', reason: '' } } as const
const shellFacts = { family: 'shell', risk: 'Medium', readOnly: false } as const

function denialOf(given: ToolCase) {
  const judgement = judge(toolInput(given))
  if (judgement.decision === 'allow') throw new Error('the gate allowed it')
  return { decision: judgement.decision, ...judgement.denial }
}

describe('a proposal passes only when no stage objects', () => {
  test('a plain read is allowed', () => {
    expect(judge(toolInput()).decision).toBe('allow')
  })

  const refusals: [string, ToolCase, DenialReason, string, string][] = [
    ['in a cancelled run', { aborted: true }, 'RUN_OVER', 'live', 'stop'],
    ['after the deadline', { profile: PROFILES.workflow, now: 999_999 }, 'RUN_OVER', 'live', 'stop'],
    [
      'with the hard token budget spent',
      { profile: PROFILES.scout, state: { usage: { inputTokens: 8000, outputTokens: 0 } } },
      'RUN_OVER',
      'live',
      'stop',
    ],
    ['of a tool that does not exist', { facts: { registered: false } }, 'UNKNOWN_TOOL', 'known', 'recover'],
    ['of a tool the run may not see', { facts: { exposed: false } }, 'TOOL_NOT_ALLOWED', 'known', 'recover'],
    [
      'of a tool not on a workflow list',
      { facts: { exposed: false }, profile: PROFILES.workflow },
      'TOOL_NOT_ALLOWED',
      'known',
      'repair_once',
    ],
    [
      'that changes something under ReadOnly',
      { facts: { readOnly: false }, policy: policyWith({ security: { autonomy: 'ReadOnly' } }) },
      'AUTONOMY_FORBIDS',
      'authority',
      'recover',
    ],
    ['made with too little confidence', { proposal: { confidence: 0.1 } }, 'ConfidenceTooLow', 'authority', 'recover'],
    [
      'made with a confidence that is no number',
      { proposal: { confidence: Number.NaN } },
      'ConfidenceTooLow',
      'authority',
      'recover',
    ],
    [
      'beyond a workflow’s calls',
      { profile: PROFILES.workflow, state: { toolCalls: 10 } },
      'MAX_TOOL_CALLS',
      'quota',
      'stop',
    ],
    [
      'beyond a scout’s calls',
      { profile: PROFILES.scout, state: { toolCalls: 3 } },
      'TOOL_CALL_LIMIT_REACHED',
      'quota',
      'recover',
    ],
    [
      'faster than the rate limit',
      {
        policy: policyWith({ rateLimit: { perSecond: 5, burst: 2 } }),
        state: { minted: { file_read: [1_990, 1_995] } },
      },
      'RATE_LIMITED',
      'quota',
      'recover',
    ],
    [
      'that reports before reading',
      { profile: PROFILES.scout, tool: 'report_findings' },
      'TOOL_ORDER_VIOLATION',
      'order',
      'recover',
    ],
    [
      'of a family the task’s intent does not allow',
      { state: browserTask, facts: shellFacts },
      'tool_policy_blocked',
      'scope',
      'stop',
    ],
    [
      'that dispatches scouts while they are switched off',
      { tool: 'explore', policy: policyWith({ scout: { ...policyWith().scout, enabled: false } }) },
      'SCOUT_DISABLED',
      'scope',
      'recover',
    ],
    ['with arguments that do not fit', { facts: { form: ['path is required'] } }, 'ARGS_INVALID', 'form', 'recover'],
    [
      'whose reach could not be checked',
      { facts: { unchecked: 'parser failed' } },
      'PRE_VALIDATE_REJECTED',
      'content',
      'recover',
    ],
  ]
  test.each(refusals)('a call %s is denied', (_name, given, reason, stage, effect) => {
    expect(denialOf(given)).toMatchObject({ decision: 'deny', reason, stage, effect })
  })

  const path = { path: 'x', real: '/w/x', access: 'read', insideWorkspace: true, isProtected: false } as const
  const host = { url: '', host: 'example.com', port: 443, scheme: 'https', method: 'GET' } as const
  const contents: [string, ToolCase, string][] = [
    [
      'a path outside the workspace',
      { facts: { paths: [{ ...path, insideWorkspace: false }] } },
      'PATH_OUTSIDE_WORKSPACE',
    ],
    [
      'a write to the policy itself',
      { facts: { paths: [{ ...path, access: 'write', isProtected: true }] } },
      'CONFIG_LOCKED',
    ],
    ['a read of Writ’s own records', { facts: { paths: [{ ...path, isClosed: true }] } }, 'PATH_BLOCKED'],
    ['a blocked name anywhere', { facts: { paths: [{ ...path, real: '/w/a/.env' }] } }, 'PATH_BLOCKED'],
    ['anything below a blocked folder', { facts: { paths: [{ ...path, path: 'secrets/private/k' }] } }, 'PATH_BLOCKED'],
    ['loopback', { facts: { hosts: [{ ...host, host: '127.0.0.1', address: 'loopback' }] } }, 'HOST_FORBIDDEN'],
    ['a scheme other than http', { facts: { hosts: [{ ...host, scheme: 'file' }] } }, 'HOST_FORBIDDEN'],
    [
      'a metadata address, even when it was opened',
      {
        facts: { hosts: [{ ...host, host: '169.254.169.254', port: 80, address: 'metadata' }] },
        policy: policyWith({ security: { allowedHosts: ['169.254.169.254:80'] } }),
      },
      'HOST_FORBIDDEN',
    ],
    [
      'a domain off the node’s list',
      { facts: { hosts: [host] }, policy: policyWith({ security: { allowedDomains: ['*.example.org'] } }) },
      'DOMAIN_NOT_ALLOWED',
    ],
    [
      'a listed domain on another port',
      {
        facts: { hosts: [{ ...host, port: 8443 }] },
        policy: policyWith({ security: { allowedDomains: ['example.com'] } }),
      },
      'DOMAIN_NOT_ALLOWED',
    ],
    [
      'a method off the node’s list',
      {
        facts: { hosts: [{ ...host, method: 'POST' }] },
        policy: policyWith({ security: { allowedMethods: ['GET'] } }),
      },
      'METHOD_NOT_ALLOWED',
    ],
    ['a change of the configuration', { facts: { configKeys: ['agent.security.autonomy'] } }, 'CONFIG_LOCKED'],
  ]
  test.each(contents)('%s is denied without a question', (_name, given, code) => {
    const denial = denialOf({ ...given, facts: { ...given.facts, risk: 'Medium', readOnly: false } })
    expect(denial).toMatchObject({ decision: 'deny', reason: 'PRE_VALIDATE_REJECTED', code, stage: 'content' })
    expect(denial.all).toContain('RiskExceedsConfig')
  })

  test('loopback opens only to the host and port that were named', () => {
    const policy = policyWith({ security: { allowedHosts: ['127.0.0.1:8080'] } })
    const at = (port: number) =>
      toolInput({ policy, facts: { hosts: [{ ...host, host: '127.0.0.1', port, address: 'loopback' }] } })
    expect(judge(at(8080)).decision).toBe('allow')
    expect(judge(at(8081)).decision).toBe('deny')
  })

  test.each([
    ['LocalHost:3000', 'localhost'],
    ['[::1]:3000', '::1'],
  ])('%s names a host as well as the plain spelling does', (entry, name) => {
    const policy = policyWith({ security: { allowedHosts: [entry] } })
    const facts = { hosts: [{ ...host, host: name, port: 3000, address: 'loopback' as const }] }
    expect(judge(toolInput({ policy, facts })).decision).toBe('allow')
  })
})

describe('verdicts combine', () => {
  test('every reason is listed, the earliest stage names the denial, the strongest effect counts', () => {
    const denial = denialOf({
      profile: PROFILES.scout,
      tool: 'shell',
      state: { toolCalls: 3, ...browserTask },
      facts: { ...shellFacts, risk: 'High', form: ['command is required'], unchecked: 'x' },
    })
    expect(denial.all).toEqual([
      'RiskExceedsCapability',
      'RiskExceedsConfig',
      'TOOL_CALL_LIMIT_REACHED',
      'tool_policy_blocked',
      'ARGS_INVALID',
      'PRE_VALIDATE_REJECTED',
    ])
    expect(denial).toMatchObject({ reason: 'RiskExceedsCapability', stage: 'authority', effect: 'stop' })
  })

  test('one refusal outweighs any number of questions', () => {
    const given: ToolCase = { facts: { ...shellFacts, risk: 'High', form: ['x'] } }
    expect(denialOf(given)).toMatchObject({ decision: 'deny', reason: 'ARGS_INVALID' })
  })

  test('S1-61: a tool that a run may not see is not examined further', () => {
    expect(denialOf({ facts: { registered: false, form: ['x'], unchecked: 'y' } }).all).toEqual(['UNKNOWN_TOOL'])
  })

  test('S4-100: after a scout’s limit every call but the report answers with the limit', () => {
    const spent = { profile: PROFILES.scout, state: { toolCalls: 3 } }
    expect(denialOf({ ...spent, facts: { form: ['bad'] } }).reason).toBe('TOOL_CALL_LIMIT_REACHED')
    const report = { ...spent, tool: 'report_findings', state: { toolCalls: 3, succeeded: { read_doc: 1 } } }
    expect(judge(toolInput(report)).decision).toBe('allow')
  })

  test('a token bucket refills with time', () => {
    const policy = policyWith({ rateLimit: { perSecond: 5, burst: 2 } })
    const state = { minted: { file_read: [1_990, 1_995] } }
    expect(judge(toolInput({ policy, state, now: 2_000 })).decision).toBe('deny')
    expect(judge(toolInput({ policy, state, now: 2_300 })).decision).toBe('allow')
  })
})

describe('S0: the task’s intent bounds the families', () => {
  const network = { family: 'network', risk: 'Low' } as const
  test('S0-78 S0-79: a soft family passes up to the threshold, and the block shows the count', () => {
    expect(judge(toolInput({ state: { ...browserTask, softCalls: 1 }, facts: network })).decision).toBe('allow')
    const denial = denialOf({ state: { ...browserTask, softCalls: 2 }, facts: network })
    expect(denial.reason).toBe('tool_policy_blocked')
    expect(denial.message).toMatch(/browser_access.*network.*3\/2/)
  })
  test('S0-69: softBlockAfter 0 blocks the first soft call', () => {
    const policy = policyWith({ intent: { softBlockAfter: 0 } })
    expect(denialOf({ policy, state: browserTask, facts: network }).message).toContain('1/0')
  })
  test('S0-77: an allowed family passes without counting', () => {
    expect(judge(toolInput({ state: { ...browserTask, softCalls: 9 }, facts: { family: 'browser' } })).decision).toBe(
      'allow',
    )
  })
  test('S0-83: unknown tools are blocked under an enabled policy', () => {
    expect(denialOf({ state: browserTask, facts: { family: 'unknown' } }).reason).toBe('tool_policy_blocked')
  })
  test('S0-64: the guard switched off blocks nothing', () => {
    const policy = policyWith({ intentGuard: { ...policyWith().intentGuard, enabled: false } })
    expect(judge(toolInput({ policy, state: browserTask, facts: { family: 'unknown' } })).decision).toBe('allow')
  })
  test('S0-87: within the block budget the model sees the denial and may continue', () => {
    const policy = policyWith({ intentGuard: { ...policyWith().intentGuard, blockBudget: 1 } })
    const blocked = { policy, facts: { family: 'unknown' } } as const
    expect(denialOf({ ...blocked, state: { ...browserTask, blocks: 0 } }).effect).toBe('recover')
    expect(denialOf({ ...blocked, state: { ...browserTask, blocks: 1 } }).effect).toBe('stop')
  })
})

describe('a person lifts what a person may lift', () => {
  const shell: ToolCase = { tool: 'shell', facts: { ...shellFacts, command: { bases: ['make'], dangers: [] } } }

  test('S1-108: under Supervised anything above Low is a question', () => {
    expect(denialOf(shell)).toMatchObject({ decision: 'ask', reason: 'RiskExceedsConfig' })
  })
  test('S1-98: approval allows a command that is not on the list', () => {
    expect(denialOf(shell).all).toContain('PRE_VALIDATE_REJECTED')
    expect(decide(toolInput(shell), 'y').writ).toBeInstanceOf(Writ)
  })
  test('S1-104 S1-105: a no and a missing channel have different reasons, and neither yields a writ', () => {
    expect(decide(toolInput(shell), 'n').denial?.reason).toBe('USER_REJECTED')
    expect(decide(toolInput(shell)).denial?.reason).toBe('NO_CONFIRM_CHANNEL')
  })
  test('approval cannot override a denial', () => {
    const outside = {
      path: '/etc/passwd',
      real: '/etc/passwd',
      access: 'read',
      insideWorkspace: false,
      isProtected: false,
    }
    const input = toolInput({ ...shell, facts: { ...shell.facts, paths: [outside as never] } })
    expect(decide(input, 'y').denial?.code).toBe('PATH_OUTSIDE_WORKSPACE')
  })
  test('without a person to ask, the question becomes a denial with its own reason', () => {
    const denial = denialOf({ ...shell, profile: PROFILES.routine })
    expect(denial).toMatchObject({ decision: 'deny', reason: 'RiskExceedsConfig' })
  })
  test('S1-100 S1-107: a session-wide yes covers a line only when it covers each of its commands', () => {
    const line = (keys: string[]) =>
      toolInput({
        ...shell,
        facts: { ...shell.facts, command: { bases: keys, dangers: [] }, approvalKeys: keys },
        state: { approvals: ['git', 'make'] },
      })
    expect(judge(line(['git', 'make'])).decision).toBe('allow')
    expect(judge(line(['git', 'rm'])).decision).toBe('ask')
  })
  test('a session-wide yes never covers High risk or a command that was not parsed', () => {
    const approved = { state: { approvals: ['rm'] } }
    const rm = { ...shellFacts, approvalKeys: ['rm'], command: { bases: ['rm'], dangers: ['removes everything'] } }
    expect(judge(toolInput({ ...approved, facts: { ...rm, risk: 'High' } })).decision).toBe('ask')
    const odd = { ...rm, command: { bases: ['rm'], dangers: [], unparsed: 'variable command' } }
    expect(judge(toolInput({ ...approved, facts: odd })).decision).toBe('ask')
  })
  test('S1-103: a session-wide yes does not lift a content refusal', () => {
    const input = toolInput({
      ...shell,
      facts: { ...shell.facts, approvalKeys: ['make'], unchecked: 'x' },
      state: { approvals: ['make'] },
    })
    expect(judge(input).decision).toBe('deny')
  })
  test('Full runs Medium without approval and still asks about High', () => {
    const policy = policyWith({ security: { autonomy: 'Full', allowedCommands: ['*'] } })
    expect(judge(toolInput({ ...shell, policy })).decision).toBe('allow')
    expect(judge(toolInput({ ...shell, policy, facts: { ...shell.facts, risk: 'High' } })).decision).toBe('ask')
  })
  test('the rules model may not take Medium risk without approval, whatever the autonomy', () => {
    const policy = policyWith({ security: { autonomy: 'Full', allowedCommands: ['*'] } })
    expect(denialOf({ ...shell, policy, proposal: { route: 'RuleBased' } })).toMatchObject({
      decision: 'ask',
      reason: 'RiskExceedsCapability',
    })
  })
})

describe('S2: actions are judged by the same gate', () => {
  const action = { action_type: 'PrefetchFile', target: '/a', urgency: 'Immediate' } as const
  test('a good action passes', () => {
    expect(judge(actionInput()).decision).toBe('allow')
  })
  const cases: [DenialReason, ReturnType<typeof actionInput>][] = [
    ['RiskExceedsConfig', actionInput({ risk: 'Medium' })],
    [
      'RiskExceedsCapability',
      actionInput({ risk: 'Medium', route: 'RuleBased', action: { ...action, action_type: 'NoOp' } }),
    ],
    ['ConfidenceTooLow', actionInput({ confidence: 0.29 })],
    [
      'ActionTypeBlocked',
      actionInput({}, { policy: policyWith({ decision: { ...policyWith().decision, blockedActions: ['Prefetch'] } }) }),
    ],
    ['ActionUrgencyDeferred', actionInput({ action: { ...action, urgency: 'Deferred' } })],
    ['ActionCapabilityDenied', actionInput({ route: 'RuleBased' })],
    ['TargetNotInContext', actionInput({ action: { ...action, target: '/b' } })],
    ['BatchActionCapExceeded', actionInput({}, { state: { approvedActions: { int_1: 5 } } })],
  ]
  test.each(cases)('%s is a denial that does not stop the other actions', (reason, input) => {
    const judgement = judge(input)
    expect(judgement).toMatchObject({ decision: 'deny', denial: { effect: 'skip' } })
    expect(judgement.decision === 'deny' && judgement.denial.all).toContain(reason)
  })
  test('High never runs by itself, on any route or configuration', () => {
    const policy = policyWith({ decision: { ...policyWith().decision, maxAutoRisk: 'High' } })
    for (const route of ['RuleBased', 'LocalEvaluator', 'CloudLlm', 'FallbackNoOp', 'Mock'] as const) {
      expect(judge(actionInput({ risk: 'High', route }, { policy })).decision).toBe('deny')
    }
  })
  test('a target is needed to warm a process, ignored for NoOp, and never empty', () => {
    const decision = (type: 'PreWarmProcess' | 'NoOp' | 'KeepAlive', target: string | null) =>
      judge(actionInput({ action: { action_type: type, target, urgency: 'Immediate' } })).decision
    expect(decision('PreWarmProcess', null)).toBe('deny')
    expect(decision('NoOp', 'unseen')).toBe('allow')
    expect(decision('KeepAlive', null)).toBe('allow')
    expect(decision('KeepAlive', '')).toBe('deny')
  })
})

describe('a writ', () => {
  test('cannot be forged', () => {
    const real = decide(toolInput()).writ as Writ
    const forgeries: (() => unknown)[] = [
      () => new (real.constructor as new (...args: unknown[]) => Writ)(Symbol('seal'), {}, 0),
      () => Writ.spend(Object.create(Writ.prototype) as Writ),
      () => Writ.spend({ ...real } as unknown as Writ),
      () => Writ.spend(structuredClone(real) as Writ),
      () => Writ.spend(JSON.parse(JSON.stringify(real)) as Writ),
    ]
    for (const forge of forgeries) expect(forge).toThrow(expect.objectContaining({ code: 'WRIT_FORGED' }))
  })
  test('keeps its class unchanged, whatever a tool that has one tries', () => {
    const real = decide(toolInput()).writ as Writ
    expect(() => Object.assign(real.constructor, { spend: () => ({}) })).toThrow(TypeError)
    expect(() => Object.assign(Object.getPrototypeOf(real), { spend: () => ({}) })).toThrow(TypeError)
  })
  test('cannot be used twice', () => {
    const writ = decide(toolInput()).writ as Writ
    Writ.spend(writ)
    expect(() => Writ.spend(writ)).toThrow(expect.objectContaining({ code: 'WRIT_SPENT' }))
  })
  test('cannot be changed: its arguments are a frozen copy', () => {
    const args = { path: 'a', deep: { list: [1] } }
    const { writ } = decide(toolInput({ args }))
    args.path = 'b'
    args.deep.list.push(2)
    const { proposal } = Writ.spend(writ as Writ)
    expect(proposal).toMatchObject({ args: { path: 'a', deep: { list: [1] } } })
    expect(() => ((proposal as { args: { deep: { list: number[] } } }).args.deep.list[0] = 9)).toThrow(TypeError)
    expect(() => Object.assign(writ as object, { x: 1 })).toThrow(TypeError)
  })
})

test('the eight reasons of S2 come first, in their enum order', () => {
  expect(DENIAL_REASONS.slice(0, 8)).toEqual([
    'RiskExceedsConfig',
    'RiskExceedsCapability',
    'ConfidenceTooLow',
    'ActionTypeBlocked',
    'ActionUrgencyDeferred',
    'ActionCapabilityDenied',
    'TargetNotInContext',
    'BatchActionCapExceeded',
  ])
})

test('both languages say every refusal', () => {
  const zh = judge(toolInput({ state: { lang: 'zh' }, facts: { form: ['x'] } }))
  expect(zh.decision === 'deny' && zh.denial.message).toMatch(/参数/)
})

test('an address without a host is named as it was written, not as ":0"', () => {
  const facts = { hosts: [{ url: 'about:blank', host: '', port: 0, scheme: 'about', method: 'GET' }] }
  const judgement = judge(toolInput({ facts }))
  expect(judgement.decision === 'deny' && judgement.denial.message).toBe(
    '"about:blank" is not an http or https address with a host',
  )
})
