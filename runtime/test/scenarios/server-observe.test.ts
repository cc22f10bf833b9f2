/** Observability: metrics, logs, traces, the OpenAPI document. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { SummaryBuilder } from '../../src/replay/summary.ts'
import { contract } from '../../src/server/contract/contract.ts'
import { makePlace } from '../support/cli.ts'
import { action, batch, context, intent } from '../support/decision.ts'
import { spyTools } from '../support/engine.ts'
import { call, makeServerPlace, speaking, type TestPlace, type TestServer } from '../support/server.ts'

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

async function say({ api }: TestServer, text: string) {
  const { sessionId: id } = await api.call('POST /api/sessions', {})
  return api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
}

const WORK = () => [[{ calls: [call('look', { n: 1 }), call('fails', { n: 1 }), call('made_up_name', {})] }], ['done']]

/** One line of the Prometheus text format. */
function sampleOf(text: string, line: string): number {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  if (found === undefined) throw new Error(`no ${line} in\n${text}`)
  return Number(found.slice(line.length + 1))
}

test('S3-128 S3-129 S3-130 S3-132: steps, calls, stop reasons, failures, tools and tokens are metrics', async () => {
  const server = await place.start({ model: speaking(WORK()), tools: spyTools([]) })
  await say(server, 'work')
  const text = await server.api.call('GET /metrics', {})

  expect(sampleOf(text, 'writ_step_seconds_count')).toBe(2)
  expect(sampleOf(text, 'writ_tool_call_seconds_count{tool="look"}')).toBe(1)
  expect(text).toMatch(/writ_tool_call_seconds_sum\{tool="look"\} [\d.]+/)
  expect(sampleOf(text, 'writ_tool_calls_failed_total{tool="fails"}')).toBe(1)
  expect(sampleOf(text, 'writ_runs_ended_total{mode="chat",finish_reason="final"}')).toBe(1)
  expect(sampleOf(text, 'writ_runs_started_total')).toBe(1)
  expect(sampleOf(text, 'writ_runs_failed_total')).toBe(0)
  expect(sampleOf(text, 'writ_denials_total{reason="UNKNOWN_TOOL"}')).toBe(1)
  expect(sampleOf(text, 'writ_model_tokens_total{model="test/spoken",kind="prompt"}')).toBeGreaterThan(0)
  expect(sampleOf(text, 'writ_model_tokens_total{model="test/spoken",kind="completion"}')).toBeGreaterThan(0)
  expect(sampleOf(text, 'writ_live_runs')).toBe(0)
  const wrong = text.split('\n').filter((line) => !/^(?:#.*|[a-z_]+(?:\{[^}]*\})? -?[\d.e+-]+)?$/.test(line))
  expect(wrong).toEqual([])
})

test('S2-85, S2-86: replay, stats and metrics count the actions of a decision the same way', async () => {
  const server = await place.start({})
  const suggested_actions = [action(), action({ target: 'unseen' })]
  const given = { batch: batch([intent('a', { suggested_actions })]), context: context(), route: 'CloudLlm' }
  const decision = await server.api.call('POST /api/decisions', { body: JSON.parse(JSON.stringify(given)) })
  expect(decision.denial_counts).toEqual({ TargetNotInContext: 1 })

  const text = await server.api.call('GET /metrics', {})
  expect(sampleOf(text, 'writ_gate_decisions_total{decision="allow"}')).toBe(1)
  expect(sampleOf(text, 'writ_gate_decisions_total{decision="deny"}')).toBe(1)
  expect(sampleOf(text, 'writ_denials_total{reason="TargetNotInContext"}')).toBe(1)
  expect(sampleOf(text, 'writ_decision_batches_total')).toBe(1)
  expect(sampleOf(text, 'writ_decision_actions_total{outcome="denied"}')).toBe(1)
  const stats = await server.api.call('GET /api/stats', {})
  const account = new SummaryBuilder()
  const { events } = await server.api.call('GET /api/runs/:id/events', { params: { id: decision.run_id } })
  account.addRun(events as unknown as StoredEvent[])
  const replayed = account.summary()
  expect(stats.verdicts).toEqual(replayed.verdicts)
  expect(stats.denials.byReason).toEqual(replayed.denied)
})

test('tool names invented by a model do not become metric labels', async () => {
  const steps = Array.from({ length: 5 }, (_, i) => [{ calls: [call(`invented_${i}`, {})] }])
  const server = await place.start({ model: speaking([...steps, ['done']]) })
  await say(server, 'work')
  const text = await server.api.call('GET /metrics', {})
  expect(text).not.toContain('invented')
  expect(sampleOf(text, 'writ_tool_calls_denied_total{tool="other"}')).toBe(5)
})

test('stats and metrics are counted from the same journal and agree', async () => {
  const server = await place.start({ model: speaking(WORK()), tools: spyTools([]) })
  await say(server, 'work')
  const stats = await server.api.call('GET /api/stats', {})
  expect(stats).toMatchObject({ runs: { started: 1, ended: 1 }, denials: { total: 1 }, calls: { ran: 2, denied: 1 } })
  expect(await server.api.call('GET /api/stats', { query: { until: 1 } })).toMatchObject({ runs: { started: 0 } })
})

test('stats cover the last week by default, and name their time range', async () => {
  const day = 86_400_000
  let now = Date.now()
  const server = await place.start({ model: speaking([['hi'], ['hi']]), clock: { now: () => now } })
  await say(server, 'an old one')
  now += 8 * day
  await say(server, 'a new one')
  const since = now + 1 - 7 * day
  expect(await server.api.call('GET /api/stats', {})).toMatchObject({ since, until: now + 1, runs: { started: 1 } })
  const query = { since: 0 }
  expect(await server.api.call('GET /api/stats', { query })).toMatchObject({ since: 0, runs: { started: 2 } })
  const before = { until: now - 2 * day }
  expect(await server.api.call('GET /api/stats', { query: before })).toMatchObject({
    since: before.until - 7 * day,
    runs: { started: 1 },
  })
})

test('the log is JSON, one line per request, with the id of the run', async () => {
  const server = await place.start({ model: speaking([['hi']]) })
  const { runId, sessionId } = await say(server, 'hello')
  const line = server.log.find(({ what, path }) => what === 'request' && String(path).endsWith('/messages'))
  expect(line).toMatchObject({
    level: 'info',
    method: 'POST',
    status: 200,
    token: 'admin',
    runId,
    sessionId,
    time: expect.any(String),
  })
})

test('the OpenAPI document describes every endpoint', async () => {
  const server = await place.start()
  const page = (await (await server.request('/openapi.json', { token: null })).json()) as {
    openapi: string
    paths: Record<string, Record<string, { responses: object; security?: object[] }>>
  }
  expect(page.openapi).toBe('3.1.0')
  for (const [key, { scope }] of Object.entries(contract)) {
    const [method = '', path = ''] = key.split(' ')
    const found = page.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect({ key, found: found !== undefined, locked: found?.security !== undefined }).toEqual({
      key,
      found: true,
      locked: scope !== 'none',
    })
  }
})

test('the console is served from its folder; unknown paths serve index.html', async () => {
  const consoleFolder = join(place.workspace, 'built')
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
  writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>Writ</title>')
  writeFileSync(join(consoleFolder, 'assets', 'app-1a2b.js'), 'export {}')
  const server = await place.start({ consoleFolder })
  const get = async (path: string) => {
    const { status, headers } = await server.request(path, { token: null })
    return { status, type: headers.get('content-type'), cache: headers.get('cache-control') }
  }
  const page = { status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' }
  expect(await get('/')).toEqual(page)
  expect(await get('/runs/run_1')).toEqual(page)
  expect(await get('/assets/app-1a2b.js')).toMatchObject({
    type: 'text/javascript; charset=utf-8',
    cache: expect.stringContaining('immutable'),
  })
  expect(await get('/assets/gone-1a2b.js')).toMatchObject({ status: 404 })
  expect(await get('/api/nowhere')).toMatchObject({ status: 404, type: 'application/json' })
})

test('`writ serve --open` passes the token to the browser in a private file, not on the command line', async () => {
  const cli = makePlace()
  try {
    const tools = join(cli.root, 'tools')
    mkdirSync(tools)
    const opener = `#!/bin/sh\nstat -c %a "\${1#file://}" > ${cli.root}/mode\ncp "\${1#file://}" ${cli.root}/page\necho "$1" > ${cli.root}/opened\n`
    writeFileSync(join(tools, 'xdg-open'), opener, { mode: 0o755 })
    const env = { PATH: `${tools}:${process.env.PATH}` }
    const running = cli.start(['serve', '--port', '0', '--model', 'rules', '--open'], { env })
    const opened = () => existsSync(join(cli.root, 'opened')) && readFileSync(join(cli.root, 'opened'), 'utf8')
    await expect.poll(opened).toMatch(/^file:/)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    expect(opened()).not.toContain('writ_')
    expect(readFileSync(join(cli.root, 'mode'), 'utf8').trim()).toBe('600')
    expect(readFileSync(join(cli.root, 'page'), 'utf8')).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\/#token=writ_/)
    expect(existsSync(new URL(String(opened()).trim()))).toBe(false)
  } finally {
    cli.remove()
  }
})

test('ready while it accepts work', async () => {
  const server = await place.start()
  expect((await server.request('/readyz', { token: null })).status).toBe(200)
  expect(await (await server.request('/healthz', { token: null })).json()).toEqual({ status: 'ok' })
})

interface OtlpSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

test('traces reach a collector with OpenTelemetry attribute names and without any text', async () => {
  const spans: OtlpSpan[] = []
  const bodies: string[] = []
  const collector = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    bodies.push(body)
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  try {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const env = { HOME: place.workspace, PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT }
    const server = await place.start({ model: speaking(WORK()), tools: spyTools([]), env })
    const { runId, sessionId } = await say(server, 'my very own words')
    await server.stop()

    const named = (name: string) => spans.filter((span) => span.name === name)
    const [run] = named('invoke_agent chat')
    const attributes = Object.fromEntries(
      run?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) ?? [],
    )
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': sessionId,
      'gen_ai.request.model': 'test/spoken',
      'writ.run.id': runId,
      'writ.stop_reason': 'final',
    })
    const steps = [...named('step 1'), ...named('step 2')]
    expect(steps.map((span) => span.parentSpanId)).toEqual([run?.spanId, run?.spanId])
    const chats = named('chat test/spoken').map((span) => span.parentSpanId)
    expect(chats).toEqual(expect.arrayContaining(steps.map((span) => span.spanId)))
    expect(named('execute_tool look')).toMatchObject([{ parentSpanId: steps[0]?.spanId }])
    expect(named('execute_tool made_up_name')).toMatchObject([{ status: { code: 2 } }])
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1)
    expect(bodies.join()).not.toContain('my very own words')
  } finally {
    collector.close()
    collector.closeAllConnections()
  }
})

