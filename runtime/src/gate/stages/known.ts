/** Stage 2: does the tool exist, and may this run see it? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { type GateInput, isTool } from '../gate-input.ts'

export function known(input: GateInput): Objection[] {
  if (!isTool(input)) return []
  const { facts, proposal, state } = input
  if (facts.registered && facts.exposed) return []
  const texts = gateTexts(state.lang)
  return [
    {
      stage: 'known',
      reason: facts.registered ? 'TOOL_NOT_ALLOWED' : 'UNKNOWN_TOOL',
      rule: 'deny',
      effect: state.profile.dialect === 'json' ? 'repair_once' : 'recover',
      message: facts.registered ? texts.toolNotAllowed(proposal.tool) : texts.unknownTool(proposal.tool),
      hint: facts.meant === undefined ? texts.useListedTools : texts.didYouMean(facts.meant),
    },
  ]
}
