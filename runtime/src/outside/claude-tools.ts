/** The tools of Claude Code, as its hooks name them. */
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { clipPreview } from '../protocol/preview.ts'
import {
  demandText,
  fetches,
  type KnownTool,
  listOf,
  MAX_PREVIEW,
  OWN_READING,
  OWN_STATE,
  reads,
  SUB_AGENT,
  shell,
  type ToolTable,
  WEB_SEARCH,
  writes,
} from './known-tool.ts'
import { searches } from './searches.ts'

/** The diff of an edit, as its old and new text. */
function replacement({ old_string, new_string }: JsonObject): string {
  return `- ${String(old_string).replaceAll('\n', '\n- ')}\n+ ${String(new_string).replaceAll('\n', '\n+ ')}`
}

/** A pattern may lead elsewhere by itself: what comes before its first wildcard. */
export function searchRoot(path: unknown, pattern: unknown): string {
  const from = path === undefined || path === null ? '.' : demandText(path, 'path')
  const fixed = typeof pattern === 'string' ? (/^[^*?[{]*/.exec(pattern)?.[0] ?? '') : ''
  if (isAbsolute(fixed) || /^~(?:$|\/)/.test(fixed)) return fixed
  return fixed.split('/').includes('..') || String(pattern).includes('../') ? join(from, '..') : from
}

/** Claude Code runs these lines of a skill when it loads it, and no hook is told. */
const LINE_IN_SKILL = /!`|^```!/m

/** Read where it is the user's or the project's. `FOLDER:NAME` may be one of a folder below, else it is of a plugin. */
const SKILL: KnownTool = {
  ...OWN_READING,
  async facts({ skill, command }, { world, home }) {
    const name =
      demandText(skill ?? command, 'skill')
        .trim()
        .replace(/^\//, '')
        .split(/\s/)[0] ?? ''
    const [folder = '', own] = name.split(/:(?=[^:]*$)/)
    const below = own === undefined ? [] : [join(world.workspace, folder, '.claude/skills', own, 'SKILL.md')]
    const files = [world.workspace, home].flatMap((root) => [
      join(root, '.claude/skills', name, 'SKILL.md'),
      join(root, '.claude/commands', `${name.replaceAll(':', '/')}.md`),
    ])
    const texts = await Promise.all([...files, ...below].map((file) => readFile(file, 'utf8').catch(() => undefined)))
    const found = texts.filter((text) => text !== undefined)
    const preview = clipPreview([name, ...found].join('\n'), MAX_PREVIEW)
    // A plugin was installed by the user; any other could be anywhere in the project.
    const isUnseen = found.length === 0 && own === undefined
    if (isUnseen || found.some((text) => LINE_IN_SKILL.test(text))) return { risk: 'High', readOnly: false, preview }
    return found.length === 0 ? { risk: 'Medium', readOnly: false, preview } : { preview }
  },
}

export const CLAUDE_TOOLS: ToolTable = {
  Bash: shell('command'),
  Monitor: shell('command'),
  Read: reads(({ file_path }) => [file_path]),
  Edit: writes(({ file_path }) => [file_path], replacement),
  MultiEdit: writes(
    ({ file_path }) => [file_path],
    ({ edits }) => listOf(edits).map(replacement).join('\n'),
  ),
  Write: writes(
    ({ file_path }) => [file_path],
    ({ content }) => String(content),
  ),
  NotebookEdit: writes(
    ({ notebook_path }) => [notebook_path],
    ({ new_source }) => String(new_source),
  ),
  Glob: reads(({ path, pattern }) => [searchRoot(path, pattern)]),
  Grep: searches('Grep', ({ path, output_mode: mode, glob, type: kind }) =>
    mode === 'content' ? { path: String(path ?? '.'), glob, kind } : undefined,
  ),
  LS: reads(({ path }) => [path ?? '.']),
  WebFetch: fetches('url'),
  WebSearch: WEB_SEARCH,
  Task: SUB_AGENT,
  Agent: SUB_AGENT,
  BashOutput: OWN_READING,
  TaskOutput: OWN_READING,
  KillShell: OWN_READING,
  TaskStop: OWN_READING,
  Skill: SKILL,
  SlashCommand: SKILL,
  ToolSearch: OWN_READING,
  TodoWrite: OWN_STATE,
  TaskCreate: OWN_STATE,
  TaskGet: OWN_STATE,
  TaskList: OWN_STATE,
  TaskUpdate: OWN_STATE,
  AskUserQuestion: OWN_STATE,
  EnterPlanMode: OWN_STATE,
  ExitPlanMode: OWN_STATE,
}
