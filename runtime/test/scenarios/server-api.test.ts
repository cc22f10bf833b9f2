/** Endpoints for runs, what-if, policy, settings, workflows, routines, scouts and decisions. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drain } from '../../src/base/wait.ts'
import { firstBreach } from '../../src/journal/verify.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { openForActing } from '../../src/storage/acting.ts'
import { leasesOn } from '../../src/storage/leases.ts'
import { openDatabase, storeOn } from '../../src/storage/open.ts'
import { defineTool, type Tool } from '../../src/tool/tool.ts'
import { runWorkflow } from '../../src/workflow/start.ts'
import { makePlace } from '../support/cli.ts'
import { action, batch, context, intent } from '../support/decision.ts'
import { engineWith, spyTools } from '../support/engine.ts'
import {
  call,
  framesIn,
  makeServerPlace,
  readUntil,
  speaking,
  type TestPlace,
  type TestServer,
} from '../support/server.ts'

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

function readlinkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

async function say({ api }: TestServer, text: string) {
  const { sessionId: id } = await api.call('POST /api/sessions', {})
  return api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
}

describe('runs', () => {
  test('are listed latest first, page by page, and filtered by words, stop reason and mode', async () => {
    const server = await place.start({ model: speaking([]) })
    for (const task of ['water the plants', 'feed the cat', 'water the cat']) await say(server, task)
    const tasks = async (query: object) =>
      (await server.api.call('GET /api/runs', { query })).runs.map(({ task }) => task)

    expect(await tasks({})).toEqual(['water the cat', 'feed the cat', 'water the plants'])
    expect(await tasks({ q: 'water' })).toEqual(['water the cat', 'water the plants'])
    expect(await tasks({ q: 'CAT water' })).toEqual(['water the cat'])
    expect(await tasks({ stop: 'final', mode: 'chat' })).toHaveLength(3)
    expect([
      await tasks({ stop: 'aborted' }),
      await tasks({ stop: 'open' }),
      await tasks({ mode: 'scout' }),
      await tasks({ mode: 'x' }),
    ]).toEqual([[], [], [], []])
    expect(await tasks({ until: 1 })).toEqual([])

    const first = await server.api.call('GET /api/runs', { query: { limit: 2 } })
    const second = await server.api.call('GET /api/runs', {
      query: { limit: 2, ...(first.next === undefined ? {} : { before: first.next }) },
    })
    expect([...first.runs, ...second.runs].map(({ task }) => task)).toEqual([
      'water the cat',
      'feed the cat',
      'water the plants',
    ])
  })

  test('S3-116: one run is shown with trace, intent, denials and usage, and can be exported', async () => {
    const steps = [[{ calls: [call('look', { n: 1 }), call('nothing', {})] }], ['seen']]
    const server = await place.start({ model: speaking(steps), tools: spyTools([]) })
    const { runId } = await say(server, 'have a look')
    const view = await server.api.call('GET /api/runs/:id', { params: { id: runId } })

    expect(view).toMatchObject({
      run: {
        runId,
        mode: 'chat',
        task: 'have a look',
        model: 'test/spoken',
        stopReason: 'final',
        steps: 2,
        toolCalls: 1,
        denials: 1,
      },
      intent: { label: expect.any(String), source: 'heuristic' },
      scouts: [],
      children: [],
    })
    expect(view.trace.trace).toMatchObject([
      { step: 1, action: { tool: 'look', args: { n: 1 } }, observation: 'look done', elapsed_ms: expect.any(Number) },
      { step: 2, action: { tool: 'nothing' }, error: 'UNKNOWN_TOOL' },
    ])
    expect(view.run.usage.inputTokens).toBeGreaterThan(0)

    const lines = (await server.api.call('GET /api/runs/:id/export', { params: { id: runId } })).trim().split('\n')
    const events = lines.map((line) => JSON.parse(line) as StoredEvent)
    expect(firstBreach(events)).toBeUndefined()
    const page = await server.api.call('GET /api/runs/:id/events', {
      params: { id: runId },
      query: { after: 2, limit: 3 },
    })
    expect(page).toMatchObject({ events: events.slice(2, 5), next: 5 })
  })

  test('what-if lists the decisions of another policy call by call, and runs nothing', async () => {
    writeFileSync(join(place.workspace, 'notes.txt'), 'x')
    const server = await place.start({
      model: speaking([[{ calls: [call('file_read', { path: 'notes.txt' })] }], ['read']]),
    })
    const { runId } = await say(server, 'read notes.txt')
    const blocked = { security: { blockedPaths: ['notes.txt'] } }
    const { changed, ...counts } = await server.api.call('POST /api/what-if', { body: { config: blocked, runId } })
    expect(counts).toEqual({ runs: 1, decisions: 1, more: 0 })
    expect(changed).toMatchObject([
      {
        runId,
        tool: 'file_read',
        args: '{"path":"notes.txt"}',
        was: { decision: 'allow' },
        now: { decision: 'deny', reason: 'PRE_VALIDATE_REJECTED' },
      },
    ])
    expect((await server.api.call('POST /api/what-if', { body: { config: {} } })).changed).toEqual([])
    const wrong = server.api.call('POST /api/what-if', { body: { config: { security: { autonomy: 'Wild' } } } })
    await expect(wrong).rejects.toMatchObject({ status: 422, problems: [{ path: 'agent.security.autonomy' }] })
  })

  test('an interrupted run is resumed by the server', async () => {
    const cli = makePlace()
    try {
      cli.script('s.json', [{ purpose: 'main', delayMs: 600_000, text: 'never' }])
      const words = ['run', 'hello', '--script', 's.json', '--json', '--data', place.data]
      const running = cli.start(words, { env: { HOME: place.home } })
      await running.said('model.requested')
      await running.said('"purpose":"main"')
      // It is shown shortly before it is stored.
      const store = storeOn(await openDatabase({ kind: 'sqlite', file: join(place.data, 'journal.db') }))
      await expect.poll(async () => (await store.listRuns()).length).toBe(1)
      await store.close()
      running.child.kill('SIGKILL')
      await running.ended
    } finally {
      cli.remove()
    }
    const server = await place.start({ model: speaking([['at last']]) })
    const { runs } = await server.api.call('GET /api/runs', { query: {} })
    const id = runs[0]?.runId ?? ''
    await expect
      .poll(async () => (await server.api.call('GET /api/runs/:id', { params: { id } })).run.stopReason)
      .toBe('final')
    const { events } = await server.api.call('GET /api/runs/:id/events', { params: { id }, query: { limit: 1000 } })
    expect(events.at(-1)).toMatchObject({ type: 'turn.committed', data: { reply: 'at last' } })
    await expect(server.api.call('POST /api/runs/:id/resume', { params: { id } })).rejects.toMatchObject({
      status: 409,
      code: 'RUN_ENDED',
    })
  })
})

describe('policy and settings', () => {
  test('the classification of a task, the current guard and the tools are shown', async () => {
    const server = await place.start()
    const explained = await server.api.call('POST /api/policy/explain', {
      body: { task: 'open https://example.org in the browser' },
    })
    expect(explained.intent.label).toBe('browser_access')
    expect(explained.tools.length).toBeGreaterThan(5)
    const policy = await server.api.call('GET /api/policy', {})
    expect(Object.keys(policy.intents)).toContain('code_edit')
    expect(policy.origins['agent.execution.intentGuard.enabled']).toBe('default')
    expect(policy.families).toContain('filesystem')
    const { tools } = await server.api.call('GET /api/tools', {})
    expect(tools.find(({ name }) => name === 'file_read')).toMatchObject({
      family: 'filesystem',
      risk: 'Low',
      readOnly: true,
      disabled: false,
      inChat: true,
    })
    const inner = tools.filter(({ inChat }) => !inChat).map(({ name }) => name)
    expect(inner).toEqual(expect.arrayContaining(['agent_core', 'report_findings']))
    expect(await server.api.call('GET /api/info', {})).toMatchObject({
      model: { id: 'rules', embedded: true, footer: expect.stringContaining('not by a language model') },
      samples: [{ task: expect.any(String) }, {}, {}],
      dispatchTool: 'explore',
    })
  })

  test('settings can be tightened while the server runs, apply to new runs, and are stored', async () => {
    writeFileSync(join(place.workspace, 'a.txt'), 'x')
    const write = () => [{ calls: [call('file_write', { path: 'b.txt', content: 'x' })] }]
    const server = await place.start({ model: speaking([write(), write(), ['ok']]) })
    expect(await say(server, 'write b.txt')).toMatchObject({ stopReason: 'parked' })

    const narrowed = await server.api.call('PUT /api/config', {
      body: { agent: { security: { autonomy: 'ReadOnly' }, limits: { maxSteps: 3 } } },
    })
    expect(narrowed.overrides).toEqual({ security: { autonomy: 'ReadOnly' }, limits: { maxSteps: 3 } })
    expect(narrowed.origins['agent.security.autonomy']).toBe(narrowed.file)
    expect(narrowed.origins['agent.limits.runMs']).toBe('default')
    expect(JSON.parse(readFileSync(narrowed.file, 'utf8'))).toEqual({ agent: narrowed.overrides })
    const { runId, stopReason } = await say(server, 'write b.txt')
    expect(stopReason).not.toBe('parked')
    expect((await server.api.call('GET /api/runs/:id/trace', { params: { id: runId } })).trace).toMatchObject([
      { error: 'AUTONOMY_FORBIDS' },
    ])

    await server.stop()
    const again = await place.start({ token: server.token, autonomy: 'Full' })
    expect((await again.api.call('GET /api/info', {})).autonomy).toBe('ReadOnly')
    await again.api.call('PUT /api/config', { body: { agent: {} } })
    expect((await again.api.call('GET /api/info', {})).autonomy).toBe('Full')
  })

  test('repeated changes of settings leave nothing open', async () => {
    const server = await place.start()
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        const file = readlinkOf(`/proc/self/fd/${fd}`)
        return file.startsWith(place.data) && file.endsWith('journal.db')
      }).length
    const change = (maxSteps: number) =>
      server.api.call('PUT /api/config', { body: { agent: { limits: { maxSteps } } } })
    await change(9)
    const before = open()
    for (const steps of [8, 7, 6, 5, 4]) await change(steps)
    expect(before).toBeGreaterThan(0)
    // SQLite keeps a file open for a while when other connections of the process hold locks on it.
    expect(open()).toBeLessThanOrEqual(before + 2)
  })

  test('with concurrent changes of settings the last one applies and is in the file, and the server keeps working', async () => {
    const server = await place.start({ model: speaking([]) })
    const wishes = [9, 8, 7, 6, 5].map((maxSteps) => ({ limits: { maxSteps } }))
    await Promise.all(wishes.map((agent) => server.api.call('PUT /api/config', { body: { agent } })))
    const { overrides, file } = await server.api.call('GET /api/config', {})
    expect(wishes).toContainEqual(overrides)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ agent: overrides })
    expect(await say(server, 'hello')).toMatchObject({ stopReason: 'final' })
  })

  test('settings never exceed what the server was started with', async () => {
    const server = await place.start({
      config: { agent: { security: { autonomy: 'Supervised', allowedHosts: ['a.example'] } } },
    })
    const wishes: [object, string][] = [
      [{ security: { autonomy: 'Full' } }, 'agent.security.autonomy'],
      [{ security: { allowedHosts: ['a.example', 'b.example'] } }, 'agent.security.allowedHosts'],
      [{ security: { unblockedPaths: ['.env'] } }, 'agent.security.unblockedPaths'],
      [{ security: { injectionCheck: false } }, 'agent.security.injectionCheck'],
      [{ limits: { maxSteps: 100 } }, 'agent.limits.maxSteps'],
      [{ model: 'openai/gpt-5' }, 'agent.model'],
      [{ mcp: { servers: { x: { command: 'sh' } } } }, 'agent.mcp.servers'],
      [{ server: { allowedHosts: ['evil.example'] } }, 'agent.server.allowedHosts'],
      [{ security: { autonomy: 'Wild' } }, 'agent.security.autonomy'],
      [{ securty: {} }, 'agent.securty'],
    ]
    for (const [agent, path] of wishes) {
      const body = { agent: agent as Record<string, unknown> }
      await expect(server.api.call('PUT /api/config', { body })).rejects.toMatchObject({
        status: 422,
        code: 'CONFIG_REFUSED',
        problems: [{ path }],
      })
      expect(await server.api.call('POST /api/config/check', { body })).toMatchObject({
        ok: false,
        problems: [{ path, message: expect.any(String) }],
      })
    }
    expect(await server.api.call('POST /api/config/check', { body: { agent: { limits: { maxSteps: 2 } } } })).toEqual({
      ok: true,
      problems: [],
    })
    expect((await server.api.call('GET /api/config', {})).overrides).toEqual({})
  })
})

describe('workflows', () => {
  const document = {
    name: 'ask',
    description: 'asks an agent',
    nodes: [
      {
        id: 'agent_core',
        tool: 'agent_core',
        args: { model: 'rules', max_steps: 3, prompt: '{{external.question}}', allowed_tools: ['json_transform'] },
      },
    ],
  }

  test('S3 demo 1: a stored workflow runs over HTTP and returns the outputs of its nodes', async () => {
    const server = await place.start({
      model: scriptedModel([{ purpose: 'main', text: '{"type":"final","answer":"42"}', times: 5 }]),
    })
    const check = await server.api.call('POST /api/workflows/check', { body: { document } })
    expect(check).toEqual({ ok: true, problems: [] })
    const row = await server.api.call('PUT /api/workflows/:name', { params: { name: 'ask' }, body: { document } })
    expect(row).toMatchObject({ name: 'ask', description: 'asks an agent', nodes: 1 })
    expect((await server.api.call('GET /api/workflows', {})).workflows).toEqual([row])
    expect((await server.api.call('GET /api/workflows/:name', { params: { name: 'ask' } })).document).toEqual(document)

    const input = { question: 'What is 6 × 7?' }
    const result = await server.api.call('POST /api/workflows/:name/run', { params: { name: 'ask' }, body: { input } })
    expect(result).toMatchObject({ ok: true, output: '42', nodes: { agent_core: { state: 'done' } } })
    expect(result.outputs.agent_core).toMatchObject({
      final_answer: '42',
      finish_reason: 'final',
      trace: [],
      used_tools: {},
    })
    const frames = await framesIn(
      server.api.stream('POST /api/workflows/:name/run', { params: { name: 'ask' }, body: { input } }),
    )
    expect(frames.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['workflow.started', 'node.started', 'node.finished', 'workflow.finished']),
    )
    expect(frames.at(-1)).toMatchObject({ event: 'result', data: { ok: true } })
    expect(
      (await server.api.call('GET /api/runs', { query: { mode: 'workflow' } })).runs.length,
    ).toBeGreaterThanOrEqual(2)
    await server.api.call('DELETE /api/workflows/:name', { params: { name: 'ask' } })
    expect((await server.api.call('GET /api/workflows', {})).workflows).toEqual([])
  })

  test('a running workflow holds its session, so that the search for interrupted runs skips it', async () => {
    const began = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const slow = defineTool({
      name: 'slow',
      description: 'waits',
      schema: { type: 'object' },
      risk: 'Low',
      async execute() {
        began.resolve()
        await go.promise
        return 'over'
      },
    })
    const server = await place.start({ tools: [slow as Tool] })
    const params = { name: 'wait' }
    const waiting = { name: 'wait', nodes: [{ id: 'a', tool: 'slow' }] }
    await server.api.call('PUT /api/workflows/:name', { params, body: { document: waiting } })
    const run = server.api.call('POST /api/workflows/:name/run', { params, body: { input: {} } })
    await began.promise
    const db = await openDatabase({ kind: 'sqlite', file: join(place.data, 'journal.db') })
    const held = await leasesOn(db).list()
    go.resolve()
    const { runId } = await run
    const { run: row } = await server.api.call('GET /api/runs/:id', { params: { id: runId } })
    expect(held).toMatchObject([{ name: `session:${row.sessionId}`, over: false }])
    expect(await leasesOn(db).list()).toEqual([])
    await db.close()
  })

  test('a workflow interrupted by a crash can be resumed or stopped', async () => {
    const { data, workspace, home } = place
    const configHome = join(home, '.config/writ')
    const db = await openForActing({ kind: 'folder', data, workspace, configHome, key: undefined })
    const stuck = Promise.withResolvers<void>()
    let tries = 0
    const flaky = defineTool({
      name: 'flaky',
      description: 'dies with its process the first two times',
      schema: { type: 'object' },
      risk: 'Low',
      readOnly: true,
      async execute() {
        if (++tries > 2) return 'here'
        if (tries === 2) stuck.resolve()
        return new Promise<string>(() => {})
      },
    }) as Tool
    const engine = await engineWith({ store: storeOn(db), tools: [flaky] })
    const cut = { name: 'cut', nodes: [{ id: 'a', tool: 'flaky' }] }
    for (const runId of ['run_a', 'run_b']) {
      const run = runWorkflow(engine, { document: cut, runId, disabledTools: [], envNames: [] })
      void drain(run)
    }
    await stuck.promise
    const server = await place.start({ tools: [flaky] })
    expect(await server.api.call('POST /api/runs/:id/resume', { params: { id: 'run_a' } })).toMatchObject({
      ok: true,
      outputs: { a: { text: 'here' } },
    })
    const params = { id: 'run_b' }
    expect(await server.api.call('POST /api/runs/:id/abort', { params })).toEqual({ aborted: ['run_b'] })
    expect((await server.api.call('GET /api/runs/:id', { params })).run.stopReason).toBe('aborted')
    expect(tries).toBe(3)
    await db.close()
  })

  test('an invalid workflow is not stored, and its problems name their place', async () => {
    const server = await place.start()
    const wrong = { name: 'x', nodes: [{ id: 'a', tool: 'no_such_tool' }] }
    const put = server.api.call('PUT /api/workflows/:name', { params: { name: 'x' }, body: { document: wrong } })
    await expect(put).rejects.toMatchObject({ status: 422, problems: [{ path: 'nodes[0].tool' }] })
    expect(await server.api.call('POST /api/workflows/check', { body: { document: { nodes: 5 } } })).toMatchObject({
      ok: false,
    })
    for (const name of ['..', 'a.b', '-x', 'a'.repeat(65)]) {
      const got = server.api.call('GET /api/workflows/:name', { params: { name } })
      await expect(got).rejects.toMatchObject({ status: expect.toBeOneOf([400, 404]) })
    }
    await expect(server.api.call('GET /api/workflows/:name', { params: { name: 'x' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('invalid workflow files are not listed, report their problems and can be deleted', async () => {
    const server = await place.start()
    const row = await server.api.call('PUT /api/workflows/:name', { params: { name: 'ask' }, body: { document } })
    const broken = { cut: '{"name": "cut", "nod', list: '[]', bare: '{}', odd: '{"nodes": [], "description": 5}' }
    const folder = join(place.data, 'workflows')
    for (const [name, text] of Object.entries(broken)) writeFileSync(join(folder, `${name}.json`), text)
    mkdirSync(join(folder, 'folder.json'))
    expect((await server.api.call('GET /api/workflows', {})).workflows).toEqual([row])
    const warned = server.log.filter(({ level, what }) => level === 'warn' && what === 'workflow.unreadable')
    expect(warned.map(({ name }) => name).sort()).toEqual(['bare', 'cut', 'folder', 'list', 'odd'])
    for (const name of Object.keys(broken)) {
      const got = server.api.call('GET /api/workflows/:name', { params: { name } })
      await expect(got).rejects.toMatchObject({ status: 422, code: 'WORKFLOW_INVALID', problems: expect.any(Array) })
      await server.api.call('DELETE /api/workflows/:name', { params: { name } })
      await expect(server.api.call('DELETE /api/workflows/:name', { params: { name } })).rejects.toMatchObject({
        status: 404,
      })
    }
  })

  test('an unreadable folder is an error, not an empty list', async () => {
    const server = await place.start()
    expect((await server.api.call('GET /api/workflows', {})).workflows).toEqual([])
    writeFileSync(join(place.data, 'workflows'), '')
    await expect(server.api.call('GET /api/workflows', {})).rejects.toMatchObject({ status: 500 })
  })

  test('concurrent saves of one workflow all succeed and leave no temporary files', async () => {
    const server = await place.start()
    const versions = Array.from({ length: 20 }, (_, i) => ({ ...document, description: `version ${i}` }))
    const params = { name: 'ask' }
    await Promise.all(
      versions.map((version) => server.api.call('PUT /api/workflows/:name', { params, body: { document: version } })),
    )
    expect(versions).toContainEqual((await server.api.call('GET /api/workflows/:name', { params })).document)
    expect(readdirSync(join(place.data, 'workflows'))).toEqual(['ask.json'])
  })
})

describe('routines, scouts, decisions', () => {
  test('routines are added, run, paused, resumed and deleted', async () => {
    const server = await place.start({ model: speaking([['watered']]) })
    const name = 'plants'
    const added = await server.api.call('POST /api/routines', {
      body: { name, schedule: '0 9 * * *', task: 'water the plants', timeZone: 'Europe/Berlin' },
    })
    expect(added).toMatchObject({ name, paused: false, createdBy: 'admin' })
    await expect(
      server.api.call('POST /api/routines', { body: { name: 'bad', schedule: 'soon', task: 'x' } }),
    ).rejects.toMatchObject({ status: 400 })
    await server.api.call('POST /api/routines/:name/run', { params: { name } })
    await expect.poll(async () => (await server.api.call('GET /api/routines', {})).routines[0]?.lastStop).toBe('final')
    expect((await server.api.call('GET /api/runs', { query: { mode: 'routine' } })).runs).toMatchObject([
      { task: 'water the plants' },
    ])
    expect(await server.api.call('POST /api/routines/:name/pause', { params: { name } })).toMatchObject({
      paused: true,
    })
    expect(await server.api.call('POST /api/routines/:name/resume', { params: { name } })).toMatchObject({
      paused: false,
    })
    await server.api.call('DELETE /api/routines/:name', { params: { name } })
    await expect(server.api.call('POST /api/routines/:name/pause', { params: { name } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('S4-116, S4-129: scouts can be followed while they run, and one can be stopped', async () => {
    writeFileSync(join(place.workspace, 'doc.md'), '# Caps\n\nThe cap is five.')
    const model = scriptedModel([
      { purpose: 'main', calls: [{ tool: 'explore', args: { tasks: ['read the cap', 'wait for ever'] } }] },
      { purpose: 'scout:1', calls: [{ tool: 'read_doc', args: { id: 'doc.md' } }] },
      {
        purpose: 'scout:1',
        calls: [
          {
            tool: 'report_findings',
            args: {
              summary: 'five',
              evidence: [{ source: 'doc.md', quote: 'The cap is five.', note: 'cap' }],
              confidence: 0.9,
            },
          },
        ],
      },
      { purpose: 'scout:2', delayMs: 600_000, text: 'never' },
      { purpose: 'main', text: 'The cap is five.' },
    ])
    const server = await place.start({ model })
    const { sessionId: id } = await server.api.call('POST /api/sessions', {})
    const result = server.api.call('POST /api/sessions/:id/messages', {
      params: { id },
      body: { text: 'compare the documents' },
    })
    const events = server.api.stream('GET /api/sessions/:id/events', { params: { id } })
    await readUntil(events, 'SCOUT_COMPLETED')
    const stuck = async () =>
      (await server.api.call('GET /api/scouts', {})).scouts.find(({ task }) => task === 'wait for ever')
    await expect.poll(stuck).toMatchObject({ state: 'RUNNING' })
    await server.api.call('POST /api/scouts/:id/cancel', { params: { id: (await stuck())?.scoutId ?? '' } })

    const { reply, runId } = await result
    expect(reply).toBe('The cap is five.')
    const { scouts } = await server.api.call('GET /api/scouts', { query: { session: id } })
    expect(scouts.map(({ task, state }) => ({ task, state }))).toEqual([
      { task: 'read the cap', state: 'COMPLETED' },
      { task: 'wait for ever', state: 'ABORTED' },
    ])
    expect((await server.api.call('GET /api/scouts', { query: { run: runId } })).scouts).toHaveLength(2)
    const view = await server.api.call('GET /api/runs/:id', { params: { id: runId } })
    expect(view.children).toHaveLength(2)
    // Scouts that started in the same millisecond have no order.
    const ends = Object.fromEntries(view.scouts.map(({ task, status }) => [task, status]))
    expect(ends).toEqual({ 'read the cap': 'success', 'wait for ever': 'aborted' })
    await expect(server.api.call('POST /api/scouts/:id/cancel', { params: { id: 'unknown' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a batch is judged as on the command line, and listed afterwards', async () => {
    const server = await place.start()
    const given = {
      batch: batch([intent('good'), intent('unsure', { confidence: 0.1 })]),
      context: context(),
      route: 'CloudLlm',
    } as const
    const body = JSON.parse(JSON.stringify(given))
    const decision = await server.api.call('POST /api/decisions', { body })
    expect(decision).toMatchObject({
      route: 'CloudLlm',
      authorized: [{ intent_id: 'good', action: action() }],
      denied: [{ intent_id: 'unsure', reason: 'ConfidenceTooLow' }],
      denial_counts: { ConfidenceTooLow: 1 },
    })
    expect((await server.api.call('GET /api/decisions', {})).decisions).toMatchObject([
      {
        windowId: 'w1',
        route: 'CloudLlm',
        intents: 2,
        authorized: 1,
        denied: 1,
        denialCounts: { ConfidenceTooLow: 1 },
      },
    ])
    const { run_id, generated_at_ms, ...same } = decision
    expect(same).toMatchObject({ window_id: 'w1', model: 'test', rationale_tags: [], latency_us: 0, error: null })
    expect(run_id).toMatch(/^run_/)
    const predicted = await server.api.call('POST /api/decisions', { body: { context: body.context, execute: true } })
    expect(predicted).toMatchObject({ window_id: 'w1', executed: expect.any(Array) })
    expect((await server.api.call('GET /api/decisions/routes', {})).routes).toHaveLength(5)
    const wrong = server.api.call('POST /api/decisions', {
      body: { ...body, batch: { ...body.batch, intents: [{ confidence: 7 }] } },
    })
    await expect(wrong).rejects.toMatchObject({ status: 400 })
  })
})
