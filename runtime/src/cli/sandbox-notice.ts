/** Says once per process that commands run without a sandbox, before any of them does. */
import { messages } from '../i18n/locale.ts'
import { sandboxStatus } from '../tool/guard/sandbox.ts'
import type { World } from '../tool/tool.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

let said = false

export async function sayUnfenced(setting: World['sandbox'], io: Io): Promise<void> {
  // Who switched it off knows.
  if (said || setting === 'off') return
  const { active, why } = await sandboxStatus(setting)
  if (active || said) return
  said = true
  const { doctor } = cliTexts(io.lang)
  const text = setting === 'required' ? doctor.sandboxRefuses({ why }) : doctor.sandboxMissing({ why })
  io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
}
