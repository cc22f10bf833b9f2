/** The tools of Codex, as its hooks name them. */
import { resolve } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { why } from '../i18n/why.ts'
import type { CommandFact } from '../protocol/facts.ts'
import type { Why } from '../protocol/why.ts'
import type { CallFacts } from '../tool/tool.ts'
import {
  type CallSite,
  demandText,
  type KnownTool,
  OWN_READING,
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

/**
 * What Codex tells its hooks of a line lacks the folder and the terminal; `transcripts.ts` adds both. A line may also be
 * a patch, which Codex applies by itself.
 */
function line(param: string): KnownTool {
  const own = shell(param, 'workdir')
  return {
    ...own,
    async facts(input, site) {
      const facts = (await own.facts?.(input, site)) ?? {}
      const text = demandText(input[param], param)
      const patch = await patchIn(text, { ...site, cwd: folderOf(input, site) })
      const doubts = [
        ...(input.tty === true ? [why('typedLater')] : []),
        ...(input.unseen === true ? [why('folderUnseen')] : []),
        ...patch.doubts,
      ]
      return {
        ...facts,
        ...(patch.facts?.risk === 'High' && { risk: 'High' }),
        paths: [...(facts.paths ?? []), ...(patch.facts?.paths ?? [])],
        ...(patch.facts !== undefined && { targets: [...(facts.targets ?? []), ...(patch.facts.targets ?? [])] }),
        ...(doubts.length > 0 && { approvalKeys: [], command: withDoubts(facts.command, doubts) }),
      }
    },
  }
}

function folderOf({ workdir }: JsonObject, site: CallSite): string {
  return typeof workdir === 'string' ? resolve(site.cwd, workdir) : site.cwd
}

const PATCH = /\*\*\* Begin Patch[\s\S]*?(?:\*\*\* End Patch|$)/g
const PROGRAM = /\bapply_?patch\b/g
/** The one form whose folder can be read off: the patch at once, or in a folder that is written out. */
const PLAIN = /^\s*(?:cd\s+(?:'([^']+)'|([\w./-]+))\s*&&\s*)?apply_?patch\s+(?:<<-?\s*(['"]?)\w+\3\s*$|["'$]*\s*$)/

/** The paths in a patch are those of the folder it is applied in. */
async function patchIn(text: string, site: CallSite): Promise<{ facts?: CallFacts; doubts: Why[] }> {
  const [patch, second] = [...text.matchAll(PATCH)]
  const times = [...text.replace(PATCH, '').matchAll(PROGRAM)].length
  if (times === 0 && !text.trimStart().startsWith('***')) return { doubts: [] }
  if (patch === undefined) return { doubts: [why('filesLater', { base: 'apply_patch' })] }
  const plain = PLAIN.exec(text.slice(0, patch.index))
  const isOne = second === undefined && times === 1
  const cwd = resolve(site.cwd, plain?.[1] ?? plain?.[2] ?? '.')
  const facts = await APPLY_PATCH.facts?.({ command: text }, { ...site, cwd })
  return { ...present({ facts }), doubts: plain === null || !isOne ? [why('folderUnseen')] : [] }
}

function withDoubts(command: CommandFact | undefined, doubts: readonly Why[]): CommandFact {
  const { unparsed = [], ...rest } = command ?? { bases: [], dangers: [] }
  return { ...rest, unparsed: [...[unparsed].flat(), ...doubts] as Why[] }
}

export const CODEX_TOOLS: ToolTable = {
  Bash: line('command'),
  shell: line('command'),
  shell_command: line('command'),
  exec_command: line('cmd'),
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
  close_agent: OWN_READING,
  get_goal: OWN_STATE,
  create_goal: OWN_STATE,
  update_goal: OWN_STATE,
  tool_search: OWN_READING,
}
