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
const notes: unknown[] = []
const context: ToolContext = callIn(world, { note: (...note) => notes.push(note) })

const skills = [
  { name: 'weekly-report', folder: '/w/.writ/skills/report', allowedTools: ['git'] },
  { name: 'letters', folder: '/home/me/.config/writ/skills/letters' },
]
const loaded: string[] = []
const tool = skillTool(skills, async ({ name }) => {
  loaded.push(name)
  return `How to ${name}.`
})
const ask = (name: string) => tool.execute({ name }, context)

test('S1-133, S1-77: it is internal, Low and read-only', () => {
  expect([tool.name, tool.trust, tool.risk, tool.readOnly]).toEqual(['skill', 'internal', 'Low', true])
})

test('S1-137: only the instructions of the requested skill are read', async () => {
  expect(await ask('letters')).toEqual({ ok: true, text: 'How to letters.' })
  expect(loaded).toEqual(['letters'])
})

test('a skill of the workspace names the folder of its files', async () => {
  expect(await ask('weekly-report')).toEqual({
    ok: true,
    text: 'How to weekly-report.\n\n[its files are in .writ/skills/report]',
  })
})

test('the journal records which tools a loaded skill lists; for an unknown skill it records nothing', async () => {
  notes.length = 0
  for (const name of ['weekly-report', 'letters', 'ghost']) await ask(name)
  expect(notes).toEqual([
    ['skill.loaded', { callId: 'c', skill: 'weekly-report', allowedTools: ['git'] }],
    ['skill.loaded', { callId: 'c', skill: 'letters' }],
  ])
})

test('an unknown name is answered with the nearest name, or with all', async () => {
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
