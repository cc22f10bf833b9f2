/** The tools of opencode, as its plugins are told of them. */
import { searchRoot } from './claude-tools.ts'
import { patchedFiles } from './codex-tools.ts'
import {
  demandText,
  fetches,
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

const APPLY_PATCH = writes(
  ({ patchText }) => patchedFiles(demandText(patchText, 'patchText')),
  ({ patchText }) => String(patchText),
)

export const OPENCODE_TOOLS: ToolTable = {
  bash: shell('command', 'workdir'),
  read: reads(({ filePath }) => [filePath]),
  edit: writes(
    ({ filePath }) => [filePath],
    ({ oldString, newString }) => `- ${String(oldString)}\n+ ${String(newString)}`,
  ),
  write: writes(
    ({ filePath }) => [filePath],
    ({ content }) => String(content),
  ),
  patch: APPLY_PATCH,
  apply_patch: APPLY_PATCH,
  glob: reads(({ path, pattern }) => [searchRoot(path, pattern)]),
  grep: searches('grep', ({ path, include: glob }) => ({ path: String(path ?? '.'), glob })),
  list: reads(({ path }) => [path ?? '.']),
  webfetch: fetches('url'),
  websearch: WEB_SEARCH,
  task: SUB_AGENT,
  todowrite: OWN_STATE,
  todoread: OWN_STATE,
  question: OWN_STATE,
  skill: OWN_READING,
  invalid: OWN_STATE,
  plan_enter: OWN_STATE,
  plan_exit: OWN_STATE,
}
