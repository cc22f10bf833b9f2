import type { TargetFact } from './facts.ts'
import type { RiskLevel } from './risk.ts'
import type { DecidingRule, Rule } from './rule.ts'

/** The gate's stages, in order. */
export const STAGES = [
  'live',
  'known',
  'authority',
  'quota',
  'order',
  'scope',
  'form',
  'content',
  'human',
  'mint',
] as const
/** The stages of the gate. */
export type Stage = (typeof STAGES)[number]

/** S2's reasons come first, in the order of its enum; summaries use this order. */
export const DENIAL_REASONS = [
  'RiskExceedsConfig',
  'RiskExceedsCapability',
  'ConfidenceTooLow',
  'ActionTypeBlocked',
  'ActionUrgencyDeferred',
  'ActionCapabilityDenied',
  'TargetNotInContext',
  'BatchActionCapExceeded',
  'INTENT_IDLE',
  'tool_policy_blocked',
  'TOOL_ORDER_VIOLATION',
  'TOOL_CALL_LIMIT_REACHED',
  'TOOL_NOT_ALLOWED',
  'ARGS_INVALID',
  'MAX_TOOL_CALLS',
  'RATE_LIMITED',
  'PRE_VALIDATE_REJECTED',
  'USER_REJECTED',
  'NO_CONFIRM_CHANNEL',
  'AUTONOMY_FORBIDS',
  'SCOUT_DISABLED',
  'SCOUT_BUDGET_EXHAUSTED',
  'SCOUT_USER_OPT_OUT',
  'SCOUT_COOLDOWN',
  'SCOUT_QUEUE_FULL',
  'SCOUT_ENTRY_FORBIDDEN',
  'UNKNOWN_TOOL',
  'RUN_OVER',
  'RULE_DENIED',
  'RULE_ASKED',
] as const
/** Why a call was denied, as a code. */
export type DenialReason = (typeof DENIAL_REASONS)[number]

/** The content rule behind PRE_VALIDATE_REJECTED. */
export type ContentCode =
  | 'PATH_OUTSIDE_WORKSPACE'
  | 'PATH_BLOCKED'
  | 'HOST_FORBIDDEN'
  | 'DOMAIN_NOT_ALLOWED'
  | 'METHOD_NOT_ALLOWED'
  | 'COMMAND_FORBIDDEN'
  | 'CONFIG_LOCKED'

/** The effect of a denial on the run, strongest first. */
export const EFFECTS = ['stop', 'repair_once', 'recover', 'skip'] as const
/** What a denial does to the run. */
export type Effect = (typeof EFFECTS)[number]

/** The objection of one stage. `deny` is final; `ask` can be lifted by a person. */
export interface Objection {
  stage: Stage
  reason: DenialReason
  rule: 'deny' | 'ask'
  effect: Effect
  message: string
  hint?: string
  code?: ContentCode
}

/** Why a call was denied. */
export interface Denial {
  reason: DenialReason
  all: DenialReason[]
  stage: Stage
  effect: Effect
  message: string
  hint?: string
  code?: ContentCode
}

/** The result of `judge`, before a person is asked. */
export type Judgement =
  | { decision: 'allow'; rule?: DecidingRule }
  | { decision: 'ask'; denial: Denial; objections: Objection[]; rule?: DecidingRule }
  | { decision: 'deny'; denial: Denial; objections: Objection[]; rule?: DecidingRule }

/** What the shadow policy would have decided, where that differs. */
export interface ShadowVerdict {
  decision: Judgement['decision']
  reason?: DenialReason
  rule?: DecidingRule
}

/** Why the reviewer gave no answer; a person is asked then. */
export type ReviewFailure = 'unreachable' | 'unparsable' | 'over_budget' | 'late'

/** What the reviewer said about a call that needs approval. */
export interface Review {
  model: string
  decision: 'allow' | 'ask'
  /** In the words of the reviewer, on one line. */
  reason?: string
  failed?: ReviewFailure
}

/** What will run, why it needs approval, and the keys of a session-wide approval. */
export interface Question {
  callId: string
  tool: string
  risk: RiskLevel
  reasons: DenialReason[]
  message: string
  preview: string
  /** One key per base command of a shell line, else the tool's name. When empty, `a` counts as `y`. */
  keys: string[]
  targets: TargetFact[]
  /** The budget limit or unknown price that needs approval; absent for tool calls. Never from a model. */
  budget?: string
  /** As in the facts: a preview may be cut, so equal previews can be of different files. */
  basis?: string
  /** What an edit would change. Absent in older journals. */
  args?: unknown
  /** A person has changed the call; this asks about the changed one. */
  edited?: true
  /** What the reviewer said, where one was asked first. */
  review?: Review
  /** Rules worth remembering, the narrowest first. Absent: none would allow the call. */
  offers?: Offer[]
}

/** S1's `[y/N/a]`: once, no, for the rest of the session. */
export type Answer = 'y' | 'n' | 'a'

/** Rules that together allow the call of a question. */
export interface Offer {
  rules: Rule[]
}

export const RULE_SCOPES = ['session', 'workspace', 'always'] as const
/** Where a remembered rule holds: in this session, in this workspace, in every workspace. */
export type RuleScope = (typeof RULE_SCOPES)[number]

export const REASON_MAX = 1000

/** An answer and what comes with it. */
export interface Reply {
  answer: Answer
  /** With `y`: remembers one of the question's offers, counted from 0. */
  remember?: { offer: number; scope: RuleScope }
  /** With `n`: why, in at most REASON_MAX characters. The model reads it. */
  reason?: string
  /**
   * With `y`: the arguments to use instead. The changed call is judged from the start; if it needs approval too, its
   * question follows.
   */
  edit?: Readonly<Record<string, unknown>>
}

/** What was remembered with an answer, as journaled. */
export interface Remembered {
  scope: RuleScope
  rules: Rule[]
  /** Why it could not be stored; it then holds for the session only. */
  failed?: string
}
