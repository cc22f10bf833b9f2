/** Stage 9: what a person has answered, or would have to be asked. */
import { present } from '../../base/present.ts'
import { gateTexts } from '../../i18n/gate.ts'
import type { Answer, Denial, Objection } from '../../protocol/verdict.ts'
import { type GateInput, isTool } from '../gate-input.ts'

/** Keys under which a session-wide yes to this call is stored. None: it is asked about every time. */
export function approvalKeys(input: GateInput): string[] {
  if (!isTool(input) || input.facts.risk === 'High' || input.facts.command?.unparsed !== undefined) return []
  return input.facts.approvalKeys ?? [input.proposal.tool]
}

/** True when every question this call raises was answered `a` earlier in the session. */
export function approvedBefore(input: GateInput, objections: readonly Objection[]): boolean {
  const keys = approvalKeys(input)
  const liftable = objections.every((objection) => objection.reason !== 'TargetNotInContext')
  return liftable && keys.length > 0 && keys.every((key) => input.state.approvals.includes(key))
}

/** The denial after a no, or when there is no channel to ask in. */
export function unanswered(input: GateInput, asked: Denial, answer: Answer | undefined): Denial {
  const texts = gateTexts(input.state.lang)
  const reason = answer === undefined ? 'NO_CONFIRM_CHANNEL' : 'USER_REJECTED'
  return {
    reason,
    all: [reason, ...asked.all],
    stage: 'human',
    effect: 'recover',
    message: answer === undefined ? texts.noConfirmChannel(asked.message) : texts.userRejected,
    ...present({ hint: answer === undefined ? texts.noConfirmHint : undefined }),
  }
}
