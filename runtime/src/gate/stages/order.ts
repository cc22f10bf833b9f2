/** Stage 5: has what must come first come first? A scout reports only what it has read (S4). */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { isTool, type Matter } from '../matter.ts'

export function order(matter: Matter): Objection[] {
  if (!isTool(matter)) return []
  const { proposal, state, policy } = matter
  if (state.profile.mode !== 'scout' || proposal.tool !== 'report_findings') return []
  if (!policy.scout.requireReadBeforeReport || (state.succeeded.read_doc ?? 0) > 0) return []
  const texts = gateTexts(state.lang)
  return [
    {
      stage: 'order',
      reason: 'TOOL_ORDER_VIOLATION',
      rule: 'deny',
      effect: 'recover',
      message: texts.readBeforeReport,
      hint: texts.readFirst,
    },
  ]
}
