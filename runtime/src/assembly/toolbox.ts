/** The tools an agent brings along, and what must be put away when it closes. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Setting } from '../agent/setting.ts'
import { systemClock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { loadSkill, type SkillMeta } from '../context/skills.ts'
import type { Principal } from '../protocol/principal.ts'
import type { ScoutOrchestrator } from '../scout/orchestrator.ts'
import type { Docs } from '../storage/docs-port.ts'
import type { Memories } from '../storage/memory-port.ts'
import type { Routines } from '../storage/routine-port.ts'
import { browserTools } from '../tool/browser/tools.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { readDocTool } from '../tool/docs/read-doc.ts'
import { searchDocsTool } from '../tool/docs/search-docs.ts'
import { inspect } from '../tool/inspect/inspect.ts'
import type { Mcp } from '../tool/mcp/open.ts'
import { memoryForgetTool } from '../tool/memory/memory-forget.ts'
import { memoryRecallTool } from '../tool/memory/memory-recall.ts'
import { memoryStoreTool } from '../tool/memory/memory-store.ts'
import { Registry } from '../tool/registry.ts'
import { routineTool } from '../tool/routine.ts'
import { skillTool } from '../tool/skill.ts'
import type { Tool } from '../tool/tool.ts'
import type { ContextDesk } from './context-desk.ts'
import { scoutTools } from './scout-desk.ts'

export interface Toolbox {
  registry: Registry
  /** What was configured and could not be used. */
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
  context: ContextDesk
}

export interface Brought {
  /** Ours as well, made where engines are known. */
  nodes: readonly Tool[]
  own: readonly Tool[]
  /** Whether the configured MCP servers are started for theirs. */
  servers: boolean
}

/** Everything of our own; no server is contacted for it. */
function localTools(setting: Setting, deps: ToolboxDeps): Tool[] {
  const { env, data, loaded } = setting
  const { self, memory, skills, routinesOf, docs, scouts, context } = deps
  const artifacts = join(data ?? join(tmpdir(), `writ-${process.pid}`), 'artifacts')
  return [
    ...builtinTools({ config: () => ({ agent: loaded.config as unknown as JsonObject }), self }),
    ...browserTools({ env, artifacts }),
    ...(memory === undefined ? [] : [memoryStoreTool(memory), memoryRecallTool(memory), memoryForgetTool(memory)]),
    searchDocsTool(docs),
    readDocTool(docs),
    ...scoutTools(setting, scouts),
    ...(skills.length === 0 ? [] : [skillTool(skills, loadSkill)]),
    ...context.tools,
    routineTool({ routinesOf, inspect: (text) => inspect(text, { tool: 'message' }) }),
  ] as Tool[]
}

let inUse = 0

/**
 * `brought`: what the host program adds. It is the operator, so a tool of its own takes the place of ours of that name;
 * a server's never does. A tool that cannot be registered is refused, and nothing stays open for it.
 */
export async function openToolbox(setting: Setting, deps: ToolboxDeps, brought: Brought): Promise<Toolbox> {
  const mcp = brought.servers ? await openServers(setting) : undefined
  inUse++
  let closed: Promise<void> | undefined
  async function putAway(): Promise<void> {
    await deps.docs.close()
    await deps.context.close()
    await mcp?.close()
    // An open browser would keep the process alive; but it is one for all agents of the process.
    if (--inUse > 0) return
    const { closeAll } = await import('../tool/browser/sessions.ts')
    await closeAll()
  }
  // Counted once: a second close would take the browser from an agent that still uses it.
  const close = () => (closed ??= putAway())
  const taken = new Set(brought.own.map(({ name }) => name))
  const ours = [...localTools(setting, deps), ...brought.nodes].filter(({ name }) => !taken.has(name))
  try {
    const registry = new Registry([...ours, ...(mcp?.tools ?? []), ...brought.own])
    return { registry, warnings: mcp?.status().flatMap(({ notes }) => notes) ?? [], close }
  } catch (error) {
    await close()
    throw error
  }
}

/** MCP servers, where any are configured. */
async function openServers({ env, workspace, data, loaded }: Setting): Promise<Mcp | undefined> {
  const { servers } = loaded.config.mcp
  if (Object.keys(servers).length === 0) return undefined
  const { openMcp } = await import('../tool/mcp/open.ts')
  const storePath = data === undefined ? undefined : join(data, 'mcp')
  return openMcp(servers, { env, lang: loaded.lang, clock: systemClock, workspace, storePath })
}
