/** The tools of Codex, as its hooks name them. */
import { WritError } from '../errors/writ-error.ts'
import {
  demandText,
  type KnownTool,
  OWN_STATE,
  reads,
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

export const CODEX_TOOLS: ToolTable = {
  Bash: shell('command', 'workdir'),
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
}
