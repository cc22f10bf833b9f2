/**
 * Calls that a reviewer model may approve in place of a person. A call is reviewable only if its risk is all that speaks
 * against it; the answer is in the journal, and holds for the call as it was shown.
 */
import { fingerprint } from '../base/hash.ts'
import { ALWAYS_ASKED } from '../protocol/command.ts'
import type { CallReview } from '../protocol/state.ts'
import type { DenialReason, Objection } from '../protocol/verdict.ts'
import { type GateInput, isTool, type ToolInput } from './gate-input.ts'
import { approvalKeys } from './stages/human.ts'

/** Anything else needs a person: an untrusted target, a rule that asks, an unlisted command. */
const REVIEWABLE: readonly DenialReason[] = ['RiskExceedsConfig', 'RiskExceedsCapability']

export function isReviewable(input: ToolInput, objections: readonly Objection[]): boolean {
  const { facts, policy, state, proposal } = input
  const { reviewer, provenance } = policy.security
  // Without provenance nothing has checked who named the target.
  if (reviewer === undefined || provenance === 'off') return false
  // The person who changed it is there to be asked.
  if (state.edited?.callId === proposal.id) return false
  return (
    facts.risk === 'Medium' &&
    // A call that is asked about every time has none.
    approvalKeys(input).length > 0 &&
    !(facts.command?.uses ?? []).some((use) => ALWAYS_ASKED.includes(use.class)) &&
    objections.every(({ rule, reason }) => rule === 'ask' && REVIEWABLE.includes(reason))
  )
}

/** The reviewer's recorded answer, unless the call has changed since. */
export function reviewOf({ state, proposal, facts }: ToolInput): CallReview['review'] | undefined {
  const known = state.reviews?.find(({ callId }) => callId === proposal.id)
  if (known === undefined || known.basis !== facts.basis) return undefined
  return known.argsHash === fingerprint(proposal.args) ? known.review : undefined
}

export function reviewerAllows(input: GateInput, objections: readonly Objection[]): boolean {
  return isTool(input) && reviewOf(input)?.decision === 'allow' && isReviewable(input, objections)
}
