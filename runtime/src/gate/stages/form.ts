/** Stage 7: do the arguments fit the tool's schema? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { type GateInput, isTool } from '../gate-input.ts'

export function form(input: GateInput): Objection[] {
  if (!isTool(input) || input.facts.form.length === 0) return []
  const { proposal, facts, state } = input
  const texts = gateTexts(state.lang)
  return [
    {
      stage: 'form',
      reason: 'ARGS_INVALID',
      rule: 'deny',
      effect: state.profile.dialect === 'json' ? 'repair_once' : 'recover',
      message: texts.argsInvalid(proposal.tool, facts.form),
      hint: texts.fixArgs,
    },
  ]
}
