/** Stage 3: may this proposer do something this risky, unasked? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Autonomy, Policy } from '../../protocol/policy.ts'
import type { Profile } from '../../protocol/profile.ts'
import { exceeds, type RiskLevel } from '../../protocol/risk.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { CapabilityLevel } from '../capability.ts'
import { isTool, type Matter } from '../matter.ts'

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

export function authority(matter: Matter): Objection[] {
  const { proposal, state, policy } = matter
  const texts = gateTexts(state.lang)
  const risk = isTool(matter) ? matter.facts.risk : matter.proposal.risk
  // A risk above the ceiling is a person's to lift for a tool call; an action has nobody to ask.
  const rule = isTool(matter) ? 'ask' : 'deny'
  const effect = isTool(matter) ? 'recover' : 'skip'
  const objections: Objection[] = []

  if (policy.security.autonomy === 'ReadOnly' && !isHarmless(matter)) {
    const name = isTool(matter) ? matter.proposal.tool : matter.proposal.action.action_type
    const message = texts.autonomyForbids(name)
    objections.push({ stage: 'authority', reason: 'AUTONOMY_FORBIDS', rule: 'deny', effect, message })
  }
  const capability = CapabilityLevel.forRoute(proposal.route)
  if (!CapabilityLevel.allowsRisk(capability, risk)) {
    const message = texts.riskExceedsCapability(risk, proposal.route, capability.max_risk)
    objections.push({ stage: 'authority', reason: 'RiskExceedsCapability', rule, effect, message })
  }
  const ceiling = autoRiskCeiling(state.profile, policy)
  // High is a suggestion and nothing more (S2): no setting makes it automatic.
  if (exceeds(risk, ceiling) || risk === 'High') {
    const message = texts.riskExceedsConfig(risk, ceiling)
    objections.push({ stage: 'authority', reason: 'RiskExceedsConfig', rule, effect, message })
  }
  const { confidence } = proposal
  if (confidence !== undefined && !(confidence >= policy.decision.minConfidence)) {
    const message = texts.confidenceTooLow(confidence, policy.decision.minConfidence)
    objections.push({ stage: 'authority', reason: 'ConfidenceTooLow', rule: 'deny', effect, message })
  }
  return objections
}

/** Of the actions only NoOp leaves the computer as it was. */
function isHarmless(matter: Matter): boolean {
  if (!isTool(matter)) return matter.proposal.action.action_type === 'NoOp'
  return matter.facts.risk === 'Low' && matter.facts.readOnly
}
