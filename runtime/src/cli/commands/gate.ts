import * as z from 'zod'
import { settingOf } from '../../agent/setting.ts'
import { externalTool, judgeTrajectory, type Trajectory, type TrajectoryTool } from '../../agent/trajectory.ts'
import { createAgent } from '../../assembly/agent.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { tooDeep } from '../../model/call-args.ts'
import { scriptedModel } from '../../model/scripted.ts'
import { DEEDS } from '../../protocol/facts.ts'
import { TASK_INTENTS, TOOL_FAMILIES } from '../../protocol/intent.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../../protocol/risk.ts'
import { Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { eachText, parseLine } from '../lines.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'

const intent = z.enum(TASK_INTENTS)
const json = z.custom<JsonObject>((value) => z.record(z.string(), z.unknown()).safeParse(value).success)
/** As a server lists its tools, with what an operator writes beside them: a family, or what a call does. */
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
    // Where the text of the failure is the result, the error only says that it is one.
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
  const { lang } = io
  const hint = cliTexts(lang).gate.badHint
  const flags = settingFlags(given, io)
  const setting = await settingOf(flags)
  // The tools are a run's own; what they would work on is kept in memory, since none of them is called.
  const agent = await createAgent({ ...flags, data: ':memory:', model: scriptedModel([]), judging: true })
  const declared = declaring()
  try {
    await eachText(given.words, io, {
      by: 'line',
      async work(text, where) {
        const bad = (path: string, why: string) =>
          new WritError('LINE_INVALID', cliTexts(lang).gate.bad({ where, path, why }), { hint })
        const { id, intent, ...rest } = parseLine(text, { schema, where, hint, lang })
        const judged = async () => {
          const tools = toolsOf(rest.tools, { declared, bad })
          for (const [i, step] of rest.steps.entries()) {
            const fault = tooDeep(step.args)
            if (fault !== undefined) throw bad(`steps[${i}].args`, fault)
          }
          const label = typeof intent === 'string' ? intent : intent.label
          const trajectory: Trajectory = { ...rest, tools, intent: label }
          return judgeTrajectory(trajectory, { setting, tools: agent.tools })
        }
        // Whatever a line does to us, the lines after it are judged.
        const verdict = await judged().catch((error: unknown) => {
          throw error instanceof WritError && error.code === 'LINE_INVALID' ? error : bad('.', messageOf(error))
        })
        io.stdout(`${JSON.stringify({ id, ...verdict })}\n`)
      },
    })
  } finally {
    await agent.close()
  }
  return 0
}

const MOST_KEPT = 1000

/** Many lines bring the same tools: what each is, and whether it can be one, is found out once. */
function declaring(): (tool: TrajectoryTool) => Tool | { path: string; why: string } {
  const known = new Map<string, Tool | { path: string; why: string }>()
  return (tool) => {
    const key = JSON.stringify(tool)
    const found = known.get(key) ?? declare(tool)
    if (known.size >= MOST_KEPT) known.clear()
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
  { declared, bad }: { declared: ReturnType<typeof declaring>; bad(path: string, why: string): WritError },
): Tool[] {
  const names = new Set<string>()
  return given.map((one, i) => {
    if (names.has(one.name)) throw bad(`tools[${i}].name`, `two tools are named "${one.name}"`)
    names.add(one.name)
    const tool = declared(one)
    if ('why' in tool) throw bad(`tools[${i}].${tool.path}`, tool.why)
    return tool
  })
}
