/** `writ work`: workers that share a store, die, sleep, and are replaced. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { startWorker } from '../../src/assembly/jobs.ts'
import type { Dispatcher, Job } from '../../src/dispatch/dispatch.ts'
import { localDispatcher } from '../../src/dispatch/local.ts'
import { pgBossDispatcher } from '../../src/dispatch/pg-boss.ts'
import type { Store } from '../../src/journal/store.ts'
import { audit } from '../../src/journal/verify.ts'
import { type ScriptEntry, scriptedModel } from '../../src/model/scripted.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { openDatabase, openStore, storeOn } from '../../src/storage/open.ts'
import { sessionOwners } from '../../src/storage/session-owners.ts'
import { makePlace, type Place, type Running } from '../support/cli.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const LONG = 300_000
const FREE = { autonomy: 'Full', allowedCommands: ['*'], sandbox: 'off' }

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
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
  }
  place.remove()
})

const shell = (command: string) => ({ calls: [{ tool: 'shell', args: { command } }] })
const log = () => (existsSync(join(place.workspace, 'log.txt')) ? place.read('log.txt') : '')

function start(args: string[], script: ScriptEntry[], env: Record<string, string> = {}): Running {
  const name = `script-${running.length}.json`
  place.script(name, [{ purpose: 'route', text: '{"direct":true}', times: 9 }, ...script])
  const one = place.start([...args, '--script', name], { env })
  running.push(one)
  return one
}

const lastOf = async (store: Store, runId: string) => (await store.readRun(runId)).at(-1)

describe('on one machine', () => {
  test(
    'a run that was killed is finished by the worker; what was done is not done again',
    async () => {
      place.file('agent.config.json', { agent: { security: FREE } })
      await place.writ(['trust'])
      const killed = start(
        ['run', 'note something', '--yes'],
        [
          { purpose: 'main', ...shell('echo one >> log.txt') },
          { purpose: 'main', ...shell('echo two >> log.txt; sleep 180') },
        ],
      )
      await until(() => log() === 'one\ntwo\n')
      killed.child.kill('SIGKILL')
      await killed.ended
      const worker = start(['work'], [{ purpose: 'main', text: 'went on', times: 9 }])
      await worker.said('Resuming run')
      const store = await openStore({ kind: 'sqlite', file: join(place.data, 'journal.db') })
      const [run] = await store.listRuns()
      await until(async () => (await lastOf(store, run?.runId ?? ''))?.type === 'turn.committed')
      expect(await lastOf(store, run?.runId ?? '')).toMatchObject({ data: { reply: 'went on', stopReason: 'final' } })
      expect(log()).toBe('one\ntwo\n')
      expect((await audit(store)).breaches).toEqual([])
      await store.close()
      worker.child.kill('SIGTERM')
      expect((await worker.ended).code).toBe(0)
    },
    LONG,
  )

  test(
    'runs older than agent.retention.days are deleted',
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
      const worker = start(['work', '--config', config], [])
      await worker.said('Deleted 1 run older than agent.retention.days')
      const [found] = (await place.writ(['audit', 'verify', '--json'])).json()
      expect(found).toMatchObject({ ok: true, runs: 0, tombstones: 1 })
    },
    LONG,
  )

  test(
    'of two turns of one session, in two processes at once, the second waits for the first',
    async () => {
      const first = await place.writ(['run', 'hello', '--json'])
      const sessionId = String(first.json().at(-1)?.sessionId)
      const slow = start(
        ['run', 'one', '--session', sessionId, '--json'],
        [{ purpose: 'main', text: 'one', delayMs: 1500 }],
      )
      await slow.said('model.requested')
      const quick = start(['run', 'two', '--session', sessionId], [{ purpose: 'main', text: 'two' }])
      expect((await slow.ended).code).toBe(0)
      expect((await quick.ended).code).toBe(0)
      const store = await openStore({ kind: 'sqlite', file: join(place.data, 'journal.db') })
      const order = (await store.readSession(sessionId)).map(({ runId }) => runId)
      const changes = order.filter((runId, i) => runId !== order[i - 1])
      expect(changes.length).toBe(3)
      await store.close()
    },
    LONG,
  )
})

describe('with PostgreSQL', () => {
  let url: string
  let env: Record<string, string>
  let dispatcher: Dispatcher
  let store: Store
  const SESSIONS = ['s', 's0', 's1', 's2', 's3', 't']
  const turn = (sessionId: string, runId: string): Job => ({ kind: 'turn', sessionId, runId, task: 'note something' })

  beforeEach(async () => {
    url = await postgres.createDatabase()
    env = { WRIT_DATABASE_URL: url }
    place.file('agent.config.json', { agent: { store: 'postgres', security: FREE } })
    await place.writ(['trust'])
    dispatcher = await pgBossDispatcher(url)
    const db = await openDatabase({ kind: 'postgres', url })
    store = storeOn(db)
    // As the server does before it submits a job.
    for (const session of SESSIONS) await sessionOwners(db).claim(session, LOCAL, 0)
  })
  afterEach(async () => {
    await store.close()
    await dispatcher.close()
  })

  test(
    'workers share the jobs; asked to end, one finishes what it has',
    async () => {
      const script: ScriptEntry[] = [{ purpose: 'main', text: 'done', delayMs: 300, times: 99 }]
      const workers = [start(['work'], script, env), start(['work'], script, env)]
      for (const worker of workers) await worker.said('Worker started')
      for (let i = 0; i < 12; i++) await dispatcher.submit(turn(`s${i % 4}`, `r${i}`))
      await until(async () => (await store.listRuns()).some(({ stopped }) => !stopped))
      workers[0]?.child.kill('SIGTERM')
      expect(await workers[0]?.ended).toMatchObject({ code: 0 })
      await until(async () => (await store.listRuns()).filter(({ stopReason }) => stopReason === 'final').length === 12)
      const { breaches, runs } = await audit(store)
      expect([runs, breaches]).toEqual([12, []])
      for (let i = 0; i < 4; i++) {
        const order = (await store.readSession(`s${i}`)).map(({ runId }) => runId)
        expect(order.filter((runId, at) => runId !== order[at - 1])).toEqual([`r${i}`, `r${i + 4}`, `r${i + 8}`])
      }
    },
    LONG,
  )

  test(
    'a worker killed in the middle of a call is replaced: the run ends, and nothing is done twice',
    async () => {
      const first = start(
        ['work'],
        [
          { purpose: 'main', ...shell('echo one >> log.txt') },
          { purpose: 'main', ...shell('echo two >> log.txt; sleep 180') },
        ],
        env,
      )
      await first.said('Worker started')
      await dispatcher.submit(turn('s', 'r'))
      await until(() => log() === 'one\ntwo\n')
      const second = start(['work'], [{ purpose: 'main', text: 'went on', times: 9 }], env)
      await second.said('Worker started')
      first.child.kill('SIGKILL')
      await until(async () => (await lastOf(store, 'r'))?.type === 'turn.committed')
      expect(await lastOf(store, 'r')).toMatchObject({ data: { reply: 'went on' } })
      expect(log()).toBe('one\ntwo\n')
      expect((await audit(store)).breaches).toEqual([])
    },
    LONG,
  )

  test(
    'a worker that slept while it was replaced never acts again',
    async () => {
      const sleeper = start(
        ['work'],
        [
          { purpose: 'main', ...shell('echo one >> log.txt') },
          { purpose: 'main', delayMs: 5000, ...shell('echo zombie >> log.txt') },
        ],
        env,
      )
      await sleeper.said('Worker started')
      await dispatcher.submit(turn('s', 'r'))
      await until(async () => (await store.readRun('r')).filter(({ type }) => type === 'model.requested').length === 2)
      sleeper.child.kill('SIGSTOP')
      const second = start(['work'], [{ purpose: 'main', text: 'went on', times: 9 }], env)
      await until(async () => (await lastOf(store, 'r'))?.type === 'turn.committed')
      const events = (await store.readRun('r')).length
      sleeper.child.kill('SIGCONT')
      sleeper.child.kill('SIGTERM')
      await sleeper.ended
      expect(log()).toBe('one\n')
      expect((await store.readRun('r')).length).toBe(events)
      expect((await audit(store)).breaches).toEqual([])
      second.child.kill('SIGTERM')
      await second.ended
    },
    LONG,
  )

  test(
    'a question is left open for hours without a process waiting, and no worker takes it for a crash',
    async () => {
      place.file('agent.config.json', { agent: { store: 'postgres', security: { ...FREE, autonomy: 'Supervised' } } })
      await place.writ(['trust'])
      const first = start(
        ['work'],
        [
          { purpose: 'main', ...shell('echo asked >> log.txt') },
          { purpose: 'main', text: 'never', delayMs: 600_000 },
        ],
        env,
      )
      await dispatcher.submit(turn('s', 'r'))
      await until(async () => (await lastOf(store, 'r'))?.type === 'run.parked')
      const events = (await store.readRun('r')).length
      // One that is really cut off: when it has been taken up, the next worker has looked for such runs.
      await dispatcher.submit(turn('t', 'cut'))
      await until(async () =>
        (await store.readRun('cut')).some(({ data }) => 'purpose' in data && data.purpose === 'main'),
      )
      first.child.kill('SIGKILL')
      await first.ended
      start(['work'], [{ purpose: 'main', text: 'went on', times: 9 }], env)
      await until(async () => (await lastOf(store, 'cut'))?.type === 'turn.committed')
      expect((await store.readRun('r')).length).toBe(events)
      expect(log()).toBe('')
    },
    LONG,
  )

  test(
    'S4-56: turns of one session on two workers never overlap, so its scouts are never more than one turn’s five',
    async () => {
      const agents = await Promise.all(
        [0, 1].map(() =>
          createAgent({
            workspace: place.workspace,
            config: { agent: { store: 'postgres', routing: { enabled: false } } },
            env: { ...process.env, ...env },
            model: scriptedModel([{ purpose: 'main', text: 'done', delayMs: 400, times: 9 }]),
          }),
        ),
      )
      const local = localDispatcher()
      const workers = await Promise.all(agents.map((agent) => startWorker(agent, local, { atOnce: 4 })))
      // Beside the queue's own order: even who starts a turn by hand has to wait.
      await Promise.all(agents.map((agent) => agent.run('by hand', { sessionId: 's' })))
      for (const n of ['1', '2', '3']) await local.submit(turn('s', `q${n}`))
      await until(async () => (await store.listRuns()).filter(({ stopped }) => stopped).length === 5)
      const order = (await store.readSession('s')).map(({ runId }) => runId)
      expect(order.filter((runId, at) => runId !== order[at - 1]).length).toBe(5)
      for (const worker of workers) await worker.stop(1000)
      for (const agent of agents) await agent.close()
    },
    LONG,
  )
})

test('the number of jobs at once must be one', async () => {
  expect(await place.writ(['work', '--at-once', 'many'])).toMatchObject({ code: 2 })
})
