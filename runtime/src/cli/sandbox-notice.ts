/** Warns once per process, before the first command, that commands run without a sandbox. */
import { messages } from '../i18n/locale.ts'
import { sandboxStatus } from '../tool/guard/sandbox.ts'
import { onSandboxTried, type SandboxStatus } from '../tool/guard/sandbox-trial.ts'
import type { World } from '../tool/tool.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

let warned = false

export async function warnUnsandboxed(setting: World['sandbox'], io: Io): Promise<void> {
  // No warning when the user switched it off.
  if (warned || setting === 'off') return
  warn(await sandboxStatus(setting), setting, io)
}

/** Does not try the sandbox itself, so a run that needs no command starts sooner. Returns how to stop waiting. */
export function warnBeforeCommands(setting: World['sandbox'], io: Io): () => void {
  if (warned || setting === 'off') return () => {}
  return onSandboxTried((status) => warn(status, setting, io))
}

function warn({ active, why }: SandboxStatus, setting: World['sandbox'], io: Io): void {
  if (active || warned) return
  warned = true
  const { doctor } = cliTexts(io.lang)
  const text = setting === 'required' ? doctor.sandboxRefuses({ why }) : doctor.sandboxMissing({ why })
  io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
}
