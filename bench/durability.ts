/**
 * `npm run bench:durability`: the cost of a step with the journal in memory, in SQLite and in PostgreSQL, both with real
 * fsync. A step is one model reply and one call of a tool with side effects, so it is stored twice: before the call and
 * before the next reply. Model and tool respond immediately; what remains is Writ and its store.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentOptions, createAgent, defineTool, type Model } from '../runtime/src/index.ts'
import { startPostgres } from '../runtime/test/support/postgres.ts'
import { figureOf } from './figures.ts'

const STEPS = 50
const ROUNDS = 30
const WARM_UP = 5

const model: Model = {
  id: 'bench/instant',
  route: 'CloudLlm',
  reasoning: 'clear',
  async *ask({ messages }) {
    const done = messages.filter(({ role }) => role === 'tool').length
    const calls = done < STEPS ? [{ id: `c${done}`, tool: 'change', args: { n: done } }] : []
    const text = done < STEPS ? '' : 'done'
    return { text, calls, usage: { inputTokens: 100, outputTokens: 10 }, truncated: false }
  },
}

const tools = [
  defineTool<{ n: number }>({
    name: 'change',
    description: 'Changes something.',
    schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
    risk: 'Low',
    readOnly: false,
    trust: 'internal',
    execute: ({ n }) => `changed ${n}: ${'x'.repeat(400)}`,
  }),
]

function settingsFor(store: 'sqlite' | 'postgres'): AgentOptions['config'] {
  return {
    agent: {
      store,
      limits: { maxSteps: 1_000_000, historyMessages: 1_000_000 },
      memory: { enabled: false },
      routing: { enabled: false },
      execution: { intentGuard: { enabled: false } },
      security: { autonomy: 'Full' },
    },
  }
}

interface Sample {
  cpu: number
  wall: number
}

// In the checkout: a temporary folder may be in memory, where fsync is free.
const folder = mkdtempSync(join(import.meta.dirname, 'results', 'durability-'))
const postgres = await startPostgres({ fsync: 'on' })
const env = { ...process.env, WRIT_DATABASE_URL: await postgres.createDatabase() }
const common = { model, tools, workspace: folder, env }
const stores = [
  { name: 'in memory', agent: await createAgent({ ...common, data: ':memory:', config: settingsFor('sqlite') }) },
  { name: 'SQLite', agent: await createAgent({ ...common, data: folder, config: settingsFor('sqlite') }) },
  { name: 'PostgreSQL', agent: await createAgent({ ...common, data: folder, config: settingsFor('postgres') }) },
].map((each) => ({ ...each, samples: [] as Sample[] }))

try {
  // Interleaved, so that a slow minute of the machine affects all three.
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const { agent, samples } of stores) {
      const startCpu = process.cpuUsage()
      const start = performance.now()
      const { reply, stopReason, metadata } = await agent.run('change things')
      const wall = performance.now() - start
      const { user, system } = process.cpuUsage(startCpu)
      if (metadata.execution.toolCalls !== STEPS) throw new Error(`stopped with ${stopReason}: ${reply}`)
      if (round >= WARM_UP) samples.push({ cpu: (user + system) / 1000 / STEPS, wall: wall / STEPS })
    }
  }
  const rows = stores.map(({ name, samples }) => ({
    name,
    cpu: figureOf(samples.map(({ cpu }) => cpu)),
    wall: figureOf(samples.map(({ wall }) => wall)),
  }))
  const [base] = rows
  console.log(`${STEPS} steps a run, ${ROUNDS} runs each, in turn; the database's own CPU time is not counted\n`)
  console.log('journal        CPU ms/step            wall ms/step')
  for (const { name, cpu, wall } of rows) {
    const cells = [
      { figure: cpu, of: base?.cpu },
      { figure: wall, of: base?.wall },
    ].map(({ figure: { median, spread }, of }) =>
      `${median.toFixed(2)} ± ${spread.toFixed(2)}  ×${(median / (of?.median ?? median)).toFixed(1)}`.padEnd(22),
    )
    console.log(`${name.padEnd(14)} ${cells.join(' ')}`)
  }
} finally {
  for (const { agent } of stores) await agent.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
