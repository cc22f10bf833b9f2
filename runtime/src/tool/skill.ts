import { relative } from 'node:path'
import { present } from '../base/present.ts'
import { nearest } from '../base/text.ts'
import { isWithin } from './guard/paths.ts'
import { defineTool, type Tool, type ToolOutput } from './tool.ts'

interface SkillArgs {
  name: string
}

/** `load` reads a skill's instructions; before that only its name and description are known. */
export function skillTool<Skill extends { name: string; folder: string; allowedTools?: string[] }>(
  skills: readonly Skill[],
  load: (skill: Skill) => Promise<string>,
): Tool<SkillArgs> {
  return defineTool<SkillArgs>({
    name: 'skill',
    description: 'Read the full instructions of one of the listed skills before doing what it is for.',
    schema: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 200, description: 'Its name as listed.' } },
      required: ['name'],
      additionalProperties: false,
    },
    family: 'task',
    risk: 'Low',
    trust: 'internal',
    readOnly: true,

    async execute({ name }, { world, callId, note }): Promise<ToolOutput> {
      const skill = skills.find((each) => each.name === name)
      if (skill === undefined) {
        const names = skills.map((each) => each.name)
        const near = nearest(name, names)
        const known = near === undefined ? `there are: ${names.join(', ') || 'none'}` : `did you mean ${near}?`
        return { ok: false, error: `there is no skill ${JSON.stringify(name)}; ${known}`, code: 'SKILL_UNKNOWN' }
      }
      const body = await load(skill)
      const { allowedTools } = skill
      note('skill.loaded', { callId, skill: name, ...present({ allowedTools }) })
      if (!isWithin(skill.folder, world.workspace)) return { ok: true, text: body }
      return { ok: true, text: `${body}\n\n[its files are in ${relative(world.workspace, skill.folder)}]` }
    },
  })
}
