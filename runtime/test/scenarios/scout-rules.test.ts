/** S4's other rules: who may send scouts and when, what they are shown, what is written down. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/gate/gate.ts'
import { fold } from '../../src/journal/fold.ts'
import { scoutStates } from '../../src/journal/scout-states.ts'
import { streamOf } from '../../src/journal/stream.ts'
import { audit, firstBreach } from '../../src/journal/verify.ts'
import type { Event, StoredEvent } from '../../src/protocol/event.ts'
import { Slots } from '../../src/scout/concurrency.ts'
import { defineTool } from '../../src/tool/tool.ts'
import { callIn } from '../support/call.ts'
import { policyWith, toolInput } from '../support/gate-input.ts'
import {
  answer,
  docTools,
  explore,
  read,
  report,
  type ScoutPlace,
  scoutPlace,
  scoutSays,
  search,
  typesOf,
} from '../support/scouts.ts'

const codesIn = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'tool.result' && event.data.denial && event.scoutId === null ? [event.data.observation.code] : [],
  )
const sent = (events: readonly Event[]) => typesOf(events).filter((type) => type === 'SCOUT_TRIGGERED').length

describe('who may send scouts', () => {
  const call = (writ: ReturnType<typeof callIn>['writ'], place: ScoutPlace) => ({
    ...callIn(place.engine.world, { policy: policyWith(), runId: 'run_1', callId: 'call_1' }),
    writ,
  })
  const minted = (tool: string) => {
    const { writ } = decide(toolInput({ tool, args: { tasks: ['x'] } }), undefined)
    if (writ === undefined) throw new Error('refused')
    return writ
  }

  test('S4-150 S4-42: no writ, a look-alike, an unused one and one for another tool start nothing', async () => {
    const place = await scoutPlace()
    for (const writ of [undefined, {}, Object.create(Object.getPrototypeOf(minted('explore'))), minted('explore')]) {
      await expect(place.scouts.runMany(call(writ as never, place))).rejects.toMatchObject({
        code: 'SCOUT_ENTRY_FORBIDDEN',
      })
    }
    // callIn's own writ was never used, and is for another tool.
    await expect(place.scouts.runMany(callIn(place.engine.world, { policy: policyWith() }))).rejects.toMatchObject({
      code: 'SCOUT_ENTRY_FORBIDDEN',
    })
    expect(place.scouts.list()).toEqual([])
  })

  test('S4-150: a writ under way sends scouts once', async () => {
    const kept: { call?: Parameters<ScoutPlace['scouts']['runMany']>[0] } = {}
    const thief = defineTool({
      name: 'thief',
      description: 'asks for scouts with the writ of its own call',
      schema: { type: 'object' },
      risk: 'Low',
      readOnly: true,
      async execute(_args, context) {
        kept.call = context
        return 'kept'
      },
    })
    const place = await scoutPlace({
      more: [thief],
      script: [
        { purpose: 'main', calls: [{ tool: 'thief', args: {} }] },
        explore(['a']),
        ...scoutSays(1, read(), report()),
        answer(),
      ],
    })
    await place.turn('what is the cap?')
    const stolen = kept.call
    if (stolen === undefined) throw new Error('the tool was not called')
    await expect(place.scouts.runMany(stolen)).rejects.toMatchObject({ code: 'SCOUT_ENTRY_FORBIDDEN' })
  })

  test('S4-87: the main session neither sees nor can call report_findings, search_docs or read_doc', async () => {
    const place = await scoutPlace({
      script: [{ purpose: 'main', calls: [report(), search, read()] }, answer()],
    })
    const { events } = await place.turn('what is the cap?')
    expect(codesIn(events)).toEqual(['TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED'])
    expect(place.requests[0]?.tools?.map(({ name }) => name)).toEqual(['explore'])
  })

  test('S4-86 S4-168 S4-176: a scout can call nothing else, and sends no scouts of its own', async () => {
    const spy = defineTool({ name: 'shell', description: 's', schema: { type: 'object' }, execute: () => 'ran' })
    const place = await scoutPlace({
      more: [spy],
      script: [
        explore(['a']),
        ...scoutSays(1, { tool: 'explore', args: { tasks: ['b'] } }, { tool: 'shell', args: {} }, read(), report()),
        answer(),
      ],
    })
    const { events, of, explored } = await place.turn('what is the cap?')
    const refused = of(1).flatMap((event) =>
      event.type === 'tool.result' && event.data.denial ? [event.data.denial.reason] : [],
    )
    expect(refused).toEqual(['TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED'])
    expect(sent(events)).toBe(1)
    expect(explored.results[0]?.status).toBe('success')
  })
})

describe('how many', () => {
  test.each([[[]], [['1', '2', '3', '4', '5', '6']]])(
    'S4-65 S4-67 S4-134: %j is refused by the schema, and no scout starts',
    async (tasks) => {
      const place = await scoutPlace({ script: [explore(tasks), answer()] })
      const { events } = await place.turn('what is the cap?')
      expect(codesIn(events)).toEqual(['ARGS_INVALID'])
      expect(sent(events)).toBe(0)
    },
  )

  test('S4-96: a request cannot raise the number of places', async () => {
    const place = await scoutPlace({ script: [explore(['1'], { maxConcurrentScouts: 9 }), answer()] })
    expect(codesIn((await place.turn('what is the cap?')).events)).toEqual(['ARGS_INVALID'])
  })

  test('S4-2 S4-137 S4-14 S4-1: five at once, and all five come back', async () => {
    const five = [1, 2, 3, 4, 5]
    let most = 0
    const place = await scoutPlace({
      script: [explore(five.map(String)), ...five.flatMap((n) => scoutSays(n, read(), report())), answer()],
      onEvent: (_event, { scouts }) => {
        most = Math.max(most, scouts.list().filter(({ state }) => state === 'RUNNING').length)
      },
    })
    const { explored } = await place.turn('what is the cap?')
    expect(most).toBe(5)
    expect(explored.results.map(({ status }) => status)).toEqual(five.map(() => 'success'))
    expect(place.scouts.list()).toEqual([])
  })

  test('S4-56 S4-58 S4-59: two calls of five in one session never run more than five; another session is not held up', async () => {
    const slots = new Slots()
    let most = 0
    const five = [1, 2, 3, 4, 5]
    const watch = (_event: Event, { scouts }: ScoutPlace) => {
      most = Math.max(most, scouts.list().filter(({ state }) => state === 'RUNNING').length)
    }
    // The same purposes serve both calls: each scout of either reads and reports.
    const script = [
      explore(five.map(String)),
      explore(five.map(String)),
      ...five.flatMap((n) => [...scoutSays(n, read(), read()), ...scoutSays(n, report(), report())]),
      { ...answer(), times: 2 },
    ]
    const place = await scoutPlace({
      script,
      slots,
      onEvent: watch,
      config: { scout: { maxSteps: 6, maxToolCalls: 5 } },
    })
    const other = await scoutPlace({
      slots,
      script: [explore(five.map(String)), ...five.flatMap((n) => scoutSays(n, read(), report())), answer()],
    })
    const [one, two, three] = await Promise.all([
      place.turn('a?', { sessionId: 'shared' }),
      place.turn('b?', { sessionId: 'shared' }),
      other.turn('c?', { sessionId: 'other' }),
    ])
    expect(most).toBeLessThanOrEqual(5)
    expect(sent(one.events) + sent(two.events)).toBe(10)
    expect(three.explored.status).toBe('success')
    expect(slots.load('shared')).toEqual({ running: 0, waiting: 0, free: 20 })
  })

  test('S4-60: waiting does not count as running', async () => {
    const place = await scoutPlace({
      config: { scout: { maxConcurrentScouts: 1, defaultTimeoutMs: 4000 } },
      script: [
        explore(['slow', 'waits']),
        { purpose: 'scout:1', calls: [read()], delayMs: 2200 },
        ...scoutSays(1, report()),
        { purpose: 'scout:2', calls: [read()], delayMs: 2200 },
        ...scoutSays(2, report()),
        answer(),
      ],
    })
    const { explored } = await place.turn('what is the cap?')
    expect(explored.results.map(({ status }) => status)).toEqual(['success', 'success'])
  })

  test('S4-61: after five failures five more can start', async () => {
    const five = [1, 2, 3, 4, 5]
    const place = await scoutPlace({
      script: [
        explore(five.map(String)),
        explore(five.map(String)),
        ...[6, 7, 8, 9, 10].flatMap((n) => scoutSays(n, read(), report())),
        answer(),
      ],
    })
    const { explored, events } = await place.turn('what is the cap?')
    expect(typesOf(events).filter((type) => type === 'SCOUT_FAILED')).toHaveLength(5)
    expect(explored.status).toBe('success')
  })
})

describe('when', () => {
  test.each(['不要检索，直接回答', "Don't look anything up, just answer"])('S4-74: %s', async (task) => {
    const place = await scoutPlace({ script: [explore(['a']), answer('from memory')] })
    const { events, result } = await place.turn(task)
    expect(codesIn(events)).toEqual(['SCOUT_USER_OPT_OUT'])
    expect(sent(events)).toBe(0)
    expect(result.reply).toBe('from memory')
    // It was refused, so nothing has to cool down.
    expect(fold(await place.store.readRun(result.runId), { history: [] }).minted.explore).toBeUndefined()
  })

  test('S4-75 S4-159: two turns of rest after an executed exploration; a refused one does not count', async () => {
    const place = await scoutPlace({
      script: [
        explore(['a']),
        ...scoutSays(1, read(), report()),
        answer(),
        ...[1, 2].flatMap(() => [explore(['b']), answer()]),
        explore(['c']),
        ...scoutSays(1, read(), report()),
        answer(),
      ],
    })
    const { result, events } = await place.turn('one')
    expect(sent(events)).toBe(1)
    const { sessionId } = result
    const codes: unknown[] = []
    for (const task of ['two', 'three', 'four']) codes.push(codesIn((await place.turn(task, { sessionId })).events))
    expect(codes).toEqual([['SCOUT_COOLDOWN'], ['SCOUT_COOLDOWN'], []])
  })

  test('S4-75: the cooldown does not apply to a second exploration in the same turn', async () => {
    const place = await scoutPlace({
      script: [explore(['a']), explore(['b']), ...[1, 2].flatMap((n) => scoutSays(n, read(), report())), answer()],
    })
    const { events } = await place.turn('one')
    expect([codesIn(events), sent(events)]).toEqual([[], 2])
  })

  test('S4-73: a session that has used its tokens sends no more; what its scouts used counts', async () => {
    const twice = async (sessionTokenBudget: number) => {
      const script = [
        explore(['a']),
        explore(['b']),
        ...[1, 2].flatMap((n) => scoutSays(n, read(), report())),
        answer(),
      ]
      return (await scoutPlace({ config: { sessionTokenBudget }, script })).turn('one')
    }
    const free = await twice(0)
    let main = 0
    for (const event of free.events.slice(
      0,
      free.events.findLastIndex((event) => event.type === 'gate.decided'),
    )) {
      if (event.type !== 'model.replied' || event.scoutId !== null) continue
      main += event.data.usage.inputTokens + event.data.usage.outputTokens
    }
    const decided = free.events.findLast((event) => event.type === 'gate.decided' && event.data.tool === 'explore')
    const scouts = decided?.type === 'gate.decided' ? (decided.data.facts.scouts?.tokens ?? 0) : 0
    expect(scouts).toBeGreaterThan(0)
    expect(codesIn((await twice(main + scouts)).events)).toEqual(['SCOUT_BUDGET_EXHAUSTED'])
    expect(codesIn((await twice(main + scouts + 1)).events)).toEqual([])
  })

  test('S4-84 S4-71: no signal forbids nothing; a signal is advice in the prompt, and is written down', async () => {
    const script = [explore(['a']), ...scoutSays(1, read(), report()), answer()]
    const plain = await scoutPlace({ script })
    const quiet = await plain.turn('tell me something nice')
    expect(sent(quiet.events)).toBe(1)
    expect(typesOf(quiet.events)).not.toContain('scout.policy')
    const place = await scoutPlace({ script })
    const { events } = await place.turn('帮我核验：上限是五个')
    const advice = events.find((event) => event.type === 'scout.policy')
    expect(advice?.data).toMatchObject({ shouldRun: true, reason: 'verify', budgetProfile: 'light' })
    expect(place.requests[0]?.system).toContain('Check against the documents: 帮我核验：上限是五个')
    expect(plain.requests[0]?.system).not.toContain('Looking things up')
  })

  test('S4-72: two weak turns bring the advice once', async () => {
    const place = await scoutPlace({ script: [{ ...answer("I'm not sure."), times: 4 }] })
    const { result } = await place.turn('hm')
    const { sessionId } = result
    const advised: boolean[] = []
    for (const task of ['hm', 'hm', 'hm']) {
      const { events } = await place.turn(task, { sessionId })
      advised.push(typesOf(events).includes('scout.policy'))
    }
    expect(advised).toEqual([false, true, false])
  })
})

describe('the prompt of a scout', () => {
  const afterFourTurns = async () => {
    const place = await scoutPlace({
      change: { routing: { historyMessages: 6, skills: [], identity: 'SECRET IDENTITY' } },
      script: [
        { ...answer(`long ${'x'.repeat(900)}`), times: 4 },
        explore(['cap of A?']),
        ...scoutSays(1, read(), report()),
        answer(),
      ],
    })
    const { result } = await place.turn('turn one is forgotten')
    const { sessionId } = result
    for (const task of ['turn two', 'turn three', 'turn four']) await place.turn(task, { sessionId })
    const { of } = await place.turn('turn five', { sessionId })
    const asked = (purpose: string) => place.requests.find((request) => request.purpose === purpose)
    return { main: asked('main'), scout: asked('scout:1'), of }
  }

  test('S4-8 S4-9 S4-88 S4-70: is its own, with three tools, for the same model', async () => {
    const { main, scout, of } = await afterFourTurns()
    expect(main?.system).toContain('SECRET IDENTITY')
    expect(scout?.system).not.toContain('SECRET IDENTITY')
    expect(scout?.system).not.toContain('[1] Identity')
    expect(scout?.tools?.map(({ name }) => name).sort()).toEqual(['read_doc', 'report_findings', 'search_docs'])
    expect(of(1).find((event) => event.type === 'run.started')?.data).toMatchObject({
      profile: { mode: 'scout' },
      model: 'scripted',
    })
    expect(JSON.stringify(scout)).not.toContain('turn one')
  })

  test('S4-24 S4-30 S4-31: has the last six messages, cut to 500 characters, and the task', async () => {
    const { scout } = await afterFourTurns()
    const said = scout?.messages.slice(0, -1) ?? []
    expect(said).toHaveLength(6)
    expect(said.every(({ role, content }) => role !== 'tool' && content.length <= 500)).toBe(true)
    expect(JSON.stringify(said)).not.toContain('turn one')
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
    expect(scout?.messages.at(-1)).toEqual({ role: 'user', content: 'cap of A?' })
  })

  test('S4-20: nothing a scout says appears in the stream of the conversation', async () => {
    const talk = { purpose: 'scout:1', text: 'psst, scout here', calls: [read()] } as const
    const place = await scoutPlace({ script: [explore(['a']), talk, ...scoutSays(1, report()), answer('five')] })
    const { events } = await place.turn('one')
    const project = streamOf()
    const shown = events.flatMap(project)
    expect(JSON.stringify(shown)).not.toContain('psst')
    expect(shown.filter(({ type }) => type === 'restart')).toEqual([])
    const states = shown.flatMap((item) => (item.type === 'scout' ? [item.state] : []))
    expect([...new Set(states)]).toEqual(['QUEUED', 'PREPARE', 'RUNNING', 'AGGREGATING', 'COMPLETED'])
  })
})

describe('scout events', () => {
  let seen: Promise<Event[]> | undefined
  /** The scouts' own events; the scenario runs once for all tests that read them. */
  async function ownEvents(): Promise<Event[]> {
    seen ??= everything().then(({ events }) => events)
    return (await seen).filter(({ type }) => type.startsWith('SCOUT_') || type === 'scout.state')
  }

  async function everything(): Promise<{ place: ScoutPlace; events: Event[] }> {
    const down = docTools().map((tool) =>
      tool.name === 'search_docs'
        ? defineTool({
            ...tool,
            execute: (_args, { signal }) =>
              new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          })
        : tool,
    )
    const place = await scoutPlace({
      docs: down,
      config: { scout: { defaultTimeoutMs: 2000, maxSteps: 8, maxToolCalls: 1 } },
      script: [
        explore(['good', 'slow', 'bad', 'gone']),
        ...scoutSays(1, report(), read(), read(), report()),
        ...scoutSays(2, search),
        ...scoutSays(4, search),
        answer(),
      ],
      onEvent(event, { scouts }) {
        const gone = scouts.list().find(({ task }) => task === 'gone')
        if (event.type === 'SCOUT_COMPLETED' && gone !== undefined) scouts.cancel(gone.scoutId)
      },
    })
    return { place, events: (await place.turn('what is the cap?')).events }
  }

  test.each([
    ['S4-116', 'SCOUT_TRIGGERED', [1, 2, 3, 4]],
    ['S4-117', 'SCOUT_STARTED', [1, 2, 3, 4]],
    ['S4-118', 'SCOUT_TOOL_CALLED', [1, 2, 4]],
    ['S4-119', 'SCOUT_COMPLETED', [1]],
    ['S4-120', 'SCOUT_FAILED', [3]],
    ['S4-121', 'SCOUT_TIMEOUT', [2]],
    ['S4-122', 'SCOUT_ABORTED', [4]],
    ['S4-123', 'SCOUT_QUEUED', [1, 2, 3, 4]],
    ['S4-124', 'SCOUT_SLOT_ACQUIRED', [1, 2, 3, 4]],
    ['S4-125', 'SCOUT_SLOT_RELEASED', [1, 2, 3, 4]],
    ['S4-126', 'SCOUT_TOOL_ORDER_VIOLATION', [1]],
    ['S4-127', 'SCOUT_TOOL_LIMIT_REACHED', [1]],
    ['S4-128', 'SCOUT_FORCE_REPORT_REQUIRED', [1]],
  ])('%s: the event %s is written for the scouts %j', async (_id, name, scouts) => {
    const own = await ownEvents()
    const ids = own.flatMap(({ type, scoutId }) => (type === 'SCOUT_TRIGGERED' ? [scoutId] : []))
    const written = own.flatMap(({ type, scoutId }) => (type === name ? [ids.indexOf(scoutId) + 1] : []))
    expect([...new Set(written)].sort()).toEqual(scouts)
  })

  test.each([
    ['S4-119', 'SCOUT_COMPLETED', 'COMPLETED'],
    ['S4-120', 'SCOUT_FAILED', 'FAILED'],
    ['S4-121', 'SCOUT_TIMEOUT', 'TIMEOUT'],
    ['S4-122', 'SCOUT_ABORTED', 'ABORTED'],
  ])('%s: %s is written when the scout is %s, and it does nothing after that', async (_id, name, state) => {
    const own = await ownEvents()
    const ended = own.find(({ type }) => type === name)
    const trail = own.filter(({ scoutId }) => scoutId === ended?.scoutId)
    const move = trail.findIndex((event) => event.type === 'scout.state' && event.data.to === state)
    const rest = trail
      .slice(
        Math.min(
          move,
          trail.findIndex(({ type }) => type === name),
        ),
      )
      .map(({ type }) => type)
    expect(move).toBeGreaterThan(0)
    expect(rest.toSorted()).toEqual([name, 'SCOUT_SLOT_RELEASED', 'scout.state'].toSorted())
  })

  test('S4-129 S4-130 S4-12: every event has the six fields, with mode "scout"', async () => {
    const own = await ownEvents()
    for (const event of own) {
      const { sessionId, turnId, scoutId, timestamp, mode, reason } = event
      expect([sessionId, turnId, scoutId].every((id) => typeof id === 'string' && id !== '')).toBe(true)
      expect(timestamp).toBeGreaterThan(0)
      expect([mode, reason === '']).toEqual(['scout', false])
    }
    expect(new Set((await seen)?.map(({ turnId }) => turnId)).size).toBe(1)
  })

  test('S4-131 S4-125: SCOUT_TRIGGERED is written once per scout, and every acquired slot is released', async () => {
    const own = await ownEvents()
    const of = (type: string) => own.filter((event) => event.type === type)
    expect(of('SCOUT_TRIGGERED')).toHaveLength(4)
    expect(of('SCOUT_SLOT_ACQUIRED')).toHaveLength(of('SCOUT_SLOT_RELEASED').length)
  })

  test('S4-52 S4-53: every transition is an event, from RUNNING to AGGREGATING too, and each begins where the last ended', async () => {
    const moves = (await ownEvents()).flatMap((event) => (event.type === 'scout.state' ? [event] : []))
    const trails = Map.groupBy(moves, ({ scoutId }) => scoutId)
    const edges = [...trails.values()].map((trail) => trail.map(({ data }) => `${data.from}>${data.to}`))
    const begun = ['QUEUED>PREPARE', 'PREPARE>RUNNING']
    expect(edges.map((each) => each.slice(0, 2))).toEqual([begun, begun, begun, begun])
    expect(edges.map((each) => each.slice(2))).toEqual([
      ['RUNNING>AGGREGATING', 'AGGREGATING>COMPLETED'],
      ['RUNNING>TIMEOUT'],
      ['RUNNING>FAILED'],
      ['RUNNING>ABORTED'],
    ])
  })

  test('S4-21: lifecycle, budget, timeout, return and slots of a scout are events', async () => {
    const own = await ownEvents()
    const types = own.map(({ type }) => type)
    for (const type of [
      'scout.state',
      'SCOUT_TIMEOUT',
      'SCOUT_COMPLETED',
      'SCOUT_SLOT_ACQUIRED',
      'SCOUT_SLOT_RELEASED',
    ]) {
      expect(types).toContain(type)
    }
    const started = own.find((event) => event.type === 'SCOUT_STARTED')
    expect(started?.data).toMatchObject({ maxSteps: 8, maxToolCalls: 1, timeoutMs: 2000, tokenBudget: 8000 })
  })

  test('S4-54 S4-173: a replay of the journal gives the same states, and every chain is complete and sealed', async () => {
    const { place, events } = await everything()
    const live = scoutStates(events)
    expect(live.map(({ state, status }) => [state, status])).toEqual([
      ['COMPLETED', 'success'],
      ['TIMEOUT', 'timeout'],
      ['FAILED', 'failed'],
      ['ABORTED', 'aborted'],
    ])
    const stored = await place.store.readSession(events[0]?.sessionId ?? '')
    expect(scoutStates(stored)).toEqual(live)
    for (const { runId, scoutId } of live) {
      const chain: StoredEvent[] = await place.store.readRun(runId)
      expect(firstBreach(chain)).toBeUndefined()
      expect(chain.every((event) => event.scoutId === scoutId)).toBe(true)
      expect(chain.at(-1)?.type).toBe('SCOUT_SLOT_RELEASED')
    }
    const { breaches, seals } = await audit(place.store)
    expect([breaches, seals]).toEqual([[], 5])
  })

  test('S4-69 S4-68: a scout’s tool calls go through the same gate as all others', async () => {
    const place = await scoutPlace({ script: [explore(['a']), ...scoutSays(1, read(), report()), answer()] })
    const { of } = await place.turn('one')
    const trail = typesOf(of(1)).filter((type) => /^(gate|tool|run)\./.test(type))
    const call = ['gate.decided', 'tool.call', 'tool.result']
    expect(trail).toEqual(['run.started', ...call, ...call, 'run.stopped'])
    const started = of(1).find((event) => event.type === 'run.started')
    expect(started?.data).toMatchObject({ profile: { mode: 'scout' }, model: 'scripted' })
  })
})

