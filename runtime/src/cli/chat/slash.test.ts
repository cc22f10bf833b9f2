import { expect, test } from 'vitest'
import { spyTools } from '../../../test/support/engine.ts'
import { call, speaking } from '../../../test/support/server.ts'
import { createAgent } from '../../assembly/agent.ts'
import { drain } from '../../base/wait.ts'
import { obeySlash } from './slash.ts'

test('S1-99: an approval taken back while a turn of the conversation runs elsewhere does that turn no harm', async () => {
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
  const desk = { agent, sessionId, given: {}, io } as unknown as Parameters<typeof obeySlash>[1]
  const revoked = obeySlash('/approvals revoke change', desk)
  go.resolve()
  expect(await turn).toMatchObject({ stopReason: 'final', reply: 'two' })
  await revoked
  expect(said.join('')).toContain('change')
  await obeySlash('/approvals', desk)
  expect(said.at(-1)).toBe('Nothing is allowed beforehand in this session.\n')
  await agent.close()
})
