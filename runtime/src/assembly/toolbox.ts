/** The tools of an agent, and what must be closed with them. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import { systemClock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { loginsFile } from '../config/mcp-logins.ts'
import { loadSkill, type SkillMeta } from '../context/skills.ts'
import { inspect } from '../inspect/inspect.ts'
import type { Docs } from '../ports/docs.ts'
import type { Memories } from '../ports/memory.ts'
import type { Routines } from '../ports/routines.ts'
import type { Principal } from '../protocol/principal.ts'
import type { ScoutOrchestrator } from '../scout/orchestrator.ts'
import { endBrowser } from '../tool/browser/closing.ts'
import { browserTools } from '../tool/browser/tools.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { readDocTool } from '../tool/docs/read-doc.ts'
import { searchDocsTool } from '../tool/docs/search-docs.ts'
import type { Mcp, McpDeps } from '../tool/mcp/open.ts'
import { memoryForgetTool } from '../tool/memory/memory-forget.ts'
import { memoryRecallTool } from '../tool/memory/memory-recall.ts'
import { memoryStoreTool } from '../tool/memory/memory-store.ts'
import { Registry } from '../tool/registry.ts'
import { routineTool } from '../tool/routine.ts'
import { skillTool } from '../tool/skill.ts'
import type { Tool } from '../tool/tool.ts'
import type { CompanyTools } from './company-tools.ts'
import { scoutTools } from './scouts.ts'

export interface Toolbox {
  registry: Registry
  /** MCP servers that could not be used. */
  warnings: string[]
  close(): Promise<void>
}

export interface ToolboxDeps {
  self(): JsonObject
  memory: Memories | undefined
  skills: readonly SkillMeta[]
  routinesOf(owner: Principal): Routines
  /** Closed with the toolbox. */
  docs: Docs
  scouts: ScoutOrchestrator
  /** Closed with the toolbox. */
  company: CompanyTools
}

export interface AddedTools {
  /** Built-in too, but made where the engine is known. */
  nodes: readonly Tool[]
  /** Tools of the host program. */
  own: readonly Tool[]
  /** Whether to start the configured MCP servers. */
  withServers: boolean
  onConnecting?: McpDeps['onConnecting']
}

/** The built-in tools; no server is contacted. */
function builtInTools(context: WorkspaceContext, deps: ToolboxDeps): Tool[] {
  const { env, data, loaded } = context
  const { self, memory, skills, routinesOf, docs, scouts, company } = deps
  const artifacts = join(data ?? join(tmpdir(), `writ-${process.pid}`), 'artifacts')
  return [
    ...builtinTools({ config: () => ({ agent: loaded.config as unknown as JsonObject }), self }),
    ...browserTools({ env, artifacts }),
    ...(memory === undefined ? [] : [memoryStoreTool(memory), memoryRecallTool(memory), memoryForgetTool(memory)]),
    searchDocsTool(docs),
    readDocTool(docs),
    ...scoutTools(context, scouts),
    ...(skills.length === 0 ? [] : [skillTool(skills, loadSkill)]),
    ...company.tools,
    routineTool({ routinesOf, lang: loaded.lang, inspect: (text) => inspect(text, { tool: 'message' }) }),
  ] as Tool[]
}

type Servers = WorkspaceContext['loaded']['config']['mcp']['servers']

let openToolboxes = 0

/**
 * A tool of the host program replaces a built-in one of the same name, because the host is the operator; a tool of an
 * MCP server never does. When a tool cannot be registered, everything is closed again.
 */
export async function openToolbox(context: WorkspaceContext, deps: ToolboxDeps, added: AddedTools): Promise<Toolbox> {
  const mcp = added.withServers ? await openServers(context, { onConnecting: added.onConnecting }) : undefined
  openToolboxes++
  let closed: Promise<void> | undefined
  async function closeParts(): Promise<void> {
    await deps.docs.close()
    await deps.company.close()
    await mcp?.close()
    // An open browser keeps the process alive, but all agents of the process share it.
    if (--openToolboxes > 0) return
    await endBrowser()
  }
  // Counted once: a second close would close the browser of an agent that still uses it.
  const close = () => (closed ??= closeParts())
  const replaced = new Set(added.own.map(({ name }) => name))
  const ours = [...builtInTools(context, deps), ...added.nodes].filter(({ name }) => !replaced.has(name))
  try {
    const registry = new Registry([...ours, ...(mcp?.tools ?? []), ...added.own])
    return { registry, warnings: mcp?.status().flatMap(({ notes }) => notes) ?? [], close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Undefined when none is configured. */
export async function openServers(
  { env, workspace, data, loaded, configHome }: WorkspaceContext,
  {
    servers = loaded.config.mcp.servers,
    ...given
  }: Pick<McpDeps, 'onConnecting' | 'host'> & { servers?: Servers } = {},
): Promise<Mcp | undefined> {
  if (Object.keys(servers).length === 0) return undefined
  const { openMcp } = await import('../tool/mcp/open.ts')
  const storePath = data === undefined ? undefined : join(data, 'mcp')
  return openMcp(servers, {
    env,
    lang: loaded.lang,
    clock: systemClock,
    workspace,
    storePath,
    logins: loginsFile(configHome),
    ...given,
  })
}
