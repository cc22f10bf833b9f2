/** What a program that uses Writ as a library can lay its hands on: descriptions, and no way around the gate. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '../../src/index.ts'
import { fileWriteTool } from '../../src/tool/builtin/file-write.ts'

let workspace: string
let agent: api.Agent
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
  agent = await api.createAgent({
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
  given.set('WritError', new api.WritError('X', 'x'))
  given.set(
    'parseWorkflow',
    await api.parseWorkflow('{"name":"w","nodes":[]}', { origin: 'w', lang: 'en' }).catch((e) => e),
  )
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