describe('budgets', () => {
  const limitsOf = async (config: object, more: object = {}) => {
    const place = await scoutPlace({
      config: { scout: config },
      script: [explore(['a'], more), ...scoutSays(1, read(), report()), answer()],
    })
    const { of } = await place.turn('one')
    const started = of(1).find((event) => event.type === 'SCOUT_STARTED')
    const data: Record<string, unknown> = started?.type === 'SCOUT_STARTED' ? started.data : {}
    return [data.maxSteps, data.maxToolCalls, data.timeoutMs, data.tokenBudget]
  }
  test('S4-156 S4-157 S4-158: the limits come from the configuration', async () => {
    expect(await limitsOf({})).toEqual([4, 3, 12_000, 8000])
    expect(await limitsOf({ maxSteps: 6, tokenBudget: 0 })).toEqual([6, 3, 12_000, 0])
  })
  test('S4-10: a scout that has used up its tokens ends; the main session has its own budget and answers', async () => {
    const place = await scoutPlace({
      config: { scout: { tokenBudget: 1 } },
      script: [explore(['a']), ...scoutSays(1, read(), report()), answer('from memory')],
    })
    const { explored, result } = await place.turn('one')
    expect(explored.results[0]).toMatchObject({ status: 'partial', error: { code: 'BUDGET_EXHAUSTED' } })
    expect(result).toMatchObject({ stopReason: 'final', reply: 'from memory' })
  })
  test('S4-82: light has lower limits; deep has higher ones, if the configuration allows it', async () => {
    expect(await limitsOf({}, { profile: 'light' })).toEqual([3, 2, 6000, 4000])
    expect(await limitsOf({}, { profile: 'deep' })).toEqual([4, 3, 12_000, 8000])
    expect(await limitsOf({ maxProfile: 'deep' }, { profile: 'deep' })).toEqual([8, 6, 30_000, 16_000])
    expect(await limitsOf({ maxProfile: 'light' })).toEqual([3, 2, 6000, 4000])
  })
  test('S4-25 S4-26 S4-27 S4-28: a request can only lower the limits', async () => {
    const wish = { maxSteps: 9, maxToolCalls: 2, timeoutMs: 5000, tokenBudget: 99_999 }
    expect(await limitsOf({}, { constraints: wish })).toEqual([4, 2, 5000, 8000])
    expect(await limitsOf({ tokenBudget: 0 }, { constraints: wish })).toEqual([4, 2, 5000, 99_999])
  })
})

test('S4-83: a failed tool makes a turn weak, a denied call does not', async () => {
  const failing = defineTool({
    name: 'lookup',
    description: 'never finds anything',
    schema: { type: 'object' },
    risk: 'Low',
    readOnly: true,
    execute: () => ({ ok: false, error: 'nothing there' }),
  })
  const advisedAfter = async (tool: string) => {
    const call = { purpose: 'main', calls: [{ tool, args: {} }] } as const
    const script = [call, answer(), call, answer(), answer()]
    const place = await scoutPlace({ more: [failing], script })
    const { sessionId } = (await place.turn('hm')).result
    await place.turn('hm', { sessionId })
    return typesOf((await place.turn('hm', { sessionId })).events).includes('scout.policy')
  }
  expect([await advisedAfter('lookup'), await advisedAfter('report_findings')]).toEqual([true, false])
})
