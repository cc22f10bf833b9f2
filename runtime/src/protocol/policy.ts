/** The only document the gate reads. It is parsed from the configuration once; the agent can never write it. */
import type { TaskIntentLabel, ToolFamily } from './intent.ts'
import type { RiskLevel } from './risk.ts'
import type { LayeredRule } from './rule.ts'

export const AUTONOMY_LEVELS = ['ReadOnly', 'Supervised', 'Full'] as const
/** How much may be done without approval. */
export type Autonomy = (typeof AUTONOMY_LEVELS)[number]

/** How the model of `agent.security.injectionModel` and the rules of the inspection count together. */
export const MODEL_USES = ['review', 'either', 'both'] as const
export type ModelUse = (typeof MODEL_USES)[number]

/** The policy under `agent.security`. */
export interface SecurityPolicy {
  autonomy: Autonomy
  /** Base names of listed commands; others need approval. `*` is every command. Absent: all whose class is known. */
  allowedCommands?: string[]
  /** Rules of the configuration and remembered ones. */
  rules: LayeredRule[]
  blockedPaths: string[]
  /** `host`, `host:port` or `*.domain`. Loopback and private hosts are allowed only when listed with their port. */
  allowedHosts: string[]
  /** Lists of a workflow node; when present, everything else is denied. */
  allowedDomains?: string[]
  allowedMethods?: string[]
  /** Hosts of tools that use a single service. The two lists above do not apply to them. */
  toolHosts?: Record<string, string[]>
  provenance: 'off' | 'ask' | 'deny'
  /** The model that may approve calls of Medium risk before a person is asked. Absent: none. */
  reviewer?: string
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

/** The policy for each type of task. */
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

/** What limits scouts. */
export interface ScoutGate {
  enabled: boolean
  dispatchToolName: string
  requireReadBeforeReport: boolean
  forceReportOnToolLimit: boolean
  /** Cooldown: turns without scouts after one that started some. */
  cooldownTurns: number
  maxConcurrentScouts: number
  overflow: 'queue' | 'reject'
  maxQueue: number
  /** Token budget of a session's scouts; 0 is no limit. */
  sessionTokenBudget: number
}

/** The part of the configuration that decides. */
export interface Policy {
  security: SecurityPolicy
  intentGuard: IntentGuardPolicy
  decision: DecisionPolicy
  scout: ScoutGate
  /** Per tool: a token bucket of `burst` calls, refilled at `perSecond`. Absent: no limit. */
  rateLimit?: { perSecond: number; burst: number }
}

/** Restrictions of a run beyond the configuration. */
export interface PolicyNarrowing {
  allowedDomains?: string[]
  allowedMethods?: string[]
  rateLimit?: Policy['rateLimit'] & object
}
