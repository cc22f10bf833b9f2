/** The six demos of S4 through the command line, with real documents. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent, type Event, type ScoutTaskResult, type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { type Ended, makePlace, type Place } from '../support/cli.ts'
import { answer, eventsOfScout, explore, read, report, scoutSays, search } from '../support/scouts.ts'
import { startStubModel } from '../support/stub-model.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
  place.file('docs/a.md', '# Plan A\n\nThe cap of plan A is five scouts.\n')
  place.file('docs/b.md', '# Plan B\n\nThe cap of plan B is nine scouts.\n')
  place.file('docs/c.md', '# Plan C\n\nPlan C has no cap at all.\n')
})
afterEach(() => place.remove())

const ran = (task: string, script: ScriptEntry[], ...more: string[]) =>
  place.writ(['run', task, '--script', place.script('s.json', script), '--json', '--lang', 'en', ...more])
const eventsOf = (ended: Ended) => ended.json().slice(0, -1) as unknown as Event[]
const resultOf = (ended: Ended) =>
  ended.json().at(-1) as { reply: string; notices: string[]; stopReason: string; sessionId: string }
const codes = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'tool.result' && event.scoutId === null && event.data.denial ? [event.data.observation.code] : [],
  )
function exploredIn(events: readonly Event[]) {
  const found = events.findLast((event) => event.type === 'tool.result' && event.data.tool === 'explore')
  return JSON.parse(found?.type === 'tool.result' ? found.data.observation.text : '{}')
}
const about = (letter: string, quote: string) => [
  search,
  read(`docs/${letter}.md`),
  report({ summary: quote, evidence: [{ source: `docs/${letter}.md`, quote, note: 'n' }] }),
]

describe('demos', () => {
  test('S4-175 S4-64 S4-133: 1. three documents compared: three scouts at once, evidence in the answer', async () => {
    const ended = await ran(
      'compare plan A, plan B and plan C in the docs',
      [
        explore(['A?', 'B?', 'C?']),
        ...scoutSays(1, ...about('a', 'The cap of plan A is five scouts.')),
        ...scoutSays(2, ...about('b', 'The cap of plan B is nine scouts.')),
        ...scoutSays(3, ...about('c', 'Plan C has no cap at all.')),
        answer('A: five [docs/a.md], B: nine [docs/b.md], C: none [docs/c.md]'),
      ],
      '--record',
      'asked.jsonl',
    )
    const [asked = ''] = place.read('asked.jsonl').split('\n')
    const offered: { name: string }[] = JSON.parse(asked).tools
    expect(offered.map(({ name }) => name)).toContain('explore')
    const events = eventsOf(ended)
    const explored = exploredIn(events)
    expect(explored.results.map(({ status }: { status: string }) => status)).toEqual(['success', 'success', 'success'])
    expect(explored.scoutIds).toHaveLength(3)
    expect(explored.results.map(({ grounding }: { grounding: object }) => grounding)).toEqual(
      [1, 2, 3].map(() => ({ kept: 1, dropped: 0 })),
    )
    for (const n of [1, 2, 3]) {
      const trail = eventsOfScout(events, n)
        .map(({ type }) => type)
        .filter((type) => type.startsWith('SCOUT_'))
      expect(trail.slice(0, 4)).toEqual(['SCOUT_TRIGGERED', 'SCOUT_QUEUED', 'SCOUT_SLOT_ACQUIRED', 'SCOUT_STARTED'])
    }
    expect(resultOf(ended).reply).toContain('[docs/b.md]')
    expect(ended.code).toBe(0)
  })

  test('S4-67 S4-162: 2. a sixth task is refused by the schema, a sixth place by the configuration', async () => {
    const six = await ran('look', [explore(['1', '2', '3', '4', '5', '6']), answer()])
    expect(codes(eventsOf(six))).toEqual(['ARGS_INVALID'])
    place.file('agent.config.json', { agent: { scout: { maxConcurrentScouts: 6 } } })
    const refused = await ran('look', [answer()])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('agent.scout.maxConcurrentScouts')
  })

  test('S4-151: 3. a report before a read gets the specified hint, and the scout succeeds after reading', async () => {
    const ended = await ran('look', [
      explore(['A?']),
      ...scoutSays(1, report(), ...about('a', 'The cap of plan A is five scouts.').slice(1)),
      answer(),
    ])
    const events = eventsOfScout(eventsOf(ended), 1)
    const refused = events.find((event) => event.type === 'SCOUT_TOOL_ORDER_VIOLATION')
    expect(refused?.data).toMatchObject({ code: 'TOOL_ORDER_VIOLATION', recoverable: true })
    expect(JSON.stringify(refused?.data)).toContain('请先使用 read_doc')
    expect(exploredIn(eventsOf(ended)).status).toBe('success')
  })

  test('S4-153 S4-100: 4. at the limit a report is forced; without a read there is nothing to report', async () => {
    place.file('agent.config.json', { agent: { scout: { maxSteps: 8 } } })
    await place.writ(['trust'])
    const ended = await ran('look', [
      explore(['A?', 'none?']),
      ...scoutSays(1, search, ...about('a', 'The cap of plan A is five scouts.').slice(0, 2), search),
      ...scoutSays(1, report()),
      ...scoutSays(2, search, search, search, search),
      answer(),
    ])
    const { results } = exploredIn(eventsOf(ended))
    expect(results[0]).toMatchObject({ status: 'success', reason: 'forced' })
    expect(results[1]).toMatchObject({ status: 'partial', error: { code: 'NO_READ_BEFORE_LIMIT' } })
    expect(resultOf(ended).notices.join()).toContain('1 of 2 lookups')
  })

  test('S4-138 S4-141 S4-105 S4-109: 5. one succeeds, one times out, one fails, one has an invalid report, one is cancelled', async () => {
    const script: ScriptEntry[] = [
      explore(['good', 'slow', 'down', 'bad', 'gone']),
      ...scoutSays(1, ...about('a', 'The cap of plan A is five scouts.')),
      { purpose: 'scout:2', calls: [search], delayMs: 600_000 },
      { purpose: 'scout:3', error: { message: 'out of order' } },
      ...scoutSays(4, read('docs/b.md'), report({ confidence: 'high' })),
      { purpose: 'scout:5', calls: [search], delayMs: 600_000 },
      answer('five, says docs/a.md'),
    ]
    const agent = await createAgent({
      workspace: place.workspace,
      data: ':memory:',
      env: {},
      lang: 'en',
      model: scriptedModel(script),
      config: { agent: { scout: { defaultTimeoutMs: 4000 }, routing: { enabled: false } } },
    })
    const events: Event[] = []
    for await (const event of agent.stream('look')) {
      events.push(event)
      const gone = agent.scouts.list().find(({ task }) => task === 'gone')
      if (event.type === 'SCOUT_COMPLETED' && gone !== undefined) agent.scouts.cancel(gone.scoutId)
    }
    const { results, status } = exploredIn(events)
    const said = results.map((one: { status: string; error?: { code: string } }) => [one.status, one.error?.code])
    expect(said).toEqual([
      ['success', undefined],
      ['timeout', 'TIMEOUT'],
      ['failed', 'PROVIDER_ERROR'],
      ['failed', 'INVALID_RESULT'],
      ['aborted', 'ABORTED'],
    ])
    expect(status).toBe('partial')
    const committed = events.find((event) => event.type === 'turn.committed')
    expect(committed?.data).toMatchObject({
      reply: 'five, says docs/a.md',
      notices: [expect.stringContaining('4 of 5')],
    })
    const count = (type: string) => events.filter((event) => event.type === type).length
    expect([count('SCOUT_SLOT_ACQUIRED'), count('SCOUT_SLOT_RELEASED')]).toEqual([5, 5])
    expect(agent.scouts.list()).toEqual([])
    await agent.close()
  })

  test('S4-74 S4-87: 6. none against the user’s wish or during the cooldown, and no report from the main model', async () => {
    const refused = await ran('不要检索，直接回答', [explore(['A?']), answer()])
    expect(codes(eventsOf(refused))).toEqual(['SCOUT_USER_OPT_OUT'])
    const first = await ran('look', [explore(['A?']), ...scoutSays(1, ...about('a', 'five scouts')), answer()])
    const { sessionId } = resultOf(first)
    const again = await ran('look', [explore(['A?']), answer()], '--session', sessionId)
    expect(codes(eventsOf(again))).toEqual(['SCOUT_COOLDOWN'])
    const main = await ran('look', [{ purpose: 'main', calls: [report()] }, answer()])
    expect(codes(eventsOf(main))).toEqual(['TOOL_NOT_ALLOWED'])
  })
})

describe('without a model', () => {
  test.each([
    ['en', 'compare Plan A and Plan B in docs', /- Plan A: The cap of plan A is five scouts\. \[docs\/a\.md\]/],
    ['zh', '比较 Plan A 和 Plan B', /- Plan B: The cap of plan B is nine scouts\. \[docs\/b\.md\]/],
  ])('S4-71: the built-in rules send scouts and cite what they read (%s)', async (lang, task, line) => {
    const { stdout, stderr, code } = await place.writ(['run', task, '--lang', lang], {
      env: { OLLAMA_HOST: '127.0.0.1:1' },
    })
    expect(stdout).toMatch(line)
    const lines = stderr.split('\n').filter((text) => /^✓ (?:scout|侦察员) \d/.test(text))
    expect(lines).toHaveLength(2)
    expect(code).toBe(0)
  })
  test('S4-163: they send scouts with the tool under any configured name', async () => {
    const agent = await createAgent({
      workspace: place.workspace,
      data: ':memory:',
      env: {},
      lang: 'en',
      model: 'rules',
      config: { agent: { scout: { dispatchToolName: 'investigate' } } },
    })
    const { reply } = await agent.run('compare Plan A and Plan B in docs')
    expect(reply).toMatch(/- Plan A: The cap of plan A is five scouts\. \[docs\/a\.md\]/)
    await agent.close()
  })
})

describe('settings', () => {
  test('S4-155: when disabled, the tool does not exist', async () => {
    place.file('agent.config.json', { agent: { scout: { enabled: false } } })
    const record = join(place.root, 'record.jsonl')
    const ended = await ran('look', [explore(['A?']), answer()], '--record', record)
    expect(codes(eventsOf(ended))).toEqual(['UNKNOWN_TOOL'])
    expect(readFileSync(record, 'utf8')).not.toContain('"name":"explore"')
  })
  test('S4-163: renamed, it works under its new name only', async () => {
    place.file('agent.config.json', { agent: { scout: { dispatchToolName: 'recon' } } })
    await place.writ(['trust'])
    const recon = { purpose: 'main', calls: [{ tool: 'recon', args: { tasks: ['A?'] } }] } as const
    const ended = await ran('look', [explore(['x']), recon, ...scoutSays(1, ...about('a', 'five scouts')), answer()])
    expect(codes(eventsOf(ended))).toEqual(['UNKNOWN_TOOL'])
    expect(eventsOf(ended).filter(({ type }) => type === 'SCOUT_COMPLETED')).toHaveLength(1)
  })
  test('S4-160 S4-161: the allowed tools can be reduced, never extended', async () => {
    place.file('agent.config.json', { agent: { scout: { allowedTools: ['read_doc', 'report_findings'] } } })
    const record = join(place.root, 'record.jsonl')
    const calls = scoutSays(1, search, ...about('a', 'five scouts').slice(1))
    const ended = await ran('look', [explore(['A?']), ...calls, answer()], '--record', record)
    const requests = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const scout = requests.find(({ purpose }) => purpose === 'scout:1')
    expect(scout.tools.map(({ name }: { name: string }) => name).sort()).toEqual(['read_doc', 'report_findings'])
    expect(exploredIn(eventsOf(ended)).status).toBe('success')
    place.file('agent.config.json', { agent: { scout: { allowedTools: ['shell'] } } })
    expect((await ran('look', [answer()])).code).toBe(2)
  })
})

test('S4-135: scouts use the same provider as the main session', async () => {
  const stub = await startStubModel({
    reply(request) {
      const body = JSON.stringify(request.body)
      if (body.includes('You are a scout')) return { calls: [body.includes('five scouts') ? report() : read()] }
      return body.includes('grounding') ? { text: 'five' } : { calls: [{ tool: 'explore', args: { tasks: ['A?'] } }] }
    },
  })
  try {
    const agent = await createAgent({
      workspace: place.workspace,
      data: ':memory:',
      lang: 'en',
      model: 'openai/stub',
      baseURL: `${stub.url}/v1`,
      env: { OPENAI_API_KEY: 'k' },
      config: { agent: { routing: { enabled: false }, execution: { intentGuard: { detector: 'heuristic' } } } },
    })
    const { reply, notices } = await agent.run('look')
    expect([reply, notices]).toEqual(['five', []])
    expect(stub.requests).toHaveLength(4)
    await agent.close()
  } finally {
    await stub.close()
  }
})

test('S4-135: a model without tool calling uses the JSON protocol, and so do its scouts', async () => {
  const say = (call: { tool: string; args: unknown }) => ({ text: JSON.stringify({ type: 'action', ...call }) })
  const stub = await startStubModel({
    reply(request) {
      const body = JSON.stringify(request.body)
      if ('tools' in request.body) return { status: 400, text: 'stub:latest does not support tools' }
      if (body.includes('You are a scout')) return say(body.includes('five scouts') ? report() : read())
      if (body.includes('grounding')) return { text: '{"type":"final","answer":"five"}' }
      return say({ tool: 'explore', args: { tasks: ['A?'] } })
    },
  })
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    model: 'compatible/stub',
    baseURL: `${stub.url}/v1`,
    env: {},
    config: { agent: { routing: { enabled: false }, execution: { intentGuard: { detector: 'heuristic' } } } },
  })
  try {
    const events: Event[] = []
    for await (const event of agent.stream('look')) events.push(event)
    expect(exploredIn(events)).toMatchObject({ status: 'success', results: [{ grounding: { kept: 1, dropped: 0 } }] })
    const committed = events.find((event) => event.type === 'turn.committed')
    expect(committed?.data).toMatchObject({ reply: 'five', notices: [] })
    // Detected once: only the main run's first request offered tools.
    expect(stub.requests.map(({ body }) => 'tools' in body)).toEqual([true, false, false, false, false])
    // The JSON is not part of the streamed output.
    expect(events.filter(({ type }) => type === 'model.delta')).toEqual([])
    // Its own earlier answers are sent back in the protocol's form.
    await agent.run('again', { sessionId: events[0]?.sessionId ?? '' })
    const last = { role: 'assistant', content: '{"type":"final","answer":"five"}' }
    expect(stub.requests.at(-1)?.body.messages).toContainEqual(last)
  } finally {
    await agent.close()
    await stub.close()
  }
})

describe('the feature as a whole', () => {
  const root = join(import.meta.dirname, '../../..')
  test('S4-62 S4-63: it is in one folder, and the seed map lists the role of each file', () => {
    const row = readFileSync(join(root, 'docs/seed-map.md'), 'utf8')
      .split('\n')
      .find((line) => line.includes('src/features/scout-agent'))
    const roles = ['contracts', 'orchestrator', 'state-machine', 'runner', 'trigger-policy', 'concurrency', 'recorder']
    for (const role of roles) {
      expect(row).toContain(`runtime/src/scout/${role}.ts`)
      expect(existsSync(join(root, `runtime/src/scout/${role}.ts`))).toBe(true)
    }
  })
  test('S4-142 S4-166 S4-95: the guide covers settings, events and troubleshooting', () => {
    const guide = readFileSync(join(root, 'docs/guides/scouts.md'), 'utf8')
    for (const heading of ['## Settings', '## States and events', '## Troubleshooting'])
      expect(guide).toContain(heading)
    for (const key of ['tokenBudget', 'overflow', 'maxQueue', 'clip', 'maxProfile', 'NO_READ_BEFORE_LIMIT']) {
      expect(guide).toContain(key)
    }
  })
  test('S4-132 S4-29 S4-40 S4-19: input and output of a scout', async () => {
    const ended = await ran('look', [explore(['A?']), ...scoutSays(1, ...about('a', 'five scouts')), answer('five')])
    const [result]: ScoutTaskResult[] = exploredIn(eventsOf(ended)).results
    expect(result?.toolRuns.every(({ name, ok, durationMs }) => name !== '' && ok && durationMs >= 0)).toBe(true)
    const started = eventsOf(ended).find((event) => event.type === 'run.started' && event.scoutId !== null)
    expect(started?.data).toMatchObject({
      tools: expect.arrayContaining(['search_docs', 'read_doc', 'report_findings']),
    })
    // Only the main session replies to the user.
    const spoken = eventsOf(ended).filter((event) => event.type === 'turn.committed')
    expect(spoken.map(({ scoutId }) => scoutId)).toEqual([null])
    expect(resultOf(ended).reply).toBe('five')
  })
})

test('S4-173: `writ trace` accepts a scout id, and shows the cost of a run with its scouts', async () => {
  const ended = await ran('look', [explore(['A?']), ...scoutSays(1, ...about('a', 'five scouts')), answer('five')])
  const { metadata, runId } = ended.json().at(-1) as {
    runId: string
    metadata: {
      execution: { usage: { inputTokens: number }; total: { usage: { inputTokens: number }; children: number } }
    }
  }
  const { usage, total } = metadata.execution
  expect(total.children).toBe(1)
  expect(total.usage.inputTokens).toBeGreaterThan(usage.inputTokens)
  const [scoutId] = exploredIn(eventsOf(ended)).scoutIds
  const traced = await place.writ(['trace', scoutId, '--lang', 'en'])
  expect(traced).toMatchObject({ code: 0, stdout: expect.stringMatching(/Task: A\?[\s\S]*report_findings/) })
  const main = await place.writ(['trace', runId, '--lang', 'en'])
  expect(main.stdout).toMatch(new RegExp(`Tokens: ${total.usage.inputTokens} in, \\d+ out · with 1 child run`))
  expect((await place.writ(['trace', runId, '--json'])).json().at(-1)).toMatchObject({ total })
  expect((await place.writ(['trace', 'scout_unknown'])).code).not.toBe(0)
})
