/** S3-1 S3-157: the process dies while an agent in a workflow thinks; another one goes on with it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { action, final } from '../support/agent-core.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type StubModel, type StubReply, startStubModel } from '../support/stub-model.ts'
import { until } from '../support/until.ts'

let place: Place
let stub: StubModel
let silent: boolean
beforeEach(async () => {
  place = makePlace()
  silent = true
  stub = await startStubModel({
    reply: (_, index): StubReply => {
      if (index === 0) return { text: action('file_write', { path: 'note.txt', content: 'once' }) }
      return silent ? { fault: 'silent' } : { text: final('The note is written.') }
    },
  })
})
afterEach(async () => {
  await stub.close()
  place.remove()
})

test('killed in the agent’s second step, the workflow is resumed and answers', async () => {
  const args = { model: 'openai/m', max_steps: 5, allowed_tools: ['file_write'], prompt: 'Write the note.' }
  const nodes = [
    { id: 'agent', tool: 'agent_core', args },
    { id: 'after', tool: 'json_transform', args: { input: ['{{nodes.agent.output}}'], expression: '[0]' } },
  ]
  place.file('w.json', { name: 'w', nodes, edges: [{ from: 'agent', to: 'after' }] })
  const config = place.file('config.json', {
    agent: { model: 'openai/m', baseURL: `${stub.url}/v1`, security: { autonomy: 'Full' } },
  })
  const env = { OPENAI_API_KEY: 'k' }
  const running = place.start(['workflow', 'run', 'w.json', '--json', '--config', config], { env })
  await until(() => stub.requests.length === 2)
  expect(place.read('note.txt')).toBe('once')
  running.child.kill('SIGKILL')
  await running.ended
  silent = false
  place.file('note.txt', 'changed since')
  const rows = (await place.writ(['trace', '--json'])).json() as { runId: string; task: string; stopped: boolean }[]
  const run = rows.find(({ task }) => task === 'w')
  expect(run).toMatchObject({ stopped: false })
  const resumed = await place.writ(['workflow', 'resume', String(run?.runId), '--json', '--config', config], { env })
  expect(resumed.code).toBe(0)
  expect(resumed.json().at(-1)).toMatchObject({
    ok: true,
    nodes: { agent: { state: 'done' }, after: { state: 'done' } },
    outputs: {
      agent: {
        final_answer: 'The note is written.',
        finish_reason: 'final',
        trace: [{ step: 1, action: { tool: 'file_write' } }],
      },
      after: { value: 'The note is written.' },
    },
  })
  expect(stub.requests).toHaveLength(3)
  expect(place.read('note.txt')).toBe('changed since')
  expect((await place.writ(['audit', 'verify'])).code).toBe(0)
})
