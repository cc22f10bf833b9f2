/** Money budgets, with a real provider protocol: what is not covered is never sent. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Confirm } from '../../src/agent/context.ts'
import { type Agent, type AgentOptions, createAgent } from '../../src/assembly/agent.ts'
import { readConfigText } from '../../src/config/file.ts'
import { trustFile, trustWorkspace } from '../../src/config/trust.ts'
import { marksOf, withConfig } from '../../src/config/trusted-files.ts'
import type { BudgetScope } from '../../src/protocol/budget.ts'
import type { EventOf, EventType } from '../../src/protocol/event.ts'
import { principalNamed } from '../../src/protocol/principal.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import { makeServerPlace, readUntil, type TestPlace } from '../support/server.ts'
import { type StubModel, type StubReply, type StubRequest, startStubModel } from '../support/stub-model.ts'
import { until } from '../support/until.ts'

/** An output token costs a tenth of a cent: 100 are reserved, 10 are used, the input is free. */
const MODEL = 'compatible/stub'
const PRICED = { [MODEL]: { input: 0, output: 1000 } }
const RESERVED = 0.1
const USED = 0.01
const usage = { inputTokens: 50, outputTokens: 10 }
const final: StubReply = { text: 'done', usage }
const look = (n: number): StubReply => ({ calls: [{ id: `c${n}`, tool: 'look', args: { n } }], usage })

let root: string
let stub: StubModel
let reply: (request: StubRequest, index: number) => StubReply | Promise<StubReply>
let agents: Agent[]
let deeds: Deed[]
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-budget-')))
  mkdirSync(join(root, 'work'))
  reply = () => final
  stub = await startStubModel({ reply: (request, index) => reply(request, index) })
  agents = []
  deeds = []
})
afterEach(async () => {
  for (const agent of agents) await agent.close()
  await stub.close()
  rmSync(root, { recursive: true, force: true })
})

type Settings = Record<string, unknown>

function settings(budget: object, agent: Settings = {}) {
  const quiet = {
    execution: { intentGuard: { enabled: false } },
    routing: { enabled: false },
    memory: { enabled: false },
  }
  const model = { model: MODEL, baseURL: `${stub.url}/v1`, maxOutputTokens: 100, prices: PRICED }
  return { agent: { ...model, ...quiet, budget, ...agent } }
}

async function open(budget: object, options: Partial<AgentOptions> & { agent?: Settings } = {}): Promise<Agent> {
  const { agent: more, ...rest } = options
  const agent = await createAgent({
    workspace: join(root, 'work'),
    data: join(root, 'data'),
    env: { HOME: root, PATH: process.env.PATH, COMPATIBLE_API_KEY: 'k' },
    config: settings(budget, more),
    lang: 'en',
    tools: spyTools(deeds),
    ...rest,
  })
  agents.push(agent)
  return agent
}

async function eventsOf<T extends EventType>({ store }: Agent, runId: string, type: T): Promise<EventOf<T>['data'][]> {
  return (await store.readOf([runId], [type])).map(({ data }) => data as EventOf<T>['data'])
}

const SCOPES: BudgetScope[] = ['run', 'principal', 'day']
const NEXT_DAY = Date.parse('2026-03-02T00:00:00Z')

