/** What a program that uses Writ as a library can lay its hands on: descriptions, and no way around the gate. */
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import * as api from '../../src/index.ts'
import { STOP_REASONS } from '../../src/protocol/stop.ts'
import { fileWriteTool } from '../../src/tool/builtin/file-write.ts'

let workspace: string
/** The whole agent: it has everything that a program's agent has, and more. */
let agent: Agent
/** What the exports gave when they were called, by what was called. */
const given = new Map<string, unknown>()

beforeAll(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-api-')))
  const calls = [{ tool: 'file_write', args: { path: 'canary.txt', content: 'x' } }]
  const model = api.scriptedModel([
    { purpose: 'main', calls },
    { purpose: 'main', calls: [{ tool: 'own_tool', args: {} }] },
    { purpose: 'main', text: 'done' },
  ])
  const own = api.defineTool({
    name: 'own_tool',
    description: 'Ours.',
    schema: { type: 'object' },
    readOnly: true,
    execute(_args, context) {
      given.set('ToolContext', context)
      return 'ok'
    },
  })
  agent = await createAgent({
    workspace,
    data: ':memory:',
    lang: 'en',
    model,
    tools: [own],
    autonomy: 'ReadOnly',
    config: { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } } },
    env: { PATH: process.env.PATH ?? '', HOME: workspace },
    confirm: async (question) => {
      given.set('Question', question)
      return 'y'
    },
  })
  given.set('createAgent', agent)
  const library = await api.createAgent({ workspace, data: ':memory:', model })
  given.set('export createAgent()', library)
  await library.close()
  given.set('scriptedModel', model)
  const run = agent.stream('write a file')
  given.set('agent.stream', run)
  const events: unknown[] = []
  for (;;) {
    const next = await run.next()
    events.push(next.value)
    if (next.done) break
  }
  given.set('agent.stream events', events)
  given.set('agent.trace', await agent.trace((events.at(-1) as api.RunResult).runId))
  given.set('agent.explain', await agent.explain('write a file'))
  given.set('WritError', new api.WritError('REDIS_UNSET'))
  given.set('parseWorkflow', await api.parseWorkflow('{"name":"w","nodes":[]}', { origin: 'w' }).catch((e) => e))
  given.set('routines', await agent.routines.routines.list())
  given.set('routinesOf', agent.routines.engineFor(agent as never))
  given.set('workflows.check', agent.workflows.check({ name: 'w', nodes: [{ id: 'a', tool: 'file_write' }] }))
  given.set(
    'registry.get',
    agent.engine.registry.names().map((name) => agent.engine.registry.get(name)),
  )
  given.set('registry.exposedTo', agent.engine.registry.exposedTo({ exposure: { hidden: [] } } as never))
  for (const [name, value] of Object.entries(api)) given.set(`export ${name}`, value)
})
afterAll(async () => {
  await agent.close()
  rmSync(workspace, { recursive: true, force: true })
})

/** Every object and function that can be come by from these: properties of any kind, prototypes, and what collections hold. */
function* reachable(roots: Iterable<[string, unknown]>): Generator<{ path: string; value: object }> {
  const seen = new Set<unknown>()
  const queue = [...roots]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [path, value] = next
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    yield { path, value }
    if (value instanceof Map)
      queue.push(
        ...[...value].flatMap(
          ([k, v], i) =>
            [
              [`${path}<${i}>k`, k],
              [`${path}<${i}>`, v],
            ] as [string, unknown][],
        ),
      )
    if (value instanceof Set) queue.push(...[...value].map((v, i): [string, unknown] => [`${path}<${i}>`, v]))
    queue.push([`${path}.__proto__`, Object.getPrototypeOf(value)])
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)
      if (property === undefined) continue
      const at = `${path}.${String(key)}`
      queue.push([at, property.value], [`${at} get`, property.get], [`${at} set`, property.set])
      if (property.get !== undefined) {
        try {
          queue.push([`${at}()`, Reflect.get(value, key)])
        } catch {
          // A getter of another kind of object.
        }
      }
    }
  }
}

/** Not ours, and endless: what every program has. */
const LANGUAGE = new Set<unknown>(Object.getOwnPropertyNames(globalThis).map((name) => Reflect.get(globalThis, name)))

describe('the public interface under ReadOnly', () => {
  test('agent.tools describes every tool and holds no function, and nothing of it can be changed', () => {
    const described = agent.tools.find(({ name }) => name === 'file_write')
    expect(described).toMatchObject({ name: 'file_write', family: 'filesystem', readOnly: false })
    expect(described?.schema).toMatchObject({ type: 'object' })
    expect(agent.tools.find(({ name }) => name === 'own_tool')).not.toHaveProperty('execute')
    for (const { path, value } of reachable([
      ['tools', agent.tools],
      ['chatTools', agent.chatTools],
    ])) {
      if (value === Object.prototype || value === Array.prototype || /__proto__|\.constructor/.test(path)) continue
      expect(Object.isFrozen(value), path).toBe(true)
      expect(typeof value, path).toBe('object')
    }
  })

  test('no tool’s body can be come by from any export, nor from anything that an export returns', () => {
    const names = new Set(agent.tools.map(({ name }) => name))
    const bodies: string[] = []
    let seen = 0
    for (const { path, value } of reachable(given)) {
      if (LANGUAGE.has(value)) continue
      seen++
      const parts = value as { name?: unknown; execute?: unknown; preValidate?: unknown }
      const isTool = typeof value === 'object' && typeof parts.name === 'string' && names.has(parts.name)
      if (isTool && (typeof parts.execute === 'function' || typeof parts.preValidate === 'function')) bodies.push(path)
      if (value === fileWriteTool || value === fileWriteTool.execute) bodies.push(path)
    }
    expect(bodies).toEqual([])
    // The walk has really been everywhere: the engine, its registry, the database and the journal are part of an agent.
    expect(seen).toBeGreaterThan(500)
  })

  test('a tool of one’s own is told about its call, and is handed no other tool', () => {
    expect(given.get('ToolContext')).toMatchObject({ owner: 'local', world: { workspace } })
  })

  test('what was proposed was refused, and nothing was written', () => {
    const events = given.get('agent.stream events') as api.Event[]
    expect(events.find((event) => event.type === 'tool.result')?.data).toMatchObject({
      tool: 'file_write',
      denial: { reason: 'AUTONOMY_FORBIDS' },
    })
    expect(readdirSync(workspace).filter((name) => name !== '.writ')).toEqual([])
  })

  test('a description in another’s place opens nothing: a writ is spent on the tool it was minted for', async () => {
    const { registry } = agent.engine
    const Registry = registry.constructor as new (tools: Iterable<unknown>) => typeof registry
    const write = registry.get('file_write')
    const forged = new Registry([{ ...write, name: 'file_list' }])
    expect(forged.get('file_list')).not.toHaveProperty('execute')
    await expect(agent.run('again', { signal: AbortSignal.abort() })).resolves.toMatchObject({ stopReason: 'aborted' })
    expect(readdirSync(workspace).filter((name) => name !== '.writ')).toEqual([])
  })
})

