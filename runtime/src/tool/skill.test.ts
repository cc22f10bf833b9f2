import { expect, test } from 'vitest'
import { callIn } from '../../test/support/call.ts'
import { skillTool } from './skill.ts'
import type { ToolContext, World } from './tool.ts'

const world: World = {
  workspace: '/w',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
}
const context: ToolContext = callIn(world)

const skills = [
  { name: 'weekly-report', folder: '/w/.writ/skills/report' },
  { name: 'letters', folder: '/home/me/.config/writ/skills/letters' },
]
const loaded: string[] = []
const tool = skillTool(skills, async ({ name }) => {
  loaded.push(name)
  return `How to ${name}.`
})
const ask = (name: string) => tool.execute({ name }, context)

test('S1-133, S1-77: it is internal, Low, and changes nothing', () => {
  expect([tool.name, tool.trust, tool.risk, tool.readOnly]).toEqual(['skill', 'internal', 'Low', true])
})

test('S1-137: the instructions of the skill asked for are read, and of no other', async () => {
  expect(await ask('letters')).toEqual({ ok: true, text: 'How to letters.' })
  expect(loaded).toEqual(['letters'])
})

test('a skill of the workspace says where its files are', async () => {
  expect(await ask('weekly-report')).toEqual({
    ok: true,
    text: 'How to weekly-report.\n\n[its files are in .writ/skills/report]',
  })
})

test('an unknown name is answered with the nearest known, or with all', async () => {
  expect(await ask('weekly-reports')).toMatchObject({
    ok: false,
    error: expect.stringContaining('did you mean weekly-report?'),
  })
  expect(await ask('../../etc/passwd')).toMatchObject({
    ok: false,
    code: 'SKILL_UNKNOWN',
    error: expect.stringContaining('weekly-report, letters'),
  })
})