describe('stop', () => {
  test.each(SCOPES)(
    'X-BUDGET-1 X-BUDGET-5: a call that could pass the %s limit is not sent, and the run ends',
    async (scope) => {
      reply = (_, index) => look(index)
      const agent = await open({ [scope]: { stop: 0.115 } })
      const result = await agent.run('go on')
      expect(stub.requests).toHaveLength(2)
      expect(result.stopReason).toBe('money_budget')
      expect(result.reply).toContain(`agent.budget.${scope}.stop`)
      expect(result.reply).toContain('$0.0200 spent, this call can cost $0.1000, the limit is $0.1150')
      expect(await eventsOf(agent, result.runId, 'budget.stopped')).toMatchObject([
        { code: 'BUDGET_EXCEEDED', model: MODEL },
      ])
    },
  )

  test('X-BUDGET-1: the run limit begins again with every run, the total does not', async () => {
    const perRun = await open({ run: { stop: RESERVED } })
    for (const n of [1, 2, 3]) expect([n, (await perRun.run('hello')).stopReason]).toEqual([n, 'final'])
    const inAll = await open({ principal: { stop: RESERVED + 3 * USED } })
    expect((await inAll.run('hello')).stopReason).toBe('final')
    expect((await inAll.run('hello')).stopReason).toBe('money_budget')
    expect(stub.requests).toHaveLength(4)
  })

  test('X-BUDGET-3: a day is a UTC day', async () => {
    let now = NEXT_DAY - 1000
    const agent = await open({ day: { stop: RESERVED } }, { clock: { now: () => now } })
    expect((await agent.run('hello')).stopReason).toBe('final')
    expect((await agent.run('hello')).stopReason).toBe('money_budget')
    now = NEXT_DAY
    expect((await agent.run('hello')).stopReason).toBe('final')
  })

  test('X-BUDGET-2: each principal has its own total', async () => {
    const agent = await open({ principal: { stop: RESERVED } })
    const [ann, bob] = [principalNamed('ann'), principalNamed('bob')]
    expect((await agent.run('hello', { principal: ann })).stopReason).toBe('final')
    expect((await agent.run('hello', { principal: ann })).stopReason).toBe('money_budget')
    expect((await agent.run('hello', { principal: bob })).stopReason).toBe('final')
  })

  test('X-BUDGET-1: scouts draw on the budget of the run that sent them', async () => {
    const isScout = ({ body }: StubRequest) => JSON.stringify(body.tools ?? '').includes('report_findings')
    reply = (request, index) =>
      isScout(request)
        ? { calls: [{ id: `s${index}`, tool: 'search_docs', args: { query: 'x' } }], usage }
        : { calls: [{ id: 'e', tool: 'explore', args: { tasks: ['find x'] } }], usage }
    const agent = await open({ run: { stop: 0.125 } })
    const { stopReason, runId } = await agent.run('explore it')
    expect(stopReason).toBe('money_budget')
    expect(stub.requests.map(isScout)).toEqual([false, true, true])
    const [scout] = await agent.store.listRuns({ parentRunId: runId })
    expect(scout).toMatchObject({ stopReason: 'money_budget' })
  })

  test('X-BUDGET-1: agents of a workflow share one run budget', async () => {
    reply = () => ({ text: '{"type":"final","answer":"ok"}', usage })
    const args = { model: MODEL, max_steps: 2, allowed_tools: [], prompt: 'say ok' }
    const agent = await open({ run: { stop: RESERVED } })
    const nodes = ['a', 'b'].map((id) => ({ id, tool: 'agent_core', args }))
    const end = await agent.workflows.run({ name: 'two', nodes, edges: [{ from: 'a', to: 'b' }] })
    expect(stub.requests).toHaveLength(1)
    expect(end).toMatchObject({ ok: false, nodes: { a: { state: 'done' }, b: { state: 'failed' } } })
    expect(JSON.stringify(end)).toContain('run budget')
  })
})

describe('warn', () => {
  test.each(SCOPES)('X-BUDGET-7: the %s level is announced once, and nothing stops', async (scope) => {
    reply = (_, index) => (index < 2 ? look(index) : final)
    const agent = await open({ [scope]: { warn: 0.05 } })
    const result = await agent.run('hello')
    expect(result).toMatchObject({
      stopReason: 'final',
      notices: [expect.stringContaining('warning level of $0.0500')],
    })
    expect(await eventsOf(agent, result.runId, 'budget.warned')).toMatchObject([{ scope, limit: 0.05, usd: RESERVED }])
  })

  test('X-BUDGET-7: in Chinese', async () => {
    const agent = await open({ day: { warn: 0, stop: RESERVED } }, { lang: 'zh' })
    expect((await agent.run('你好')).notices).toEqual([
      '今日预算：超过警告线 $0.00（已花费 $0.00，下一次调用预留 $0.1000）。',
    ])
    expect((await agent.run('你好')).reply).toBe(
      '已停止：今日预算：已花费 $0.0100，这次调用最多花费 $0.1000，上限为 $0.1000。请在你自己的配置中提高 agent.budget.day.stop，或降低 agent.maxOutputTokens。',
    )
  })
})

