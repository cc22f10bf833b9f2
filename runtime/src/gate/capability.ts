/** S2's table: the most that each proposer may do. A constant, not configuration. */
import type { ActionType } from '../protocol/action.ts'
import { type DecisionRoute, exceeds, type RiskLevel } from '../protocol/risk.ts'

export interface CapabilityLevel {
  readonly max_risk: RiskLevel
  readonly allowed_actions: readonly ActionType[]
}

const EVERYTHING: readonly ActionType[] = ['NoOp', 'PreWarmProcess', 'PrefetchFile', 'KeepAlive', 'ReleaseMemory']

const LEVELS: Readonly<Record<DecisionRoute, CapabilityLevel>> = {
  RuleBased: { max_risk: 'Low', allowed_actions: ['NoOp', 'ReleaseMemory', 'KeepAlive'] },
  LocalEvaluator: { max_risk: 'Low', allowed_actions: EVERYTHING },
  CloudLlm: { max_risk: 'Medium', allowed_actions: EVERYTHING },
  FallbackNoOp: { max_risk: 'Low', allowed_actions: ['NoOp'] },
  Mock: { max_risk: 'Medium', allowed_actions: EVERYTHING },
}

export const CapabilityLevel = {
  forRoute: (route: DecisionRoute): CapabilityLevel => LEVELS[route],
  allowsRisk: (level: CapabilityLevel, risk: RiskLevel): boolean => !exceeds(risk, level.max_risk),
  allowsAction: (level: CapabilityLevel, action: ActionType): boolean => level.allowed_actions.includes(action),
}