describe('decisions from a program', () => {
  const suggested_actions: api.SuggestedAction[] = [
    { action_type: 'PrefetchFile', target: 'hot.txt', urgency: 'Immediate' },
    { action_type: 'PrefetchFile', target: 'unseen.txt', urgency: 'Immediate' },
  ]
  const batch: api.IntentBatch = {
    window_id: 'w1',
    generated_at_ms: 1,
    model: 'mine',
    intents: [
      {
        intent_id: 'open',
        intent_type: { HandleFile: 'Document' },
        confidence: 0.9,
        risk_level: 'Low',
        suggested_actions,
        rationale_tags: [],
      },
    ],
  }
  const observed = { packages: [], paths: ['hot.txt'] }

  test('S2-1, S2-49: a batch is judged and carried out, and both are in the journal', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-api-decide-')))
    writeFileSync(join(folder, 'hot.txt'), 'x')
    const own = await api.createAgent({ workspace: folder, data: ':memory:', model: 'rules', lang: 'en' })
    try {
      const told: api.ExecutedAction[] = []
      const report = await own.decisions.decide({
        batch,
        context: observed,
        route: 'LocalEvaluator',
        execute: true,
        onAction: (done) => told.push(done),
      })
      expect(report).toMatchObject({
        window_id: 'w1',
        authorized: [{ intent_id: 'open', action: { target: 'hot.txt' } }],
        denied: [{ action_index: 1, reason: 'TargetNotInContext' }],
        executed: [{ ok: true }],
        error: null,
      })
      expect(told).toEqual(report.executed)
      const types = (await own.events(report.run_id)).map(({ type }) => type)
      expect(types).toContain('action.executed')
      expect(types.at(-1)).toBe('run.stopped')
      await expect(own.decisions.decide({ batch, context: observed })).rejects.toMatchObject({ code: 'ROUTE_MISSING' })
      for (const lang of ['en', 'zh'] as const) {
        for (const given of [{ batch }, {}]) {
          const asked = own.decisions.decide({ ...given, context: observed, route: 'Foo' as 'Mock', lang })
          const error = await asked.catch((reason: unknown) => reason)
          expect(error).toMatchObject({ code: 'ROUTE_UNKNOWN', message: 'unknown route "Foo"' })
          expect((error as api.WritError).textIn('zh').message).toBe('没有名为“Foo”的路由')
        }
      }
      const bad = { ...batch, intents: [{ ...batch.intents[0], confidence: 7 }] } as api.IntentBatch
      const refused = own.decisions.decide({ batch: bad, context: observed, route: 'Mock' })
      await expect(refused).rejects.toMatchObject({ code: 'BATCH_INVALID' })
    } finally {
      await own.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('S2-18, S2-66: a scripted model predicts by the Mock route, and the table of routes is there', async () => {
    const args = { intents: batch.intents }
    const model = api.scriptedModel([{ purpose: 'decide', calls: [{ tool: 'propose_intents', args }] }])
    const own = await api.createAgent({ workspace, data: ':memory:', model, lang: 'en' })
    try {
      const report = await own.decisions.decide({ context: observed })
      expect(report).toMatchObject({ route: 'Mock', model: 'scripted', authorized: [{ intent_id: 'open' }] })
      expect(own.decisions.routes().map(({ route }) => route)).toEqual([
        'RuleBased',
        'LocalEvaluator',
        'CloudLlm',
        'FallbackNoOp',
        'Mock',
      ])
    } finally {
      await own.close()
    }
  })

  test('S2-41: what the agent is held to holds for its decisions', async () => {
    const report = await agent.decisions.decide({ batch, context: observed, route: 'Mock', execute: true })
    expect(report.authorized).toEqual([])
    expect(report.denied[0]).toMatchObject({ reason: 'AUTONOMY_FORBIDS' })
  })
})

test('S0-8 S0-9: the stop reasons and the policy of the intent guard are exported types', () => {
  const stops = ['tool_policy_blocked', 'intent_execution_failed'] as const satisfies readonly api.StopReason[]
  expect(STOP_REASONS).toEqual(expect.arrayContaining([...stops]))
  const policy: api.IntentGuardPolicy = agent.config.policy.intentGuard
  expect(policy.intents.browser_access).toMatchObject({ allowedFamilies: ['browser'] })
})
