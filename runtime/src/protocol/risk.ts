/** S2's levels, weakest first: Low may run by itself, High never does. */
export const RISK_LEVELS = ['Low', 'Medium', 'High'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

export function exceeds(risk: RiskLevel, ceiling: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(risk) > RISK_LEVELS.indexOf(ceiling)
}

/** Who made a proposal. Set by the runtime, never by the model. */
export const DECISION_ROUTES = ['RuleBased', 'LocalEvaluator', 'CloudLlm', 'FallbackNoOp', 'Mock'] as const
export type DecisionRoute = (typeof DECISION_ROUTES)[number]