test('`writ serve` prints its address and the first token once, and shuts down cleanly', async () => {
  const cli = makePlace()
  try {
    const first = cli.start(['serve', '--port', '0', '--model', 'rules'])
    await first.said('#token=')
    first.child.kill('SIGTERM')
    const ended = await first.ended
    expect(ended.code).toBe(0)
    const [, url, token] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(writ_[\w-]{43})/.exec(ended.stderr) ?? []
    expect([url, token]).toEqual([expect.any(String), expect.any(String)])

    const second = cli.start(['serve', '--port', '0', '--model', 'rules', '--json'])
    await second.said('"listening"')
    second.child.kill('SIGTERM')
    const { code, stdout, stderr, json } = await second.ended
    expect({ code, kinds: json().map(({ what }) => what) }).toEqual({
      code: 0,
      kinds: ['listening', 'draining', 'stopped'],
    })
    expect(stdout + stderr).not.toContain('writ_')
  } finally {
    cli.remove()
  }
})

test('a port in use, an invalid port and an unknown host are reported clearly', async () => {
  const server = await place.start()
  const cli = makePlace()
  try {
    const { port } = new URL(server.url)
    const taken = await cli.writ(['serve', '--port', port, '--model', 'rules'])
    expect(taken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`PORT_IN_USE: port ${port} is already in use`),
    })
    expect(await cli.writ(['serve', '--port', 'many'])).toMatchObject({ code: 2 })
    expect(await cli.writ(['serve', '--host', '203.0.113.7', '--port', '0', '--model', 'rules'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('HOST_UNUSABLE'),
    })
    expect(await cli.writ(['token', 'revoke', 'unknown'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TOKEN_UNKNOWN'),
    })
    expect(await cli.writ(['token', 'add', 'x', '--scopes', 'read,fly'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TOKEN_SCOPES'),
    })
  } finally {
    cli.remove()
  }
})
