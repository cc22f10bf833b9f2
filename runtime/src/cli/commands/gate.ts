import * as z from 'zod'
import { settingOf } from '../../agent/setting.ts'
import { externalTool, judgeTrajectory, type Trajectory } from '../../agent/trajectory.ts'
import { localTools } from '../../assembly/toolbox.ts'
import { messageOf, WritError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Lang } from '../../i18n/locale.ts'
import { tooDeep } from '../../model/call-args.ts'
import { TASK_INTENTS, TOOL_FAMILIES } from '../../protocol/intent.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../../protocol/risk.ts'
import { Registry } from '../../tool/registry.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { linesOf } from '../lines.ts'
import { settingFlags } from '../setting-flags.ts'
import { cliTexts } from '../texts.ts'

const intent = z.enum(TASK_INTENTS)
const tool = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  schema: z.custom<JsonObject>((value) => z.record(z.string(), z.unknown()).safeParse(value).success).optional(),
  family: z.enum(TOOL_FAMILIES).optional(),
  risk: z.enum(RISK_LEVELS).optional(),
  trust: z.enum(['internal', 'external']).optional(),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional(),
  targetParams: z.array(z.string()).optional(),
})
const step = z.strictObject({
  tool: z.string(),
  args: z.unknown(),
  result: z.unknown().optional(),
  error: z.string().optional(),
})
const line = z.strictObject({
  id: z.union([z.string(), z.number()]),
  task: z.string(),
  intent: z.union([intent, z.looseObject({ label: intent })]).default('general'),
  route: z.enum(DECISION_ROUTES).default('CloudLlm'),
  tools: z.array(tool).default([]),
  steps: z.array(step),
})

export async function gate(given: Given, io: Io): Promise<number> {
  const setting = await settingOf(settingFlags(given, io))
  const tools = localTools(setting, { self: () => ({}), memory: undefined, skills: [], routines: undefined })
  const files = given.words.length === 0 ? ['-'] : given.words
  for (const file of files) {
    let number = 0
    for await (const text of linesOf(file, io)) {
      number++
      if (text.trim() === '') continue
      const { id, trajectory } = parseLine(text, { where: `${file}:${number}`, lang: io.lang })
      io.stdout(`${JSON.stringify({ id, ...(await judgeTrajectory(trajectory, { setting, tools })) })}\n`)
    }
  }
  return 0
}

/** A bad line is named by its file, its number and the key in it. */
function parseLine(
  text: string,
  { where, lang }: { where: string; lang: Lang },
): { id: string | number; trajectory: Trajectory } {
  const { gate: texts } = cliTexts(lang)
  const bad = (path: string, why: string) =>
    new WritError('LINE_INVALID', texts.bad({ where, path, why }), { hint: texts.badHint })
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new WritError('LINE_INVALID', texts.notJson({ where }), { hint: texts.badHint, cause })
  }
  const parsed = line.safeParse(raw)
  const [issue] = parsed.error?.issues ?? []
  if (issue !== undefined) throw bad(pathOf(issue.path), issue.message)
  if (!parsed.success) throw bad('.', parsed.error.message)
  const { id, intent: given, ...rest } = parsed.data
  for (const [i, step] of rest.steps.entries()) {
    const fault = tooDeep(step.args)
    if (fault !== undefined) throw bad(`steps[${i}].args`, fault)
  }
  const names = new Set<string>()
  const own = rest.tools.map((declared, i) => {
    if (names.has(declared.name)) throw bad(`tools[${i}].name`, `two tools are named "${declared.name}"`)
    names.add(declared.name)
    const tool = externalTool(declared)
    try {
      new Registry([tool])
    } catch (error) {
      throw bad(`tools[${i}].name`, messageOf(error))
    }
    return tool
  })
  const registry = new Registry(own)
  for (const [i, tool] of own.entries()) {
    try {
      registry.misfits(tool, {})
    } catch (error) {
      throw bad(`tools[${i}].schema`, messageOf(error))
    }
  }
  return { id, trajectory: { ...rest, intent: typeof given === 'string' ? given : given.label } }
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text === '' ? '.' : text.replace(/^\./, '')
}
