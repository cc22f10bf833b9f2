/** The tools an agent brings along, and what must be put away when it closes. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Setting } from '../agent/setting.ts'
import { systemClock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { loadSkill, type SkillMeta } from '../context/skills.ts'
import type { Memory } from '../storage/memory-port.ts'
import type { Routines } from '../storage/routine-port.ts'
import { browserTools } from '../tool/browser/tools.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { inspect } from '../tool/inspect/inspect.ts'
import type { Mcp } from '../tool/mcp/open.ts'
import { memoryForgetTool } from '../tool/memory/memory-forget.ts'
import { memoryRecallTool } from '../tool/memory/memory-recall.ts'
import { memoryStoreTool } from '../tool/memory/memory-store.ts'
import { routineTool } from '../tool/routine.ts'
import { skillTool } from '../tool/skill.ts'
import type { Tool } from '../tool/tool.ts'

export interface Toolbox {
  tools: Tool[]
  /** What was configured and could not be used. */
  warnings: string[]
  close(): Promise<void>
}

export interface ToolboxDeps {
  self(): JsonObject
  memory: Memory | undefined
  skills: readonly SkillMeta[]
  routines: Routines | undefined
}

/** Everything of our own; no server is contacted for it. */
export function localTools({ env, data, loaded }: Setting, { self, memory, skills, routines }: ToolboxDeps): Tool[] {
  const artifacts = join(data ?? join(tmpdir(), `writ-${process.pid}`), 'artifacts')
  return [
    ...builtinTools({ config: () => loaded.config as unknown as JsonObject, self }),
    ...browserTools({ env, artifacts }),
    ...(memory === undefined ? [] : [memoryStoreTool(memory), memoryRecallTool(memory), memoryForgetTool(memory)]),
    skillTool(skills, loadSkill),
    ...(routines === undefined
      ? []
      : [routineTool({ routines, inspect: (text) => inspect(text, { tool: 'message' }) })]),
  ] as Tool[]
}

export async function openToolbox(setting: Setting, deps: ToolboxDeps): Promise<Toolbox> {
  const mcp = await openServers(setting)
  return {
    tools: [...localTools(setting, deps), ...(mcp?.tools ?? [])],
    warnings: mcp?.status().flatMap(({ notes }) => notes) ?? [],
    async close() {
      await mcp?.close()
      // An open browser would keep the process alive; nothing is loaded here unless one was used.
      const { closeAll } = await import('../tool/browser/sessions.ts')
      await closeAll()
    },
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
