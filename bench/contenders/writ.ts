/** Writ with its default security settings, the gate and a durable journal; the window and the step limit are off. */
import { type AgentOptions, createAgent, defineTool } from '../../runtime/src/index.ts'
import { LOOKUP, lookup, MODEL, type Open } from '../contender.ts'

const ENOUGH = 1_000_000

/** The other contenders have no built-in tools, and the schema of every tool is sent with every request. */
async function listBuiltins(): Promise<string[]> {
  const agent = await createAgent({ model: 'rules', config: {}, data: ':memory:' })
  await agent.close()
  return agent.tools.map((tool) => tool.name)
}

function configWithout(disabled: string[]): AgentOptions['config'] {
  return {
    agent: {
      limits: { maxSteps: ENOUGH, historyMessages: ENOUGH },
      tools: { disabled },
      // These would call the model before the first step or store memories after the run; no other contender does.
      memory: { enabled: false },
      routing: { enabled: false },
      execution: { intentGuard: { detector: 'heuristic' } },
    },
  }
}

export const open: Open = async ({ baseURL, data }) => {
  const agent = await createAgent({
    model: `compatible/${MODEL}`,
    baseURL,
    data,
    config: configWithout(await listBuiltins()),
    tools: [
      defineTool<{ n: number }>({
        name: LOOKUP.name,
        description: LOOKUP.description,
        schema: LOOKUP.schema,
        readOnly: true,
        execute: ({ n }) => lookup(n),
      }),
    ],
  })
  let last = { runId: '', steps: 0 }

  async function proveGoverned(): Promise<void> {
    const events = await agent.events(last.runId)
    const allowed = events.filter((event) => event.type === 'gate.decided' && event.data.decision === 'allow')
    if (allowed.length !== last.steps) throw new Error(`the journal holds ${allowed.length} of ${last.steps} verdicts`)
  }

  return {
    async run(task, steps) {
      const { reply, stopReason, runId } = await agent.run(task)
      if (stopReason !== 'final') throw new Error(`stopped with ${stopReason}: ${reply}`)
      last = { runId, steps }
      return reply
    },
    async close() {
      await proveGoverned()
      await agent.close()
    },
  }
}
