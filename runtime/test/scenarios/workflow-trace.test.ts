import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

test('S3-157: the trace of a workflow shows what its agent did, and names the agent’s own run', async () => {
  const args = { model: 'rules', max_steps: 5, allowed_tools: ['file_list'], prompt: 'list the files here' }
  const nodes = [
    { id: 'list', tool: 'file_list', args: { path: '.' } },
    { id: 'thinker', tool: 'agent_core', args },
  ]
  place.file('w.json', { name: 'w', nodes, edges: [{ from: 'list', to: 'thinker' }] })
  const ran = await place.writ(['workflow', 'run', 'w.json', '--json', '--model', 'rules'])
  const { runId } = ran.json().at(-1) as { runId: string }

  const [found] = (await place.writ(['trace', runId, '--json'])).json() as {
    nodes: { agent?: { runId: string; trace: object[] } }[]
  }[]
  const [plain, thinker] = found?.nodes ?? []
  expect(plain).not.toHaveProperty('agent')
  const agentRun = thinker?.agent?.runId ?? ''
  expect(thinker?.agent?.trace).toMatchObject([{ step: 1, action: { tool: 'file_list' } }])
  const [own] = (await place.writ(['trace', agentRun, '--json'])).json()
  expect(own?.trace).toEqual(thinker?.agent?.trace)

  const { stdout } = await place.writ(['trace', runId])
  const lines = stdout.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line) => /^✓ thinker agent_core /.test(line))
  expect(lines[at + 1]).toBe(`agent: writ trace ${agentRun}`)
  expect(lines[at + 2]).toMatch(/^✓ 1 file_list /)
  expect((await place.writ(['trace', runId, '--lang', 'zh'])).stdout).toContain(`智能体：writ trace ${agentRun}`)
})
