/** A run with more calls and events than are shown at once: over HTTP and on the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredEvent } from '../../src/protocol/event.ts'
import type { TraceEntry } from '../../src/protocol/trace.ts'
import { makePlace } from '../support/cli.ts'
import { spyTools } from '../support/engine.ts'
import { call, makeServerPlace, speaking, type TestPlace, type TestServer } from '../support/server.ts'

const STEPS = 250

let place: TestPlace
let server: TestServer
let runId: string

beforeAll(async () => {
  place = makeServerPlace()
  const steps = Array.from({ length: STEPS }, (_, n) => [{ calls: [call(n % 2 === 0 ? 'look' : 'fails', { n })] }])
  const config = { agent: { limits: { maxSteps: STEPS + 10 } } }
  server = await place.start({ model: speaking([...steps, ['done']]), tools: spyTools([]), config })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const result = await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'work' } })
  expect(result).toMatchObject({ stopReason: 'final' })
  runId = (result as { runId: string }).runId
})
afterAll(() => place.remove())

test('X-SCALE-2: a run is shown with its newest calls; the pages before them complete the trace', async () => {
  const { api } = server
  const params = { id: runId }
  const whole = await api.call('GET /api/runs/:id/trace', { params })
  expect(whole.trace).toHaveLength(STEPS)
  const { trace, results, before, run } = await api.call('GET /api/runs/:id', { params })
  expect(run.steps).toBe(STEPS + 1)
  expect(trace).toEqual({ ...whole, trace: whole.trace.slice(-trace.trace.length) })
  expect(trace.trace.length).toBeLessThan(STEPS)

  const entries: TraceEntry[] = [...trace.trace]
  const seqs = [...results]
  for (let next = before; next !== undefined; ) {
    const page = await api.call('GET /api/runs/:id/calls', { params, query: { before: next, limit: 20 } })
    entries.unshift(...page.entries)
    seqs.unshift(...page.results)
    next = page.before
  }
  expect(entries).toEqual(whole.trace)
  const { events } = await api.call('GET /api/runs/:id/events', { params, query: { limit: 5000 } })
  expect(seqs).toEqual(events.filter(({ type }) => type === 'tool.result').map(({ seq }) => seq))
  await expect(api.call('GET /api/runs/:id/calls', { params, query: { before: 'x' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('X-SCALE-2: its journal can be read from the end', async () => {
  const { api } = server
  const params = { id: runId }
  const { events } = await api.call('GET /api/runs/:id/events', { params, query: { limit: 5000 } })
  const backwards: StoredEvent[] = []
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const page: { events: unknown[]; previous?: number | undefined } = await api.call('GET /api/runs/:id/events', {
      params,
      query: { before, limit: 400 },
    })
    backwards.unshift(...(page.events as StoredEvent[]))
    before = page.previous
  }
  expect(backwards).toEqual(events)
})

test('X-SCALE-2: `writ trace` shows the newest calls and how many came before; as JSON it shows all', async () => {
  const cli = makePlace()
  try {
    cli.file('long.json', { agent: { limits: { maxSteps: STEPS + 10 }, routing: { enabled: false } } })
    const calls = Array.from({ length: STEPS }, (_, n) => ({ tool: 'file_read', args: { path: `${n + 1}.txt` } }))
    cli.script('script.json', [
      ...calls.map((each) => ({ purpose: 'main' as const, calls: [each] })),
      { purpose: 'main', text: 'done' },
    ])
    await cli.writ(['run', 'read them', '--script', 'script.json', '--config', 'long.json'])
    const text = await cli.writ(['trace', '--last'])
    expect(text.stdout).toMatch(/… \d+ earlier calls; with --json all are listed/)
    expect(text.stdout).toContain(` ${STEPS} file_read`)
    expect(text.stdout).not.toContain(' 1 file_read')
    const [json] = (await cli.writ(['trace', '--last', '--json'])).json() as unknown as { trace: TraceEntry[] }[]
    expect(json?.trace).toHaveLength(STEPS)
  } finally {
    cli.remove()
  }
})
