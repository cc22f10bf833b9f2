/** Several `writ serve` and `writ work` on one PostgreSQL: real processes, on loopback. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { scriptedModel } from '../../src/index.ts'
import { scoutStates } from '../../src/journal/scout-states.ts'
import type { Store } from '../../src/journal/store.ts'
import { audit } from '../../src/journal/verify.ts'
import type { ScriptEntry } from '../../src/model/scripted.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { type Client, createClient } from '../../src/server/client.ts'
import { openStore } from '../../src/storage/open.ts'
import { makePlace, type Place, type Running } from '../support/cli.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { framesIn, readUntil } from '../support/server.ts'
import { until } from '../support/until.ts'

const LONG = 300_000
const FREE = { autonomy: 'Full', allowedCommands: ['*'], sandbox: 'off' }
/** A server that only accepts requests and leaves the work to others. */
const FRONT = ['--at-once', '0']

let postgres: TestPostgres
let place: Place
let running: Running[]
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())
beforeEach(() => {
  place = makePlace()
  running = []
})
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  place.remove()
})

const main = (part: Partial<ScriptEntry>): ScriptEntry => ({ purpose: 'main', ...part })
const shell = (command: string) => ({ calls: [{ tool: 'shell', args: { command } }] })
const log = () => (existsSync(join(place.workspace, 'log.txt')) ? place.read('log.txt') : '')

function start(args: string[], script: ScriptEntry[], env: Record<string, string>): Running {
  const name = `script-${running.length}.json`
  place.script(name, [{ purpose: 'route', text: '{"direct":true}', times: 99 }, ...script])
  const one = place.start([...args, '--script', name], { env })
  running.push(one)
  return one
}

const JOBS = 'select data::text as text from writ_jobs.job order by created_on'

async function query(connectionString: string, statement: string): Promise<{ text: string }[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

interface Server extends Running {
  api: Client
}

let token = ''
/** The first server on a store creates the token for all. */
async function serve(args: string[], script: ScriptEntry[], env: Record<string, string> = {}): Promise<Server> {
  const server = start(['serve', '--port', '0', '--json', ...args], script, env)
  let said = ''
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  await server.said('"listening"')
  const url = /"url":"([^"]+)"/.exec(said)?.[1] ?? ''
  // The token is printed on the other stream, after the store is opened.
  if (token === '') await server.said('writ_')
  token ||= /writ_[\w-]+/.exec(said)?.[0] ?? ''
  return { ...server, api: createClient({ base: url, token: () => token }) }
}

const newSession = async ({ api }: Server) => (await api.call('POST /api/sessions', {})).sessionId
const say = ({ api }: Server, id: string, text: string) =>
  api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })

beforeEach(() => {
  token = ''
})

