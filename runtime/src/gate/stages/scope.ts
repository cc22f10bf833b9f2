/** Stage 6: does the call fit the task's intent (S0), may scouts be started (S4), was the target observed (S2)? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Facts } from '../../protocol/facts.ts'
import { RESULT_TOOL } from '../../protocol/message.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { CapabilityLevel } from '../capability.ts'
import { type ActionInput, type GateInput, isTool, type ToolInput } from '../gate-input.ts'
import { scoutObjections } from '../scout-limits.ts'
import { provenance } from './provenance.ts'

export function scope(input: GateInput): Objection[] {
  return isTool(input) ? [...scoutObjections(input), ...intentScope(input), ...provenance(input)] : actionScope(input)
}

/** True when a call of this family uses up one of the few that the task's intent allows. */
export function drawsOnSoftQuota({ proposal, facts, state, policy }: ToolInput): boolean {
  const rules = policy.intentGuard.intents[state.taskIntent.label]
  if (!policy.intentGuard.enabled || !rules.enabled || isOwnLookup(proposal.tool, facts)) return false
  return rules.softAllowedFamilies.includes(facts.family) && !rules.allowedFamilies.includes(facts.family)
}

function intentScope({ proposal, facts, state, policy }: ToolInput): Objection[] {
  const { label } = state.taskIntent
  const rules = policy.intentGuard.intents[label]
  if (!policy.intentGuard.enabled || !rules.enabled || rules.allowedFamilies.includes(facts.family)) return []
  if (isOwnLookup(proposal.tool, facts)) return []
  const soft = rules.softAllowedFamilies.includes(facts.family)
  if (soft && state.softCalls < rules.softBlockAfter) return []

  const texts = gateTexts(state.lang)
  const toldLeft = policy.intentGuard.blockBudget - state.blocks
  const message = soft
    ? texts.softBlocked(label, facts.family, `${state.softCalls + 1}/${rules.softBlockAfter}`)
    : texts.familyBlocked(label, facts.family, proposal.tool)
  return [
    {
      stage: 'scope',
      reason: 'tool_policy_blocked',
      rule: 'deny',
      effect: toldLeft > 0 ? 'recover' : 'stop',
      message,
      hint: texts.intentHint({
        intent: label,
        allowed: rules.allowedFamilies,
        soft: rules.softAllowedFamilies,
        left: Math.max(0, rules.softBlockAfter - state.softCalls),
        isLastWarning: toldLeft === 1,
      }),
    },
  ]
}

/** Reading the agent's own memory, skills, settings and earlier results is always within a task. */
export function isOwnLookup(
  tool: string,
  { family, trust, readOnly }: Pick<Facts, 'family' | 'trust' | 'readOnly'>,
): boolean {
  if (tool === RESULT_TOOL) return readOnly
  return trust === 'internal' && readOnly && (family === 'memory' || family === 'task')
}

function actionScope({ proposal, facts, state, policy }: ActionInput): Objection[] {
  const { action_type, target, urgency } = proposal.action
  const texts = gateTexts(state.lang)
  const objections: Objection[] = []
  const object = (reason: Objection['reason'], message: string) =>
    objections.push({ stage: 'scope', reason, rule: 'deny', effect: 'skip', message })

  if (policy.decision.blockedActions.some((part) => action_type.includes(part))) {
    object('ActionTypeBlocked', texts.actionBlocked(action_type))
  }
  if (urgency === 'Deferred') object('ActionUrgencyDeferred', texts.actionDeferred)
  if (!CapabilityLevel.allowsAction(CapabilityLevel.forRoute(proposal.route), action_type)) {
    object('ActionCapabilityDenied', texts.actionCapability(action_type, proposal.route))
  }
  if (!targetObserved(action_type, target, facts)) object('TargetNotInContext', texts.targetNotInContext(target))
  if (proposal.idle === true && action_type !== 'NoOp') object('INTENT_IDLE', texts.intentIdle(action_type))
  return objections
}

function targetObserved(type: string, target: string | null, context: ActionInput['facts']): boolean {
  if (type === 'NoOp') return true
  if (target === null) return type !== 'PreWarmProcess'
  return target !== '' && (context.packages.includes(target) || context.paths.includes(target))
}
