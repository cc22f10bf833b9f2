import * as z from 'zod'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import { createAgent } from '../../assembly/agent.ts'
import { messageOf } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { WritError } from '../../errors/writ-error.ts'
import { tooDeep } from '../../model/call-args.ts'
import { scriptedModel } from '../../model/scripted.ts'
import { DEEDS } from '../../protocol/facts.ts'
import { TASK_INTENTS, TOOL_FAMILIES } from '../../protocol/intent.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../../protocol/risk.ts'
import { externalTool, judgeTrajectory, type Trajectory, type TrajectoryTool } from '../../replay/trajectory.ts'
import { Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { eachText, parseLine } from '../lines.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const intent = z.enum(TASK_INTENTS)
const json = z.custom<JsonObject>((value) => z.record(z.string(), z.unknown()).safeParse(value).success)
/** As an MCP server lists its tools, plus what an operator declares: a family, or the deed of a call. */
const tool = z
  .strictObject({
    name: z.string(),
    title: z.string().optional(),
    outputSchema: json.optional(),
    icons: z.unknown().optional(),
    _meta: z.unknown().optional(),
    description: z.string().optional(),
    schema: json.optional(),
    inputSchema: json.optional(),
    family: z.enum([...TOOL_FAMILIES, ...DEEDS]).optional(),
    risk: z.enum(RISK_LEVELS).optional(),
    trust: z.enum(['internal', 'external']).optional(),
    annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional(),
    targetParams: z.array(z.string()).optional(),
  })
  .transform(({ family, schema, inputSchema = schema, ...rest }): TrajectoryTool => {
    const deed = DEEDS.find((one) => one === family)
    const known = TOOL_FAMILIES.find((one) => one === family)
    return {
      ...rest,
      ...(inputSchema && { schema: inputSchema }),
      ...(known && { family: known }),
      ...(deed && { deed }),
    }
  })
const step = z
  .object({
    tool: z.string(),
    args: z.unknown(),
    result: z.unknown().optional(),
    error: z.union([z.string(), z.boolean(), z.null()]).optional(),
  })
  .transform(({ error, ...rest }) => ({
    ...rest,
    // With `error: true` the result is the text of the failure.
    ...(error === true ? { error: String(rest.result ?? 'failed') } : typeof error === 'string' ? { error } : {}),
  }))
const schema = z.strictObject({
  id: z.union([z.string(), z.number()]),
  task: z.string(),
  intent: z.union([intent, z.looseObject({ label: intent })]).default('general'),
  route: z.enum(DECISION_ROUTES).default('CloudLlm'),
  tools: z.array(tool).default([]),
  steps: z.array(step),
})

export async function gate(given: Given, io: Io): Promise<number> {
  const flags = workspaceFlags(given, io)
  const context = await loadWorkspace(flags)
  // The tools of a real run. None of them is called, so the data stays in memory.
  const inMemory = { ...context, data: undefined }
  const agent = await createAgent({ ...flags, context: inMemory, model: scriptedModel([]), judging: true })
  const declared = declaring()
  try {
    await agent.policy.demandExamples()
    await eachText(given.words, io, {
      by: 'line',
      async work(text, where) {
        const invalid = (path: string, why: string) =>
          new WritError('LINE_INVALID.value', { where, path, why: { en: why, zh: why }, kind: 'trajectory' })
        const { id, intent, ...rest } = parseLine(text, { schema, where, kind: 'trajectory' })
        const judged = async () => {
          const tools = toolsOf(rest.tools, { declared, where, invalid })
          for (const [i, step] of rest.steps.entries()) {
            const fault = tooDeep(step.args)
            if (fault !== undefined) throw invalid(`steps[${i}].args`, fault)
          }
          const label = typeof intent === 'string' ? intent : intent.label
          const trajectory: Trajectory = { ...rest, tools, intent: label }
          return judgeTrajectory(trajectory, { context, tools: agent.tools, inspect: agent.engine.inspect })
        }
        // A failing line must not stop the lines after it.
        const verdict = await judged().catch((error: unknown) => {
          throw error instanceof WritError && error.code === 'LINE_INVALID' ? error : invalid('.', messageOf(error))
        })
        io.stdout(`${JSON.stringify({ id, ...verdict })}\n`)
      },
    })
  } finally {
    await agent.close()
  }
  return 0
}

const MAX_CACHED = 1000

/** Many lines declare the same tools, so each declaration is checked once. */
function declaring(): (tool: TrajectoryTool) => Tool | { path: string; why: string } {
  const known = new Map<string, Tool | { path: string; why: string }>()
  return (tool) => {
    const key = JSON.stringify(tool)
    const found = known.get(key) ?? declare(tool)
    if (known.size >= MAX_CACHED) known.clear()
    known.set(key, found)
    return found
  }
}

function declare(declared: TrajectoryTool): Tool | { path: string; why: string } {
  const tool = externalTool(declared)
  let path = 'name'
  try {
    const registry = new Registry([tool])
    path = 'schema'
    registry.misfits(tool, {})
    return tool
  } catch (error) {
    return { path, why: messageOf(error) }
  }
}

function toolsOf(
  given: readonly TrajectoryTool[],
  {
    declared,
    where,
    invalid,
  }: { declared: ReturnType<typeof declaring>; where: string; invalid(path: string, why: string): WritError },
): Tool[] {
  const names = new Set<string>()
  return given.map((one, i) => {
    if (names.has(one.name)) {
      throw new WritError('LINE_INVALID.sameTool', { where, path: `tools[${i}].name`, name: one.name })
    }
    names.add(one.name)
    const tool = declared(one)
    if ('why' in tool) throw invalid(`tools[${i}].${tool.path}`, tool.why)
    return tool
  })
}
