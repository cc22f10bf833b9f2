/** The outside agents that Writ knows: their tools, and where their settings are. */
import { join } from 'node:path'
import { type Env, hooksHome } from '../config/places.ts'
import { CLAUDE_TOOLS } from './claude-tools.ts'
import { CODEX_TOOLS } from './codex-tools.ts'
import type { ToolTable } from './known-tool.ts'
import { OPENCODE_TOOLS } from './opencode-tools.ts'

export const AGENTS = ['claude', 'codex', 'opencode'] as const
export type AgentName = (typeof AGENTS)[number]

const TABLES: Readonly<Record<AgentName, ToolTable>> = {
  claude: CLAUDE_TOOLS,
  codex: CODEX_TOOLS,
  opencode: OPENCODE_TOOLS,
}

export function isAgent(name: string): name is AgentName {
  return (AGENTS as readonly string[]).includes(name)
}

export function tableOf(name: string): ToolTable {
  return isAgent(name) ? TABLES[name] : {}
}

export function outsideTools(): { name: string; family: string }[] {
  return AGENTS.flatMap((agent) => Object.entries(TABLES[agent]).map(([name, { family }]) => ({ name, family })))
}

const CONTINUED: Readonly<Record<AgentName, string>> = {
  claude: 'claude --resume',
  codex: 'codex resume',
  opencode: 'opencode --session',
}

/** The command that continues a session of an agent that has ended; undefined where none is known. */
export function continuing(agent: string, id: string): string | undefined {
  return isAgent(agent) && /^\w[\w-]*$/.test(id) ? `${CONTINUED[agent]} ${id}` : undefined
}

/** In a project, and in the user's home. An agent that can write these can switch the hooks off, or run programs. */
const IN_PROJECT = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.mcp.json',
  '.codex',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
]
const IN_HOME = ['.claude', '.claude.json', '.codex', '.config/opencode']

/** The settings of every agent: one agent must not switch off the hooks of another either. */
export function settingsPlaces(workspace: string, home: string, env: Env): string[] {
  const own = [env.CLAUDE_CONFIG_DIR, env.CODEX_HOME, env.OPENCODE_CONFIG_DIR].filter((path) => !!path) as string[]
  return [
    ...IN_PROJECT.map((path) => join(workspace, path)),
    ...IN_HOME.map((path) => join(home, path)),
    ...own,
    hooksHome(env, home),
  ]
}