describe('ask', () => {
  const asked: string[] = []
  const saying =
    (answer: 'y' | 'n'): Confirm =>
    async ({ preview, tool }) => {
      asked.push(`${tool}: ${preview}`)
      return answer
    }
  beforeEach(() => asked.splice(0))

  test.each(SCOPES)('X-BUDGET-6: above the %s level a person is asked once in a run', async (scope) => {
    reply = (_, index) => (index < 3 ? look(index) : final)
    const agent = await open({ [scope]: { ask: RESERVED } }, { confirm: saying('y') })
    expect((await agent.run('hello')).stopReason).toBe('final')
    expect(asked).toEqual([expect.stringContaining(`${MODEL}: Spend more than $0.1000`)])
  })

  test('X-BUDGET-6: a no ends the run; without a person it ends at once', async () => {
    const refusing = await open({ run: { ask: 0.05 } }, { confirm: saying('n') })
    expect(await refusing.run('hello')).toMatchObject({
      stopReason: 'money_budget',
      reply: expect.stringContaining('approval is needed above $0.0500'),
    })
    const alone = await open({ run: { ask: 0.05 } })
    expect((await alone.run('hello')).stopReason).toBe('money_budget')
    expect(stub.requests).toHaveLength(0)
  })

  test('X-BUDGET-6: an approval does not lift the stop limit', async () => {
    reply = (_, index) => look(index)
    const agent = await open({ run: { ask: 0, stop: 0.115 } }, { confirm: saying('y') })
    expect((await agent.run('hello')).stopReason).toBe('money_budget')
    expect(stub.requests).toHaveLength(2)
  })

  test('X-BUDGET-6: approving a tool call whose id looks like a budget question approves no money', async () => {
    let runId = ''
    reply = (_, index) =>
      index === 0 ? { calls: [{ id: `budget:${runId}:run`, tool: 'change', args: { n: 1 } }], usage } : final
    const agent = await open(
      { run: { ask: RESERVED } },
      { confirm: async ({ tool }) => (tool === 'change' ? 'y' : 'n') },
    )
    runId = 'run_known'
    expect((await agent.run('change it', { runId })).stopReason).toBe('money_budget')
    expect(deeds).toHaveLength(1)
    expect(stub.requests).toHaveLength(1)
  })

  test('X-BUDGET-6: a scout uses the approval of its run', async () => {
    const isScout = ({ body }: StubRequest) => JSON.stringify(body.tools ?? '').includes('report_findings')
    reply = (request, index) => {
      if (isScout(request)) return { text: 'nothing', usage }
      return index === 0 ? { calls: [{ id: 'e', tool: 'explore', args: { tasks: ['find x'] } }], usage } : final
    }
    const agent = await open({ run: { ask: 0.05 } }, { confirm: saying('y') })
    expect((await agent.run('explore it')).stopReason).toBe('final')
    expect(stub.requests.filter(isScout).length).toBeGreaterThan(0)
    expect(asked).toHaveLength(1)
  })
})

describe('an unknown price', () => {
  test('X-BUDGET-8: is asked about once in a run, and refused where no person can be asked', async () => {
    const asked: string[] = []
    const confirm: Confirm = async ({ preview }) => {
      asked.push(preview)
      return 'y'
    }
    reply = (_, index) => (index === 0 ? look(0) : final)
    const attended = await open({ day: { stop: 1 } }, { agent: { prices: {} }, confirm })
    expect((await attended.run('hello')).stopReason).toBe('final')
    expect(asked).toEqual([`Call ${MODEL} without counting its cost`])
    const alone = await open({ day: { warn: 1 } }, { agent: { prices: {} } })
    expect(await alone.run('hello')).toMatchObject({
      stopReason: 'money_budget',
      reply: expect.stringContaining(`the price of ${MODEL} is unknown`),
    })
    expect(stub.requests).toHaveLength(2)
  })

  test('X-BUDGET-8: does not matter without a budget; rules cost nothing', async () => {
    const unlimited = await open({}, { agent: { prices: {} } })
    expect((await unlimited.run('hello')).stopReason).toBe('final')
    const rules = await open({ run: { stop: 0 } }, { agent: { model: 'rules' } })
    expect((await rules.run('hello')).stopReason).toBe('final')
  })
})