describe('on PostgreSQL', () => {
  let env: Record<string, string>
  let store: Store
  const configure = async (security: object) => {
    const scout = { defaultTimeoutMs: 600_000 }
    place.file('agent.config.json', { agent: { store: 'postgres', security, scout } })
    await place.writ(['trust'])
  }
  const work = async (script: ScriptEntry[]) => {
    const worker = start(['work'], script, env)
    await worker.said('Worker started')
    return worker
  }

  beforeEach(async () => {
    const url = await postgres.createDatabase()
    env = { WRIT_DATABASE_URL: url }
    store = await openStore({ kind: 'postgres', url })
    await configure(FREE)
  })
  afterEach(async () => {
    await store.close()
  })

  test(
    'a request to one server runs in another process; events, results and errors reach the caller',
    async () => {
      const front = await serve(FRONT, [], env)
      const other = await serve(FRONT, [], env)
      await work([main({ text: 'from the worker', times: 9 })])
      const id = await newSession(front)
      const watcher = other.api.stream('GET /api/sessions/:id/events', { params: { id } })
      const { reply, runId, metadata } = await say(front, id, 'hello')
      expect([reply, metadata.execution]).toMatchObject(['from the worker', { steps: 1, stopReason: 'final' }])
      const seen = await readUntil(watcher, 'turn.committed')
      await watcher.return()
      const { events } = await other.api.call('GET /api/runs/:id/events', { params: { id: runId }, query: {} })
      expect(seen.filter((frame) => frame.id !== undefined).map(({ data }) => data)).toEqual(events)

      const streamed = await framesIn(
        front.api.stream('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'once more' } }),
      )
      expect(streamed[0]?.event).toBe('turn.started')
      expect(streamed.at(-1)).toMatchObject({ event: 'result', data: { reply: 'from the worker' } })

      const nodes = [{ id: 'a', tool: 'shell', args: { command: 'echo done' } }]
      const params = { name: 'w' }
      await front.api.call('PUT /api/workflows/:name', { params, body: { document: { name: 'w', nodes } } })
      const done = await front.api.call('POST /api/workflows/:name/run', { params, body: { input: {} } })
      expect(done).toMatchObject({ ok: true, nodes: { a: { state: 'done' } } })

      const needy = [{ id: 'a', tool: 'shell', args: { command: '{{external.what}}' } }]
      await front.api.call('PUT /api/workflows/:name', { params, body: { document: { name: 'w', nodes: needy } } })
      const refused = front.api.call('POST /api/workflows/:name/run', { params, body: { input: {} } })
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'WORKFLOW_INVALID' })
      expect((await audit(store)).breaches).toEqual([])
    },
    LONG,
  )

  test(
    'an approval can be given at any server, once; later answers get an error',
    async () => {
      await configure({ ...FREE, autonomy: 'Supervised' })
      const one = await serve(FRONT, [], env)
      const two = await serve(FRONT, [], env)
      await work([main(shell('echo asked >> log.txt')), main({ text: 'done as you said', times: 9 })])
      const id = await newSession(one)
      const { runId, stopReason, question } = await say(one, id, 'note something')
      expect(stopReason).toBe('parked')
      const body = { callId: question?.callId ?? '', answer: 'y' as const }
      const answers = await Promise.allSettled(
        [one, two, one, two].map(({ api }) => api.call('POST /api/approvals/:runId', { params: { runId }, body })),
      )
      const late = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(late).toHaveLength(3)
      for (const each of late) expect(each).toMatchObject({ status: 409, code: 'QUESTION_CLOSED' })
      await readUntil(two.api.stream('GET /api/runs/:id/events', { params: { id: runId } }), 'turn.committed')
      expect(log()).toBe('asked\n')
      const { messages } = await two.api.call('GET /api/sessions/:id', { params: { id } })
      expect(messages.at(-1)?.text).toBe('done as you said')
      expect((await one.api.call('GET /api/approvals', {})).open).toEqual([])
    },
    LONG,
  )

  test(
    'an answer given while no worker runs is kept for the next worker',
    async () => {
      await configure({ ...FREE, autonomy: 'Supervised' })
      const front = await serve(FRONT, [], env)
      const first = await work([main(shell('echo asked >> log.txt'))])
      const id = await newSession(front)
      const { runId, question } = await say(front, id, 'note something')
      first.child.kill('SIGKILL')
      await first.ended
      const body = { callId: question?.callId ?? '', answer: 'y' as const }
      const answered = front.api.call('POST /api/approvals/:runId', { params: { runId }, body })
      await until(async () => (await query(env.WRIT_DATABASE_URL ?? '', JOBS)).length === 2)
      front.child.kill('SIGKILL')
      await expect(answered).rejects.toThrow()
      await work([main({ text: 'done as you said', times: 9 })])
      await until(async () => (await store.readRun(runId)).at(-1)?.type === 'turn.committed')
      expect(log()).toBe('asked\n')
    },
    LONG,
  )

  test(
    'a job with a secret never enters the queue, and a server with tighter limits runs its own requests',
    async () => {
      const front = await serve(FRONT, [main({ text: 'from the front', times: 9 })], env)
      await work([main({ text: 'from the worker', times: 9 })])
      const id = await newSession(front)
      const replies: string[] = []
      const ask = async (text: string) => replies.push((await say(front, id, text)).reply)
      await ask('hello')
      await ask('remember sk-abcdefghijklmnopqrstuvwx')
      await front.api.call('PUT /api/config', { body: { agent: { security: { autonomy: 'ReadOnly' } } } })
      await ask('hello again')
      await front.api.call('PUT /api/config', { body: { agent: {} } })
      await ask('and again')
      expect(replies).toEqual(['from the worker', 'from the front', 'from the front', 'from the worker'])
      const jobs = await query(env.WRIT_DATABASE_URL ?? '', JOBS)
      expect(jobs.map(({ text }) => JSON.parse(text).task)).toEqual(['hello', 'and again'])
    },
    LONG,
  )

  test(
    'messages of one session, sent to two servers with two workers, run one turn at a time',
    async () => {
      const script = [main({ text: 'fine', delayMs: 150, times: 99 })]
      const one = await serve([], script, env)
      const two = await serve([], script, env)
      await work(script)
      const id = await newSession(one)
      const sent = ['a', 'b', 'c'].flatMap((text) => [say(one, id, text), say(two, id, text)])
      expect((await Promise.all(sent)).map(({ reply }) => reply)).toEqual(Array(6).fill('fine'))
      const order = (await store.readSession(id)).map(({ runId }) => runId)
      expect(order.filter((runId, at) => runId !== order[at - 1]).length).toBe(6)
      expect((await audit(store)).breaches).toEqual([])
    },
    LONG,
  )

  test(
    'a run can be stopped from any server, wherever it runs',
    async () => {
      const one = await serve(FRONT, [], env)
      const two = await serve(FRONT, [], env)
      await work([main(shell('sleep 180; echo late >> log.txt')), main({ text: 'and on', times: 9 })])
      const id = await newSession(one)
      const result = say(one, id, 'wait')
      await readUntil(two.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'tool.call')
      const { running: under } = await two.api.call('GET /api/sessions/:id', { params: { id } })
      expect((await two.api.call('GET /api/sessions', {})).sessions).toMatchObject([{ state: 'running' }])
      const again = two.api.call('POST /api/runs/:id/resume', { params: { id: under?.runId ?? '' } })
      await expect(again).rejects.toMatchObject({ status: 409, code: 'RUN_LIVE' })
      const { aborted } = await two.api.call('POST /api/sessions/:id/abort', { params: { id } })
      const { runId, stopReason } = await result
      expect([aborted, stopReason, under?.runId]).toEqual([[runId], 'aborted', runId])
      expect((await say(two, id, 'go on')).reply).toBe('and on')
      expect(log()).toBe('')
    },
    LONG,
  )

  test(
    'another server takes over from one killed during a call, and a caller elsewhere gets the reply',
    async () => {
      const front = await serve(FRONT, [], env)
      const dying = await serve([], [main(shell('echo one >> log.txt; sleep 180'))], env)
      const id = await newSession(front)
      const result = say(front, id, 'note something')
      await until(() => log() === 'one\n')
      const other = await serve([], [main({ text: 'went on', times: 9 })], env)
      dying.child.kill('SIGKILL')
      expect(await result).toMatchObject({ reply: 'went on', stopReason: 'final' })
      expect(log()).toBe('one\n')
      other.child.kill('SIGTERM')
      expect((await other.ended).code).toBe(0)
      expect((await audit(store)).breaches).toEqual([])
    },
    LONG,
  )

  test(
    'a stopping server hands long work to the others, and a caller elsewhere gets the reply',
    async () => {
      const front = await serve(FRONT, [], env)
      const leaving = await serve([], [main(shell('echo one >> log.txt; sleep 180'))], env)
      const id = await newSession(front)
      const result = say(front, id, 'note something')
      await until(() => log() === 'one\n')
      await serve([], [main({ text: 'went on', times: 9 })], env)
      leaving.child.kill('SIGTERM')
      expect((await leaving.ended).code).toBe(0)
      expect(await result).toMatchObject({ reply: 'went on', stopReason: 'final' })
      expect(log()).toBe('one\n')
    },
    LONG,
  )

  test(
    'a due time fires once, however many servers and workers run',
    async () => {
      const script = [main({ text: 'tick', times: 99 })]
      const one = await serve([], script, env)
      await serve([], script, env)
      await work(script)
      await one.api.call('POST /api/routines', { body: { name: 'tick', schedule: '@every 1s', task: 'say tick' } })
      const fired = async () => {
        const runs = await store.listRuns({ mode: 'routine' })
        const events = await store.readOf(
          runs.map(({ runId }) => runId),
          ['routine.fired'],
        )
        return events.flatMap((event) => (event.type === 'routine.fired' ? [event.data.dueAt] : []))
      }
      await until(async () => (await fired()).length >= 5)
      await one.api.call('DELETE /api/routines/:name', { params: { name: 'tick' } })
      const times = await fired()
      expect(new Set(times).size).toBe(times.length)
      const skipped = (await store.readSession('routine_tick')).map((event) => (event.data as { dueAt: number }).dueAt)
      expect(skipped.filter((dueAt) => times.includes(dueAt))).toEqual([])
    },
    LONG,
  )

  describe('scouts', () => {
    const explore = (tasks: string[]) => main({ calls: [{ tool: 'explore', args: { tasks } }] })
    const tasks = ['one', 'two', 'three', 'four', 'five']
    const report = { tool: 'report_findings', args: { summary: 'nothing', evidence: [], confidence: 0.2 } }

    /** The largest number running at one time. */
    function mostAtOnce(events: readonly StoredEvent[]): number {
      const change = (type: string) => (type === 'SCOUT_SLOT_ACQUIRED' ? 1 : type === 'SCOUT_SLOT_RELEASED' ? -1 : 0)
      const changes = events.map(({ type, timestamp }) => ({ timestamp, by: change(type) }))
      let [now, most] = [0, 0]
      for (const { by } of changes.sort((a, b) => a.timestamp - b.timestamp || a.by - b.by)) {
        now += by
        most = Math.max(most, now)
      }
      return most
    }

    test(
      'S4-56: at most five run per session, even with two workers',
      async () => {
        const script = [
          explore(tasks),
          explore(tasks),
          { purpose: 'scout', calls: [report], delayMs: 1000, times: 99 } as ScriptEntry,
          main({ text: 'looked', times: 9 }),
        ]
        const front = await serve(FRONT, [], env)
        await work(script)
        await work(script)
        const id = await newSession(front)
        await Promise.all([say(front, id, 'compare the plans'), say(front, id, 'compare them again')])
        const events = await store.readSession(id)
        const sent = events.filter(({ type }) => type === 'SCOUT_SLOT_ACQUIRED').length
        expect(sent).toBeGreaterThanOrEqual(10)
        expect(mostAtOnce(events)).toBe(5)
      },
      LONG,
    )

    test(
      'S4-129: they are listed at every server, and can be stopped from any',
      async () => {
        const front = await serve(FRONT, [], env)
        await work([
          explore(['be quick', 'wait for ever']),
          { purpose: 'scout:1', calls: [report] },
          { purpose: 'scout:2', delayMs: 600_000, text: 'never' },
          main({ text: 'without the second', times: 9 }),
        ])
        const id = await newSession(front)
        const result = say(front, id, 'compare the plans')
        const atWork = async () => (await front.api.call('GET /api/scouts', {})).scouts
        const stuck = async () => (await atWork()).find(({ task }) => task === 'wait for ever')
        await until(async () => (await stuck())?.state === 'RUNNING')
        await front.api.call('POST /api/scouts/:id/cancel', { params: { id: (await stuck())?.scoutId ?? '' } })
        expect((await result).reply).toBe('without the second')
        const states = scoutStates(await store.readSession(id))
        expect(states.find(({ task }) => task === 'wait for ever')?.state).toBe('ABORTED')
        expect(await atWork()).toEqual([])
      },
      LONG,
    )

    test(
      'those of a dead worker are ended when its run is resumed',
      async () => {
        const front = await serve(FRONT, [], env)
        const dying = await work([
          explore(tasks),
          { purpose: 'scout', calls: [report], delayMs: 600_000, times: 9 } as ScriptEntry,
        ])
        const id = await newSession(front)
        const result = say(front, id, 'compare the plans')
        const states = async () => scoutStates(await store.readSession(id)).map(({ state }) => state)
        await until(async () => (await states()).filter((state) => state === 'RUNNING').length === 5)
        dying.child.kill('SIGKILL')
        await work([main({ text: 'without them', times: 9 })])
        expect((await result).reply).toBe('without them')
        expect(await states()).toEqual(Array(5).fill('FAILED'))
        expect((await audit(store)).breaches).toEqual([])
      },
      LONG,
    )
  })
})

describe('on one machine', () => {
  test(
    'a server deletes runs older than agent.retention.days',
    async () => {
      const agent = await createAgent({
        workspace: place.workspace,
        env: { HOME: join(place.root, 'home'), PATH: process.env.PATH ?? '' },
        model: scriptedModel([{ purpose: 'main', text: 'hi' }]),
        clock: { now: () => Date.parse('2020-01-01') },
      })
      await agent.run('hello')
      await agent.close()
      const config = place.file('keep.json', { agent: { retention: { days: 30 } } })
      const server = await serve(['--config', config], [])
      await server.said('"pruned"')
      expect((await server.api.call('GET /api/runs', { query: {} })).runs).toEqual([])
    },
    LONG,
  )

  test('a server without workers needs a store that other workers can reach', async () => {
    const ended = await place.writ(['serve', '--port', '0', ...FRONT])
    expect([ended.code, ended.stderr]).toMatchObject([2, expect.stringContaining('no worker is available')])
    expect(await place.writ(['serve', '--at-once', 'many'])).toMatchObject({ code: 2 })
  })
})
