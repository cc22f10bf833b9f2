/** The tools of Codex, as its hooks name them. */
import { WritError } from '../errors/writ-error.ts'
import { why } from '../i18n/why.ts'
import type { CommandFact } from '../protocol/facts.ts'
import type { Why } from '../protocol/why.ts'
import {
  demandText,
  type KnownTool,
  OWN_STATE,
  reads,
  SUB_AGENT,
  shell,
  type ToolTable,
  WEB_SEARCH,
  writes,
} from './known-tool.ts'

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/

/** The files that a patch in the agent's own format names. */
export function patchedFiles(patch: string): string[] {
  const lines = patch.split(/\r?\n/)
  const files = lines.flatMap((line) => HEADER.exec(line.trim())?.[1]?.trim() ?? [])
  if (files.length === 0) throw new WritError('OUTSIDE_ARGS', { param: 'patch' })
  return files
}

const patchOf = (input: Parameters<NonNullable<KnownTool['facts']>>[0]) =>
  demandText(input.command ?? input.input ?? input.patch, 'command')

const APPLY_PATCH = writes((input) => patchedFiles(patchOf(input)), patchOf)

const LINE = shell('command', 'workdir')

/**
 * What Codex tells its hooks of a line lacks the folder and the terminal; `transcripts.ts` adds both. A line may also be
 * a patch, which Codex applies by itself.
 */
const BASH: KnownTool = {
  ...LINE,
  async facts(input, site) {
    const line = (await LINE.facts?.(input, site)) ?? {}
    const doubts = [
      ...(input.tty === true ? [why('typedLater')] : []),
      ...(input.unseen === true ? [why('folderUnseen')] : []),
    ]
    const isPatch = String(input.command).includes('*** Begin Patch')
    const patch = isPatch ? await APPLY_PATCH.facts?.(input, site) : undefined
    return {
      ...line,
      ...(patch?.risk === 'High' && { risk: 'High' }),
      paths: [...(line.paths ?? []), ...(patch?.paths ?? [])],
      ...(patch !== undefined && { targets: [...(line.targets ?? []), ...(patch.targets ?? [])] }),
      ...(doubts.length > 0 && { approvalKeys: [], command: withDoubts(line.command, doubts) }),
    }
  },
}

function withDoubts(command: CommandFact | undefined, doubts: readonly Why[]): CommandFact {
  const { unparsed = [], ...rest } = command ?? { bases: [], dangers: [] }
  return { ...rest, unparsed: [...[unparsed].flat(), ...doubts] as Why[] }
}

export const CODEX_TOOLS: ToolTable = {
  Bash: BASH,
  shell: shell('command', 'workdir'),
  shell_command: shell('command', 'workdir'),
  exec_command: shell('cmd', 'workdir'),
  apply_patch: APPLY_PATCH,
  Edit: APPLY_PATCH,
  Write: APPLY_PATCH,
  view_image: reads(({ path }) => [path]),
  web_search: WEB_SEARCH,
  update_plan: OWN_STATE,
  request_user_input: OWN_STATE,
  spawn_agent: SUB_AGENT,
  send_input: SUB_AGENT,
  wait_agent: SUB_AGENT,
  resume_agent: SUB_AGENT,
  close_agent: OWN_STATE,
  get_goal: OWN_STATE,
  create_goal: OWN_STATE,
  update_goal: OWN_STATE,
  tool_search: OWN_STATE,
}