describe('counting', () => {
  test('X-BUDGET-4: five runs at once cannot pass the limit together, in two agents on one store', async () => {
    let open5: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      open5 = resolve
    })
    reply = async () => {
      await gate
      return final
    }
    const budget = { principal: { stop: 2 * RESERVED } }
    const [one, other] = [await open(budget), await open(budget)]
    let ended = 0
    const runs = [one, other, one, other, one].map(async (agent) => {
      const { stopReason } = await agent.run('hello')
      ended++
      return stopReason
    })
    await until(() => stub.requests.length === 2 && ended === 3)
    open5()
    expect((await Promise.all(runs)).sort()).toEqual(['final', 'final', 'money_budget', 'money_budget', 'money_budget'])
    expect(stub.requests).toHaveLength(2)
  })

  test('X-BUDGET-4: a reservation is replaced by the real cost, and returned when the provider refuses', async () => {
    reply = (_, index) => (index === 0 ? { status: 500, text: 'busy', headers: { 'retry-after': '0' } } : final)
    const agent = await open({ principal: { stop: RESERVED + USED } })
    expect((await agent.run('hello')).stopReason).toBe('final')
    expect((await agent.run('hello')).stopReason).toBe('final')
    expect((await agent.run('hello')).stopReason).toBe('money_budget')
  })

  test('X-BUDGET-4: an answer that broke off counts as reserved', async () => {
    reply = () => ({ ...final, fault: 'cut' })
    const agent = await open({ run: { stop: 2.5 * RESERVED } }, { agent: { limits: { modelAttempts: 5 } } })
    expect((await agent.run('hello')).stopReason).toBe('money_budget')
    expect(stub.requests).toHaveLength(2)
  })

  test('X-BUDGET-2: what was spent before there was a budget counts, and so do deleted runs', async () => {
    const before = await open({})
    const { runId } = await before.run('hello')
    await before.run('hello')
    const agent = await open({ principal: { stop: RESERVED + 2 * USED } })
    expect((await agent.run('hello')).stopReason).toBe('final')
    await agent.store.bury([runId], { at: 1, why: 'pruned' })
    expect((await agent.run('hello')).stopReason).toBe('money_budget')
  })

  test('X-BUDGET-4: side questions are counted, and not asked when they do not fit', async () => {
    const guarded = { execution: { intentGuard: { detector: 'model' } }, maxOutputTokens: 100 }
    reply = () => ({ text: '{"label":"general","confidence":1}', usage })
    const agent = await open({ run: { stop: RESERVED } }, { agent: guarded })
    const { stopReason, runId } = await agent.run('what is on that page')
    const requested = await eventsOf(agent, runId, 'model.requested')
    expect(requested).toMatchObject([{ purpose: 'detect', reservedUsd: RESERVED }])
    expect(stopReason).toBe('money_budget')
    const none = await open({ run: { stop: 0.05 } }, { agent: guarded })
    const refused = await none.run('what is on that page')
    expect(await eventsOf(none, refused.runId, 'model.requested')).toEqual([])
    await none.explain('what is on that page')
    expect(stub.requests).toHaveLength(1)
  })

  test('X-BUDGET-4: decisions are counted, and do nothing when they do not fit', async () => {
    const agent = await open({ day: { stop: 0.05 } })
    const context = { packages: ['a'], paths: [] }
    const decision = await agent.decisions.decide({ context, route: 'CloudLlm' } as never)
    expect(decision).toMatchObject({ route: 'FallbackNoOp', error: expect.stringContaining('daily budget') })
    expect(stub.requests).toHaveLength(0)
  })
})

describe('configuration', () => {
  async function marksWithConfig(workspace: string) {
    const text = await readConfigText(join(workspace, 'agent.config.json'))
    return withConfig((await marksOf(workspace)) ?? {}, text)
  }
  const ofWorkspace = (budget: object) =>
    writeFileSync(join(root, 'work', 'agent.config.json'), JSON.stringify({ agent: { budget } }))

  test.each(['untrusted', 'trusted'])(
    'X-BUDGET-10: a workspace (%s) can lower a limit, and raise none',
    async (trust) => {
      ofWorkspace({ run: { stop: 0.05 }, day: { stop: 99 } })
      const home = join(root, '.config', 'writ')
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'agent.config.json'), JSON.stringify(settings({ run: { stop: 1 }, day: { stop: 1 } })))
      const env = { HOME: root, PATH: process.env.PATH, COMPATIBLE_API_KEY: 'k' }
      const workspace = join(root, 'work')
      if (trust === 'trusted') await trustWorkspace(trustFile(home), workspace, await marksWithConfig(workspace))
      const agent = await createAgent({ workspace, data: join(root, 'data'), env, lang: 'en' })
      agents.push(agent)
      expect(agent.config.trust).toBe(trust)
      expect(agent.config.config.budget).toMatchObject({ run: { stop: 0.05 }, day: { stop: 1 } })
    },
  )
})

