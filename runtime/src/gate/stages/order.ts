/** Stage 5: were the required earlier calls made? A scout reports only what it has read (S4). */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { type GateInput, isTool } from '../gate-input.ts'

export function order(input: GateInput): Objection[] {
  if (!isTool(input)) return []
  const { proposal, state, policy } = input
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
