/**
 * The one gate. Ten stages in order: live, known | authority, quota, order, scope, form, content | human | mint.
 * The first two deny immediately: what a run may not see is not examined. The next six are all asked, so that a denial
 * lists every reason. No stage can allow; a proposal passes only when none objects.
 */
import { present } from '../base/present.ts'
import type { DecidingRule } from '../protocol/rule.ts'
import { type Answer, type Denial, EFFECTS, type Judgement, type Objection, STAGES } from '../protocol/verdict.ts'
import { type GateInput, isTool, type StageCheck } from './gate-input.ts'
import { reviewerAllows } from './review.ts'
import { isLifted, ruleObjections, rulingOn } from './rules/ruling.ts'
import { authority } from './stages/authority.ts'
import { content } from './stages/content.ts'
import { form } from './stages/form.ts'
import { approvedBefore, unanswered } from './stages/human.ts'
import { known } from './stages/known.ts'
import { live } from './stages/live.ts'
import { order } from './stages/order.ts'
import { quota } from './stages/quota.ts'
import { scope } from './stages/scope.ts'
import { mint, type Writ } from './writ.ts'

const DENY_FIRST: readonly StageCheck[] = [live, known]
const COLLECT_ALL: readonly StageCheck[] = [authority, quota, order, scope, form, content]

/** Pure: the same proposal, facts, state and policy always get the same judgement. */
export function judge(input: GateInput): Judgement {
  for (const check of DENY_FIRST) {
    const objections = check(input)
    if (objections.length > 0) return { decision: 'deny', denial: combine(objections), objections }
  }
  const { objections, rule } = afterRules(
    input,
    COLLECT_ALL.flatMap((check) => check(input)),
  )
  if (objections.length === 0) return { decision: 'allow', ...rule }

  const approved = approvedBefore(input, objections)
  const cannotAsk = !approved && !input.state.profile.human
  const denying = objections.filter((objection) => objection.rule === 'deny' || cannotAsk)
  if (denying.length > 0) return { decision: 'deny', denial: combine(denying, objections), objections, ...rule }
  // After the denials: the reviewer answers in place of a person, and only where one may be asked.
  if (approved || reviewerAllows(input, objections)) return { decision: 'allow', ...rule }
  return { decision: 'ask', denial: combine(objections), objections, ...rule }
}

/** The rules people write come last: an allow lifts some objections, an ask or a deny adds one. */
function afterRules(
  input: GateInput,
  objections: Objection[],
): { objections: Objection[]; rule?: { rule: DecidingRule } } {
  const ruling = isTool(input) ? rulingOn(input) : undefined
  if (!isTool(input) || ruling === undefined) return { objections }
  const { layer, from, decide, reason } = ruling.rule
  const left = objections.filter((objection) => !isLifted(objection, ruling, input))
  return {
    objections: [...left, ...ruleObjections(ruling, input)],
    rule: { rule: { layer, from, decide, ...present({ reason }) } },
  }
}

/** The result of a proposal: a writ to act with, or a denial with its reasons. */
export type Verdict = { writ: Writ; denial?: never } | { denial: Denial; writ?: never }

/**
 * Judges again and mints. A judgement cannot be passed in: the only way to a writ is through `judge`, and through a
 * person's `y` or `a` where it asks for one.
 */
export function decide(input: GateInput, answer?: Answer): Verdict {
  const judgement = judge(input)
  switch (judgement.decision) {
    case 'allow':
      return { writ: mint(input.proposal, input.now) }
    case 'deny':
      return { denial: judgement.denial }
    case 'ask':
      return answer === 'y' || answer === 'a'
        ? { writ: mint(input.proposal, input.now) }
        : { denial: unanswered(input, judgement.denial, answer) }
  }
}

/** The earliest stage gives the reason, the strongest effect counts, and every other objection is listed. */
function combine(denying: readonly Objection[], all: readonly Objection[] = denying): Denial {
  const ordered = [...denying].sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage))
  const [primary] = ordered
  if (primary === undefined) throw new RangeError('a denial needs an objection')
  const effect = EFFECTS.find((candidate) => ordered.some((objection) => objection.effect === candidate))
  return {
    reason: primary.reason,
    all: [...new Set([...ordered, ...all].map((objection) => objection.reason))],
    stage: primary.stage,
    effect: effect ?? primary.effect,
    message: primary.message,
    ...present({ hint: primary.hint, code: primary.code }),
  }
}