describe('over HTTP', () => {
  let place: TestPlace
  beforeEach(() => {
    place = makeServerPlace()
  })
  afterEach(() => place.remove())

  test('X-BUDGET-6: the question is parked, listed and answered later, by a server that was restarted', async () => {
    const start = (token?: string) =>
      place.start({
        config: settings({ run: { ask: 0.05 } }),
        model: MODEL,
        env: { HOME: place.home, PATH: process.env.PATH, COMPATIBLE_API_KEY: 'k' },
        ...(token === undefined ? {} : { token }),
      })
    const first = await start()
    const { sessionId: id } = await first.api.call('POST /api/sessions', {})
    const parked = await first.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'hello' } })
    expect(parked).toMatchObject({
      stopReason: 'parked',
      question: { tool: MODEL, risk: 'High', preview: 'Spend more than $0.0500 in this run', keys: [] },
    })
    expect(stub.requests).toHaveLength(0)
    await first.stop()

    const second = await start(first.token)
    const { open: waiting } = await second.api.call('GET /api/approvals', {})
    const { runId, question } = waiting[0] ?? { runId: '', question: { callId: '' } }
    expect(runId).toBe(parked.runId)
    const body = { callId: question.callId, answer: 'y' as const }
    await second.api.call('POST /api/approvals/:runId', { params: { runId }, body })
    await readUntil(second.api.stream('GET /api/runs/:id/events', { params: { id: runId } }), 'turn.committed')
    const view = await second.api.call('GET /api/runs/:id', { params: { id: runId } })
    expect(view).toMatchObject({ run: { stopReason: 'final' } })
    expect(stub.requests).toHaveLength(1)
  })
})

describe('on the command line', () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())

  test('X-BUDGET-4: after kill -9 the interrupted call stays counted, and the trace shows the warning', async () => {
    const silent: StubReply = { fault: 'silent' }
    reply = (_, index) => (index === 0 ? look(0) : index === 1 ? silent : final)
    const budget = { run: { warn: RESERVED, stop: 2 * RESERVED } }
    const config = place.file('config.json', settings(budget, { tools: { disabled: [] } }))
    const env = { COMPATIBLE_API_KEY: 'k' }
    const running = place.start(['run', 'go on', '--config', config, '--json'], { env })
    await until(() => stub.requests.length === 2)
    running.child.kill('SIGKILL')
    await running.ended
    const [open] = (await place.writ(['trace', '--json'])).json()
    const runId = String(open?.runId)
    const resumed = await place.writ(['resume', runId, '--config', config], { env })
    expect(resumed.stdout).toContain('$0.1100 spent, this call can cost $0.1000, the limit is $0.2000')
    expect(resumed.code).toBe(6)
    expect(stub.requests).toHaveLength(2)
    const traced = await place.writ(['trace', runId])
    expect(traced.stdout).toContain('money_budget')
    expect(traced.stdout).toContain('Run budget: above the warning level of $0.1000')
  })

  test('X-BUDGET-6: --yes does not spend what a person wanted to be asked about', async () => {
    const config = place.file('config.json', settings({ run: { ask: 0.05 } }))
    const ended = await place.writ(['run', 'hello', '--yes', '--config', config], { env: { COMPATIBLE_API_KEY: 'k' } })
    expect(ended.code).toBe(6)
    expect(stub.requests).toHaveLength(0)
  })

  test('X-BUDGET-9: trace and stats show cached tokens and their price', async () => {
    const wireUsage = { prompt_tokens_details: { cached_tokens: 900_000 } }
    reply = () => ({ text: 'done', usage: { inputTokens: 1_000_000, outputTokens: 0 }, wireUsage })
    const prices = { [MODEL]: { input: 10, output: 0, cachedInput: 1 } }
    const config = place.file('config.json', settings({}, { prices }))
    await place.writ(['run', 'hello', '--config', config], { env: { COMPATIBLE_API_KEY: 'k' } })
    const traced = await place.writ(['trace', '--last', '--config', config])
    expect(traced.stdout).toContain('Tokens: 1000000 in (900000 cached), 0 out · $1.9000')
    const stats = await place.writ(['stats', '--config', config])
    expect(stats.stdout).toMatch(/tokens in\s+cached\s+tokens out/)
    expect(stats.stdout).toMatch(/1000000\s+900000\s+0\s+1\.9000/)
  })
})
