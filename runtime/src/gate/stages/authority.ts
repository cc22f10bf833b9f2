/** Stage 3: may this proposer do something this risky without approval? */
import { gateTexts } from '../../i18n/gate.ts'
import { whyText } from '../../i18n/why.ts'
import type { Autonomy, Policy } from '../../protocol/policy.ts'
import type { Profile } from '../../protocol/profile.ts'
import { exceeds, type RiskLevel } from '../../protocol/risk.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { CapabilityLevel } from '../capability.ts'
import { type GateInput, isTool } from '../gate-input.ts'

const BY_AUTONOMY: Record<Autonomy, RiskLevel> = { ReadOnly: 'Low', Supervised: 'Low', Full: 'Medium' }

export function autoRiskCeiling(profile: Profile, policy: Policy): RiskLevel {
  switch (profile.maxAutoRisk) {
    case 'by-autonomy':
      return BY_AUTONOMY[policy.security.autonomy]
    case 'by-decision':
      return policy.decision.maxAutoRisk
    default:
      return profile.maxAutoRisk
  }
}

export function authority(input: GateInput): Objection[] {
  const { proposal, state, policy } = input
  const texts = gateTexts(state.lang)
  const risk = isTool(input) ? input.facts.risk : input.proposal.risk
  // For a tool call a person may approve a risk above the ceiling; for an action there is no one to ask.
  const rule = isTool(input) ? 'ask' : 'deny'
  const effect = isTool(input) ? 'recover' : 'skip'
  const objections: Objection[] = []

  if (policy.security.autonomy === 'ReadOnly' && !isHarmless(input)) {
    const name = isTool(input) ? input.proposal.tool : input.proposal.action.action_type
    const message = texts.autonomyForbids(name)
    objections.push({ stage: 'authority', reason: 'AUTONOMY_FORBIDS', rule: 'deny', effect, message })
  }
  const capability = CapabilityLevel.forRoute(proposal.route)
  if (!CapabilityLevel.allowsRisk(capability, risk)) {
    const message = texts.riskExceedsCapability(risk, proposal.route, capability.max_risk)
    objections.push({ stage: 'authority', reason: 'RiskExceedsCapability', rule, effect, message })
  }
  const ceiling = autoRiskCeiling(state.profile, policy)
  // High is only ever a suggestion (S2): no setting makes it automatic.
  if (exceeds(risk, ceiling) || risk === 'High') {
    const why = isTool(input) ? input.facts.riskWhy : undefined
    // Of a call, the question says one limit: the lower one.
    const isLower = isTool(input) && exceeds(ceiling, capability.max_risk)
    const limit = isLower ? capability.max_risk : ceiling
    const message = texts.riskExceedsConfig(risk, limit, why && whyText(why, state.lang))
    objections.push({ stage: 'authority', reason: 'RiskExceedsConfig', rule, effect, message })
  }
  const { confidence } = proposal
  if (confidence !== undefined && !(confidence >= policy.decision.minConfidence)) {
    const message = texts.confidenceTooLow(confidence, policy.decision.minConfidence)
    objections.push({ stage: 'authority', reason: 'ConfidenceTooLow', rule: 'deny', effect, message })
  }
  return objections
}

/** NoOp is the only action without an effect. */
function isHarmless(input: GateInput): boolean {
  if (!isTool(input)) return input.proposal.action.action_type === 'NoOp'
  return input.facts.risk === 'Low' && input.facts.readOnly
}
