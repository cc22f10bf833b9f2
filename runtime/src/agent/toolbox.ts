/** The tools an agent brings along, and what must be put away when it closes. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { loadSkill, type SkillMeta } from '../context/skills.ts'
import type { Memory } from '../storage/memory-port.ts'
import type { Routines } from '../storage/routine-port.ts'
import { browserTools } from '../tool/browser/tools.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { inspect } from '../tool/inspect/inspect.ts'
import { memoryForgetTool } from '../tool/memory/memory-forget.ts'
import { memoryRecallTool } from '../tool/memory/memory-recall.ts'
import { memoryStoreTool } from '../tool/memory/memory-store.ts'
import { routineTool } from '../tool/routine.ts'
import { skillTool } from '../tool/skill.ts'
import type { Tool } from '../tool/tool.ts'
import type { Setting } from './setting.ts'

export interface Toolbox {
  tools: Tool[]
  close(): Promise<void>
}

export interface ToolboxDeps {
  self(): JsonObject
  memory: Memory | undefined
  skills: readonly SkillMeta[]
  routines: Routines | undefined
}

export function openToolbox({ env, data, loaded }: Setting, { self, memory, skills, routines }: ToolboxDeps): Toolbox {
  const artifacts = join(data ?? join(tmpdir(), `writ-${process.pid}`), 'artifacts')
  return {
    tools: [
      ...builtinTools({ config: () => loaded.config as unknown as JsonObject, self }),
      ...browserTools({ env, artifacts }),
      ...(memory === undefined ? [] : [memoryStoreTool(memory), memoryRecallTool(memory), memoryForgetTool(memory)]),
      skillTool(skills, loadSkill),
      ...(routines === undefined
        ? []
        : [routineTool({ routines, inspect: (text) => inspect(text, { tool: 'message' }) })]),
    ] as Tool[],
    async close() {
      // An open browser would keep the process alive; nothing is loaded here unless one was used.
      const { closeAll } = await import('../tool/browser/sessions.ts')
      await closeAll()
    },
  }
}
