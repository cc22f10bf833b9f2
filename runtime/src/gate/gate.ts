/**
 * The one gate. Ten stages in order: live, known | authority, quota, order, scope, form, content | human | mint.
 * The first two end the matter at once: what may not be seen is not examined. The next six all speak, so that a
 * denial lists every reason. No stage can allow; a proposal passes only when none objects.
 */
import { type Answer, type Denial, EFFECTS, type Judgement, type Objection, STAGES } from '../protocol/verdict.ts'
import type { Matter, StageCheck } from './matter.ts'
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

const ENDS_AT_ONCE: readonly StageCheck[] = [live, known]
const ALL_SPEAK: readonly StageCheck[] = [authority, quota, order, scope, form, content]

/** Pure: the same proposal, facts, state and policy always get the same judgement. */
export function judge(matter: Matter): Judgement {
  for (const check of ENDS_AT_ONCE) {
    const objections = check(matter)
    if (objections.length > 0) return { decision: 'deny', denial: combine(objections), objections }
  }
  const objections = ALL_SPEAK.flatMap((check) => check(matter))
  if (objections.length === 0) return { decision: 'allow' }

  const approved = approvedBefore(matter, objections)
  const nobodyToAsk = !approved && !matter.state.profile.human
  const denying = objections.filter((objection) => objection.rule === 'deny' || nobodyToAsk)
  if (denying.length > 0) return { decision: 'deny', denial: combine(denying, objections), objections }
  if (approved) return { decision: 'allow' }
  return { decision: 'ask', denial: combine(objections), objections }
}

/** What came of a proposal: the writ that lets it act, or the denial that says why not. */
export type Verdict = { writ: Writ; denial?: never } | { denial: Denial; writ?: never }

/**
 * Judges once more and mints. There is no way in with a judgement of one's own: the only road to a writ
 * leads through `judge`, and through a person's `y` or `a` where it asks for one.
 */
export function decide(matter: Matter, answer?: Answer): Verdict {
  const judgement = judge(matter)
  switch (judgement.decision) {
    case 'allow':
      return { writ: mint(matter.proposal, matter.now) }
    case 'deny':
      return { denial: judgement.denial }
    case 'ask':
      return answer === 'y' || answer === 'a'
        ? { writ: mint(matter.proposal, matter.now) }
        : { denial: unanswered(matter, judgement.denial, answer) }
  }
}

/** The earliest stage names the reason, the strongest effect counts, and every other objection is listed. */
function combine(speaking: readonly Objection[], all: readonly Objection[] = speaking): Denial {
  const ordered = [...speaking].sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage))
  const [primary] = ordered
  if (primary === undefined) throw new RangeError('a denial needs an objection')
  const effect = EFFECTS.find((candidate) => ordered.some((objection) => objection.effect === candidate))
  return {
    reason: primary.reason,
    all: [...new Set([...ordered, ...all].map((objection) => objection.reason))],
    stage: primary.stage,
    effect: effect ?? primary.effect,
    message: primary.message,
    ...(primary.hint === undefined ? {} : { hint: primary.hint }),
    ...(primary.code === undefined ? {} : { code: primary.code }),
  }
}
