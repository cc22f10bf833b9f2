/** Commands a person allows a routine in advance, as the keys of standing approvals. */
import { PROFILES } from '../agent/profile.ts'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import { inBothLanguages } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import { whysText } from '../i18n/why.ts'
import { LOCAL } from '../protocol/principal.ts'
import { shellTool } from '../tool/builtin/shell.ts'
import { gatherFacts } from '../tool/gather.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'

/** A model may run the same git command with either tool. */
const GIT_IN_SHELL = /^shell (?=git )/

/** Each command of the line gets its own approval: the routine may run them one by one. */
export async function routineApprovals(lines: string, context: WorkspaceContext): Promise<string[]> {
  const commands = lines.split(/[;\n]/).filter((command) => command.trim() !== '')
  const keys = await Promise.all(commands.map((command) => commandApprovals(command.trim(), context)))
  return [...new Set(keys.flat())]
}

/** A command that cannot have a standing approval cannot be allowed in advance either. */
async function commandApprovals(line: string, { world, loaded }: WorkspaceContext): Promise<string[]> {
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
    const reasons = command?.unparsed ?? (unchecked === undefined ? (command?.dangers ?? []) : [unchecked])
    throw new WritError('ROUTINE_ALLOW', { line, why: inBothLanguages((lang) => whysText(reasons, lang)) })
  }
  return [
    ...new Set(approvalKeys.flatMap((key) => (GIT_IN_SHELL.test(key) ? [key, key.replace(GIT_IN_SHELL, '')] : [key]))),
  ]
}
