/** S2's levels, lowest first. Low may run without approval, High never does. */
export const RISK_LEVELS = ['Low', 'Medium', 'High'] as const
/** How much harm a call can do. */
export type RiskLevel = (typeof RISK_LEVELS)[number]

export function exceeds(risk: RiskLevel, ceiling: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(risk) > RISK_LEVELS.indexOf(ceiling)
}

/** The source of a proposal. Set by the runtime, never by the model. */
export const DECISION_ROUTES = ['RuleBased', 'LocalEvaluator', 'CloudLlm', 'FallbackNoOp', 'Mock'] as const
/** Where predictions and answers come from. */
export type DecisionRoute = (typeof DECISION_ROUTES)[number]
