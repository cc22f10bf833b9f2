/** Stage 2: does the tool exist, and may this run see it? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { isTool, type Matter } from '../matter.ts'

export function known(matter: Matter): Objection[] {
  if (!isTool(matter)) return []
  const { facts, proposal, state } = matter
  if (facts.registered && facts.exposed) return []
  const texts = gateTexts(state.lang)
  return [
    {
      stage: 'known',
      reason: facts.registered ? 'TOOL_NOT_ALLOWED' : 'UNKNOWN_TOOL',
      rule: 'deny',
      effect: state.profile.dialect === 'json' ? 'repair_once' : 'recover',
      message: facts.registered ? texts.toolNotAllowed(proposal.tool) : texts.unknownTool(proposal.tool),
      hint: texts.useListedTools,
    },
  ]
}
