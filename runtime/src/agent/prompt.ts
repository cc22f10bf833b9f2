/** The system prompt of the second phase, section by section in S1's order. Empty sections are left out. */
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import type { SkillMeta } from '../context/skills.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import type { TaskIntentLabel } from '../protocol/intent.ts'
import type { Autonomy, IntentPolicy } from '../protocol/policy.ts'
import type { ScoutAdvice } from '../protocol/scout.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { joinedPrompt, type SystemPrompt } from './context.ts'

export interface PromptParts {
  lang: Lang
  /** AGENT.md, SOUL.md, USER.md and the workspace's AGENTS.md. */
  identity: string
  tools: readonly ToolDescription[]
  skills: readonly SkillMeta[]
  autonomy: Autonomy
  /** Set where the task's intent is enforced. */
  guard?: ({ intent: TaskIntentLabel; blockBudget: number } & IntentPolicy) | undefined
  /** Memories recalled for this task. */
  memories: string
  /** The instructions of the chosen skills. */
  guides: string
  workspace: string
  now: number
  /** Set when sending scouts would help; `dispatchTool` sends them. */
  advice?: ScoutAdvice | undefined
  dispatchTool?: string | undefined
  /** Set when a routine runs unattended. */
  routine?: string | undefined
  /** Set when the answer must be JSON. */
  outputSchema?: Record<string, unknown> | undefined
}

/** Not translated: S1 fixes this heading. */
const ROUTINE_HEADING = '[Routine 执行规范]'

/** The parts that are the same in every turn come first, so that providers can cache them; S1's order allows it. */
export function systemPrompt(parts: PromptParts): SystemPrompt {
  const { prompt } = texts(parts.lang)
  const { headings } = prompt
  const { workspace, routine, guard } = parts
  const stable: Section[] = [
    [`[1] ${headings.identity}`, [prompt.identity, parts.identity].filter((part) => part !== '').join('\n\n')],
    [`[2] ${headings.tools}`, parts.tools.map(toolLine).join('\n')],
    [`[2.5] ${headings.skills}`, skillList(parts.skills)],
    [`[3] ${headings.safety}`, `${prompt.autonomy[parts.autonomy]}\n${prompt.safety}`],
  ]
  const changing: Section[] = [
    [`[4] ${headings.memory}`, parts.memories],
    [`[4.5] ${headings.guides}`, parts.guides],
    [`[5] ${headings.environment}`, prompt.environment({ workspace, now: new Date(parts.now).toISOString() })],
    [`[6] ${headings.principles}`, prompt.principles],
    [headings.scouts, scoutAdvice(parts)],
    [headings.output, outputFormat(parts)],
    [ROUTINE_HEADING, routine === undefined ? '' : prompt.routine({ name: routine })],
  ]
  // The end of [3]: it depends on the task.
  const rules = guard === undefined ? [] : [prompt.intentGuard(guard)]
  return joinedPrompt(written(stable), [...rules, written(changing)].join('\n\n'))
}

type Section = [heading: string, body: string]

function written(sections: readonly Section[]): string {
  return sections
    .filter(([, body]) => body !== '')
    .map(([heading, body]) => `${heading}\n${body}`)
    .join('\n\n')
}

/** Longest line of a tool in the overview; the full description is sent with its schema. */
const LINE_MAX = 160

/** Name, parameters and what it does: the full schema goes with the request, or into the JSON dialect's own list. */
export function toolLine({
  name,
  description,
  schema,
}: Pick<ToolDescription, 'name' | 'description' | 'schema'>): string {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const params = properties.map((key) => (required.includes(key) ? key : `${key}?`))
  const text = description.replace(/\s+/g, ' ').trim()
  const start = /^.{20,}?(?=[.!?:;](?:\s|$)|[。！？：；])/.exec(text)?.[0] ?? text
  return `- ${name}(${params.join(', ')}): ${clip(start, LINE_MAX)}`
}

function scoutAdvice({ lang, advice, dispatchTool = '' }: PromptParts): string {
  if (advice === undefined) return ''
  return texts(lang).prompt.scouts({ tool: dispatchTool, tasks: advice.tasks.map(({ task }) => task) })
}

function outputFormat({ lang, outputSchema }: PromptParts): string {
  if (outputSchema === undefined) return ''
  return texts(lang).prompt.output({ schema: JSON.stringify(outputSchema) })
}

export function skillList(skills: readonly SkillMeta[]): string {
  return skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
}
