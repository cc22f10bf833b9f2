import { expect, test } from 'vitest'
import { spyTools } from '../../../test/support/engine.ts'
import { call, speaking } from '../../../test/support/server.ts'
import { createAgent } from '../../assembly/agent.ts'
import { drain } from '../../base/wait.ts'
import { typedPath } from '../attach.ts'
import { runSlash } from './slash.ts'

test('S1-99: revoking an approval does not disturb a turn of the session that runs elsewhere', async () => {
  const go = Promise.withResolvers<void>()
  const change = { calls: [call('change', { n: 1 })] }
  const agent = await createAgent({
    data: ':memory:',
    config: {},
    model: speaking([[change], ['one'], [go.promise, change], ['two']]),
    tools: spyTools([]),
    confirm: async () => 'a',
  })
  const { sessionId } = await agent.run('change it')
  const turn = drain(agent.stream('change it again', { sessionId }))
  await expect.poll(async () => (await agent.store.listRuns({ sessionId })).length).toBe(2)
  const said: string[] = []
  const io = { lang: 'en', stdout: (text: string) => said.push(text) }
  const deps = { agent, sessionId, given: {}, io } as unknown as Parameters<typeof runSlash>[1]
  const revoked = runSlash('/approvals revoke change', deps)
  go.resolve()
  expect(await turn).toMatchObject({ stopReason: 'final', reply: 'two' })
  await revoked
  expect(said.join('')).toContain('change')
  await runSlash('/approvals', deps)
  expect(said.at(-1)).toBe('No standing approvals in this session.\n')
  await agent.close()
})

test.each([
  ['a shot.png', 'a shot.png'],
  ["'a shot.png'", 'a shot.png'],
  ['"a shot.png"', 'a shot.png'],
  ['a\\ shot\\(1\\).png', 'a shot(1).png'],
  ['~/a shot.png', '/home/ada/a shot.png'],
  ["'~/it''s'", "'~/it''s'"],
])('X-MEDIA-10: /attach %s', (typed, path) => {
  expect(typedPath(typed, '/home/ada')).toBe(path)
})
