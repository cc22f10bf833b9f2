/** Stage 9: what a person has said, or would have to be asked. */
import { gateTexts } from '../../i18n/gate.ts'
import type { Answer, Denial, Objection } from '../../protocol/verdict.ts'
import { isTool, type Matter } from '../matter.ts'

/** Keys under which a session-wide yes to this call would be kept. None: it is asked about every time. */
export function approvalKeys(matter: Matter): string[] {
  if (!isTool(matter) || matter.facts.risk === 'High' || matter.facts.command?.unparsed !== undefined) return []
  return matter.facts.approvalKeys ?? [matter.proposal.tool]
}

/** True when every question this call raises was answered `a` earlier in the session. */
export function approvedBefore(matter: Matter, objections: readonly Objection[]): boolean {
  const keys = approvalKeys(matter)
  const liftable = objections.every((objection) => objection.reason !== 'TargetNotInContext')
  return liftable && keys.length > 0 && keys.every((key) => matter.state.approvals.includes(key))
}

/** A question that got a no, or that nobody was there to hear. */
export function unanswered(matter: Matter, asked: Denial, answer: Answer | undefined): Denial {
  const texts = gateTexts(matter.state.lang)
  const reason = answer === undefined ? 'NO_CONFIRM_CHANNEL' : 'USER_REJECTED'
  return {
    reason,
    all: [reason, ...asked.all],
    stage: 'human',
    effect: 'recover',
    message: answer === undefined ? texts.noConfirmChannel(asked.message) : texts.userRejected,
    ...(answer === undefined ? { hint: texts.noConfirmHint } : {}),
  }
}
