/** A tool runs only after the gate has decided, on every surface of the library. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { type Autonomy, defineTool, type Event, type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { answer, explore, scoutSays } from '../support/scouts.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const WORKFLOW = { name: 'w', nodes: [{ id: 'a', tool: 'stamp', args: {} }] }
const call: ScriptEntry = { purpose: 'main', calls: [{ tool: 'stamp', args: {} }] }

/** Calls the tool `stamp` on one surface; returns how often it ran, and the events of all runs. */
async function use(surface: keyof typeof SURFACES, autonomy: Autonomy) {
  let stamped = 0
  const stamp = defineTool<object>({
    name: 'stamp',
    description: 'Stamps a form.',
    schema: { type: 'object' },
    risk: 'Medium',
    execute: () => `${++stamped}`,
  })
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    env: {},
    tools: [stamp],
    autonomy,
    model: scriptedModel(SURFACES[surface].script),
    config: {},
  })
  await SURFACES[surface].act(agent)
  const runs = await agent.store.listRuns()
  const events = (await Promise.all(runs.map(({ runId }) => agent.store.readRun(runId)))).flat()
  await agent.close()
  return { stamped, events }
}

type Agent = Awaited<ReturnType<typeof createAgent>>
async function drain(events: AsyncGenerator<Event, unknown>): Promise<void> {
  for await (const _event of events);
}

const SURFACES = {
  chat: { script: [call, answer()], act: (agent: Agent) => agent.run('stamp the form') },
  routine: {
    script: [call, answer()],
    act: (agent: Agent) => drain(agent.stream('stamp the form', { routine: { name: 'daily', dueAt: 1 } })),
  },
  workflow: { script: [], act: (agent: Agent) => drain(agent.workflows.stream(WORKFLOW)) },
  scout: {
    script: [explore(['is the form stamped?']), ...scoutSays(1, { tool: 'stamp', args: {} }), answer()],
    act: (agent: Agent) => agent.run('is the form stamped?'),
  },
}

const stampsIn = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'gate.decided' && event.data.tool === 'stamp' ? [event] : []))

test.each(['chat', 'routine', 'workflow'] as const)(
  'S0-7: a %s runs a tool once the gate has allowed it',
  async (surface) => {
    const { stamped, events } = await use(surface, 'Full')
    expect(stamped).toBe(1)
    const [decided] = stampsIn(events)
    expect(decided?.data.decision).toBe('allow')
    const called = events.findIndex((event) => event.type === 'tool.call' && event.data.tool === 'stamp')
    expect(events.findIndex((event) => event.type === 'gate.decided' && event.data.tool === 'stamp')).toBeLessThan(
      called,
    )
  },
)

test.each([
  ['chat', 'ReadOnly'],
  ['routine', 'ReadOnly'],
  ['workflow', 'ReadOnly'],
  ['scout', 'Full'],
] as const)('S0-7: what the gate denies in a %s under %s does not run', async (surface, autonomy) => {
  const { stamped, events } = await use(surface, autonomy)
  expect(stampsIn(events).map(({ data }) => data.decision)).toEqual(['deny'])
  expect(stamped).toBe(0)
})
