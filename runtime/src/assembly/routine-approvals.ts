/** What a person allows a routine beforehand: commands, as the keys under which the gate keeps a standing yes. */
import { PROFILES } from '../agent/profile.ts'
import type { Setting } from '../agent/setting.ts'
import { WritError } from '../base/errors.ts'
import { messages as texts } from '../i18n/locale.ts'
import { LOCAL } from '../protocol/principal.ts'
import { shellTool } from '../tool/builtin/shell.ts'
import { gatherFacts } from '../tool/gather.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'

/** A model may run the same git command with either tool. */
const GIT_IN_SHELL = /^shell (?=git )/

/** Each command between semicolons by itself: the routine may run them one by one. */
export async function routineApprovals(lines: string, setting: Setting): Promise<string[]> {
  const commands = lines.split(/[;\n]/).filter((command) => command.trim() !== '')
  const keys = await Promise.all(commands.map((command) => commandApprovals(command.trim(), setting)))
  return [...new Set(keys.flat())]
}

/** `line` is read as the shell would; one that could not be answered with "always" cannot be allowed beforehand. */
async function commandApprovals(line: string, { world, loaded }: Setting): Promise<string[]> {
  const { lang } = loaded
  const registry = new Registry([shellTool() as Tool])
  const state = { sessionId: '', profile: PROFILES.routine, lang }
  const call = { id: 'allow', tool: 'shell', args: { command: line } }
  const {
    risk,
    command,
    approvalKeys = [],
    unchecked,
  } = await gatherFacts(call, { registry, world, state, owner: LOCAL })
  if (risk === 'High' || approvalKeys.length === 0 || unchecked !== undefined) {
    const why = command?.unparsed ?? unchecked ?? command?.dangers.join(', ') ?? ''
    const { cannotAllow, cannotAllowHint } = texts(lang).routine
    throw new WritError('ROUTINE_ALLOW', cannotAllow({ line, why }), { hint: cannotAllowHint })
  }
  return [
    ...new Set(approvalKeys.flatMap((key) => (GIT_IN_SHELL.test(key) ? [key, key.replace(GIT_IN_SHELL, '')] : [key]))),
  ]
}
