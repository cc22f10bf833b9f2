/** The one document the gate reads. Config is parsed into it once; the agent can never write it. */
import type { TaskIntentLabel, ToolFamily } from './intent.ts'
import type { RiskLevel } from './risk.ts'

export const AUTONOMY_LEVELS = ['ReadOnly', 'Supervised', 'Full'] as const
export type Autonomy = (typeof AUTONOMY_LEVELS)[number]

export interface SecurityPolicy {
  autonomy: Autonomy
  /** Base names that need no question of their own; `*` is every command. */
  allowedCommands: string[]
  blockedPaths: string[]
  /** `host`, `host:port` or `*.domain`. Loopback and private hosts open only when named with their port. */
  allowedHosts: string[]
  /** A workflow node's own lists; when present, everything else is refused. */
  allowedDomains?: string[]
  allowedMethods?: string[]
  /** Of tools that talk to one service only: the hosts of that service. They are not held to the two lists above. */
  toolHosts?: Record<string, string[]>
  provenance: 'off' | 'ask' | 'deny'
  trustedSources: string[]
}

/** S0 §5, field for field. */
export interface IntentPolicy {
  enabled: boolean
  allowedFamilies: ToolFamily[]
  softAllowedFamilies: ToolFamily[]
  softBlockAfter: number
  noFallback: boolean
  failTaskIfUnmet: boolean
  requiredSuccessFamilies: ToolFamily[]
}

export interface IntentGuardPolicy {
  enabled: boolean
  blockBudget: number
  intents: Record<TaskIntentLabel, IntentPolicy>
}

/** S2's engine configuration. */
export interface DecisionPolicy {
  maxAutoRisk: RiskLevel
  minConfidence: number
  blockedActions: string[]
  maxActionsPerBatch: number
}

export interface ScoutGate {
  enabled: boolean
  dispatchToolName: string
  requireReadBeforeReport: boolean
  forceReportOnToolLimit: boolean
  /** Turns after one that sent scouts in which none are sent. */
  cooldownTurns: number
  maxConcurrentScouts: number
  overflow: 'queue' | 'reject'
  maxQueue: number
  /** Tokens of a session beyond which none are sent; 0 is no limit. */
  sessionTokenBudget: number
}

export interface Policy {
  security: SecurityPolicy
  intentGuard: IntentGuardPolicy
  decision: DecisionPolicy
  scout: ScoutGate
  /** Per tool: a bucket of `burst` calls refilled at `perSecond`. Absent: no limit. */
  rateLimit?: { perSecond: number; burst: number }
}

/** What a run can be held to beyond the configuration. */
export interface PolicyNarrowing {
  allowedDomains?: string[]
  allowedMethods?: string[]
  rateLimit?: Policy['rateLimit'] & object
}
