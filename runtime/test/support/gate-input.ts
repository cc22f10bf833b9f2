/** Builds what the gate looks at, from defaults that pass, so that a test states only what it is about. */
import { PROFILES } from '../../src/agent/profile.ts'
import { DEFAULT_INTENTS } from '../../src/config/intents.ts'
import type { ActionInput, ToolInput } from '../../src/gate/gate-input.ts'
import type { Facts } from '../../src/protocol/facts.ts'
import type { IntentPolicy, Policy, SecurityPolicy } from '../../src/protocol/policy.ts'
import type { Profile } from '../../src/protocol/profile.ts'
import type { ActionProposal, ToolProposal } from '../../src/protocol/proposal.ts'
import type { RunState } from '../../src/protocol/state.ts'

export function policyWith(
  change: Partial<Omit<Policy, 'security'>> & {
    security?: Partial<SecurityPolicy>
    intent?: Partial<IntentPolicy>
  } = {},
): Policy {
  const { security, intent, ...rest } = change
  const intents = structuredClone(DEFAULT_INTENTS) as Policy['intentGuard']['intents']
  intents.browser_access = { ...intents.browser_access, ...intent }
  return {
    security: {
      autonomy: 'Supervised',
      allowedCommands: ['ls', 'git'],
      blockedPaths: ['.env', 'secrets/private'],
      allowedHosts: [],
      rules: [],
      provenance: 'ask',
      trustedSources: [],
      ...security,
    },
    intentGuard: { enabled: true, blockBudget: 0, intents },
    decision: { maxAutoRisk: 'Low', minConfidence: 0.3, blockedActions: [], maxActionsPerBatch: 5 },
    scout: {
      enabled: true,
      dispatchToolName: 'explore',
      requireReadBeforeReport: true,
      forceReportOnToolLimit: true,
      cooldownTurns: 2,
      maxConcurrentScouts: 5,
      overflow: 'queue',
      maxQueue: 20,
      sessionTokenBudget: 0,
    },
    ...rest,
  }
}

export function stateWith(change: Partial<RunState> = {}, profile: Profile = PROFILES.chat): RunState {
  return {
    runId: 'run_1',
    sessionId: 'ses_1',
    turnId: 'turn_1',
    profile,
    route: 'CloudLlm',
    model: 'scripted',
    lang: 'en',
    task: 'a task',
    taskIntent: { label: 'general', confidence: 1, source: 'heuristic', reason: '' },
    startedAt: 1_000,
    steps: 1,
    toolCalls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    messages: [],
    pending: [],
    malformed: 0,
    failures: 0,
    lastError: '',
    softCalls: 0,
    blocks: 0,
    hits: {},
    approvedActions: {},
    succeeded: {},
    minted: {},
    origins: [],
    recalled: [],
    deeds: [],
    approvals: [],
    draft: '',
    lastStep: false,
    cuts: { shortened: 0 },
    checked: {},
    given: {},
    ...change,
  }
}

export interface ToolCase {
  tool?: string
  args?: unknown
  proposal?: Partial<ToolProposal>
  facts?: Partial<Facts>
  state?: Partial<RunState>
  profile?: Profile
  policy?: Policy
  now?: number
  aborted?: boolean
}

export function toolInput(given: ToolCase = {}): ToolInput {
  const state = stateWith(given.state, given.profile)
  const base = { id: 'call_1', runId: state.runId, step: 1, route: state.route, kind: 'tool' } as const
  return {
    proposal: { ...base, tool: given.tool ?? 'file_read', args: given.args ?? {}, ...given.proposal },
    facts: {
      registered: true,
      exposed: true,
      family: 'filesystem',
      risk: 'Low',
      trust: 'external',
      readOnly: true,
      form: [],
      ...given.facts,
    },
    state,
    policy: given.policy ?? policyWith(),
    now: given.now ?? 2_000,
    aborted: given.aborted ?? false,
  }
}

export function actionInput(
  proposal: Partial<ActionProposal> = {},
  given: { policy?: Policy; state?: Partial<RunState> } = {},
): ActionInput {
  const state = stateWith(given.state, PROFILES.decision)
  return {
    proposal: {
      id: 'act_1',
      runId: state.runId,
      step: 1,
      route: 'CloudLlm',
      kind: 'action',
      intentId: 'int_1',
      risk: 'Low',
      confidence: 0.9,
      action: { action_type: 'PrefetchFile', target: '/a', urgency: 'Immediate' },
      ...proposal,
    },
    facts: { packages: ['com.x'], paths: ['/a'] },
    state,
    policy: given.policy ?? policyWith(),
    now: 2_000,
    aborted: false,
  }
}
