/** `writ policy forget ID`: revokes a remembered rule. */
import { configHome } from '../../config/places.ts'
import { rememberedRules } from '../../config/remembered-rules.ts'
import { realWorkspace } from '../../config/trust.ts'
import { WritError } from '../../errors/writ-error.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import { homeOf, type Io } from '../io.ts'
import { questionTexts } from '../question-texts.ts'

export async function policyForget({ words: [id = ''] }: Given, io: Io): Promise<number> {
  const rules = rememberedRules(configHome(io.env, homeOf(io)), await realWorkspace(io.cwd))
  if (!(await rules.revoke(id))) throw new WritError('RULE_UNKNOWN', { id: oneLine(id) })
  io.stdout(`${questionTexts(io.lang).forgotten({ id })}\n`)
  return 0
}
