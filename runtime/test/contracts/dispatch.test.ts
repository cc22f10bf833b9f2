/** Contract of every dispatcher, and of the leases that keep a session on one worker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dispatcher, Job, Worker } from '../../src/dispatch/dispatch.ts'
import { abandonedSessions, askToEnd, holdLease, isAskedToEnd, leaseOfSession } from '../../src/dispatch/lease.ts'
import { localDispatcher } from '../../src/dispatch/local.ts'
import { pgBossDispatcher } from '../../src/dispatch/pg-boss.ts'
import { WritError } from '../../src/errors/writ-error.ts'
import type { Database } from '../../src/storage/database.ts'
import { fenced } from '../../src/storage/fence.ts'
import { leasesOn } from '../../src/storage/leases.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { makeEvents } from '../support/events.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const WORKER = fileURLToPath(new URL('../support/job-worker.ts', import.meta.url))
const LONG = 300_000

let folder: string
let postgres: TestPostgres
let files = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-dispatch-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const resume = (sessionId: string, runId: string): Job => ({ kind: 'resume', sessionId, runId })
const runOf = (job: Job) => ('runId' in job ? job.runId : '')

const kinds: { name: string; open: () => Promise<() => Promise<Dispatcher>> }[] = [
  {
    name: 'in this process',
    open: async () => {
      const dispatcher = localDispatcher()
      return async () => dispatcher
    },
  },
  {
    name: 'pg-boss',
    open: async () => {
      const url = await postgres.createDatabase()
      return () => pgBossDispatcher(url)
    },
  },
]

describe.each(kinds)('jobs $name', ({ open }) => {
  let join: () => Promise<Dispatcher>
  let dispatcher: Dispatcher
  const opened: { close(): Promise<void> }[] = []
  const workers: Worker[] = []
  const work = async (on: Dispatcher, ...given: Parameters<Dispatcher['work']>) => {
    const worker = await on.work(...given)
    workers.push(worker)
    return worker
  }

  beforeEach(async () => {
    join = await open()
    dispatcher = await join()
    opened.push(dispatcher)
  })
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop(0)
    for (const each of opened.splice(0)) await each.close()
  })

  test(
    'of one session run in order and one at a time on any worker; other sessions do not wait',
    async () => {
      const done: string[] = []
      const under = new Map<string, number>()
      let most = 0
      let overlapping = 0
      const perform = async (job: Job) => {
        const same = (under.get(job.sessionId) ?? 0) + 1
        under.set(job.sessionId, same)
        if (same > 1) overlapping++
        most = Math.max(
          most,
          [...under.values()].reduce((sum, each) => sum + each, 0),
        )
        // The first job waits until a second one runs.
        await until(() => most > 1)
        done.push(`${job.sessionId}${runOf(job)}`)
        under.set(job.sessionId, same - 1)
      }
      for (let i = 1; i <= 4; i++)
        for (const session of ['a', 'b', 'c']) await dispatcher.submit(resume(session, `${i}`))
      const second = await join()
      opened.push(second)
      for (const each of [dispatcher, second]) await work(each, perform, { atOnce: 2 })
      await until(() => done.length === 12)
      expect(overlapping).toBe(0)
      expect(most).toBeGreaterThan(1)
      for (const session of ['a', 'b', 'c']) {
        expect(done.filter((each) => each.startsWith(session))).toEqual([1, 2, 3, 4].map((i) => `${session}${i}`))
      }
    },
    LONG,
  )

  test(
    'reach a worker that was already waiting',
    async () => {
      const got = Promise.withResolvers<Job>()
      await work(dispatcher, async (job) => got.resolve(job), { atOnce: 1 })
      const job: Job = { kind: 'turn', sessionId: 's', runId: 'r', task: '看 "this" 😀' }
      await dispatcher.submit(job)
      expect(await got.promise).toEqual(job)
    },
    LONG,
  )

  test(
    'that fail are retried a limited number of times and do not block later jobs',
    async () => {
      const tries: string[] = []
      const givenUp: unknown[] = []
      const perform = async (job: Job) => {
        tries.push(runOf(job))
        if (runOf(job) === 'bad') throw new Error('never works')
      }
      await work(dispatcher, perform, { atOnce: 1, onGivenUp: (job, error) => givenUp.push([runOf(job), error]) })
      await dispatcher.submit(resume('s', 'bad'))
      await dispatcher.submit(resume('s', 'good'))
      await until(() => tries.includes('good'))
      expect(tries).toEqual(['bad', 'bad', 'bad', 'bad', 'bad', 'good'])
      expect(givenUp).toMatchObject([['bad', { message: 'never works' }]])
    },
    LONG,
  )

  test(
    'that can never run are rejected at once, with the reason for the submitter',
    async () => {
      const tries: string[] = []
      const over: string[] = []
      const perform = async (job: Job) => {
        tries.push(runOf(job))
        if (runOf(job) === 'bad') throw new WritError('QUESTION_CLOSED', { call: 'c1' })
      }
      const bad = await dispatcher.submit(resume('s', 'bad'))
      const good = await dispatcher.submit(resume('s', 'good'))
      expect([await bad?.fate(), await good?.fate()]).toEqual([undefined, undefined])
      await work(dispatcher, perform, { atOnce: 1, onOver: (job) => over.push(runOf(job)) })
      await until(() => over.length === 2)
      expect([tries, over]).toEqual([
        ['bad', 'good'],
        ['bad', 'good'],
      ])
      expect(await bad?.fate()).toEqual({
        error: {
          code: 'QUESTION_CLOSED',
          message: expect.stringContaining('c1'),
          hint: expect.any(String),
          key: 'QUESTION_CLOSED',
          values: { call: 'c1' },
        },
      })
      expect(await good?.fate()).toEqual({})
    },
    LONG,
  )

  test('that start the same run or answer the same question are merged', async () => {
    const turn: Job = { kind: 'turn', sessionId: 's', runId: 'r', task: 'x' }
    const answer = (callId: string): Job => ({ ...resume('s', 'r'), answer: { callId, answer: 'y', by: 'ada' } }) as Job
    const jobs = [turn, { ...turn, task: 'y' }, answer('c1'), answer('c1'), answer('c2'), resume('s', 'r')]
    const taken: boolean[] = []
    for (const job of [...jobs, resume('s', 'r')]) taken.push((await dispatcher.submit(job)) !== undefined)
    expect(taken).toEqual([true, false, true, false, true, true, true])
  })

  test(
    'in progress finish when a worker is asked to stop, and no new ones start',
    async () => {
      const done: string[] = []
      const begun = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      const worker = await work(
        dispatcher,
        async (job) => {
          begun.resolve()
          await finish.promise
          done.push(runOf(job))
        },
        { atOnce: 1 },
      )
      for (const n of ['1', '2', '3']) await dispatcher.submit(resume(`s${n}`, n))
      await begun.promise
      const stopping = worker.stop(LONG)
      finish.resolve()
      await stopping
      const left: string[] = []
      await work(dispatcher, async (job) => void left.push(runOf(job)), { atOnce: 1 })
      await until(() => left.length === 2)
      expect([done, left.sort()]).toEqual([['1'], ['2', '3']])
    },
    LONG,
  )
})

test(
  'another worker gets the job of a worker that died',
  async () => {
    const url = await postgres.createDatabase()
    const dispatcher = await pgBossDispatcher(url)
    await dispatcher.submit(resume('s', 'r'))
    const child = spawn(process.execPath, [WORKER, url], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    const got = Promise.withResolvers<Job>()
    const worker = await dispatcher.work(async (job) => got.resolve(job), { atOnce: 1 })
    expect(await got.promise).toEqual(resume('s', 'r'))
    await worker.stop(1000)
    await dispatcher.close()
  },
  LONG,
)

const places: { name: string; locate: () => Promise<StoreLocation> }[] = [
  { name: 'SQLite', locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}.db`) }) },
  { name: 'PostgreSQL', locate: async () => ({ kind: 'postgres', url: await postgres.createDatabase() }) },
]

describe.each(places)('a lease in $name', ({ locate }) => {
  let location: StoreLocation
  let db: Database
  const { signal } = new AbortController()
  beforeEach(async () => {
    location = await locate()
    db = await openDatabase(location)
  })
  afterEach(() => db.close())
  /** As if the holder had not renewed it for a long time. */
  const runOut = () =>
    db.query(CompiledQuery.raw(`update ${db.dialect === 'sqlite' ? '' : 'writ.'}leases set held_until = 0`))
  const name = leaseOfSession('s')

  test('has one holder at a time, and is free once released', async () => {
    const first = await holdLease(leasesOn(db), name, { signal, waitMs: 0 })
    const other = await openDatabase(location)
    const leases = leasesOn(other)
    await expect(holdLease(leases, name, { signal, waitMs: 300 })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    const waiting = holdLease(leases, name, { signal, waitMs: 30_000 })
    await first.release()
    const second = await waiting
    expect(await second.isOurs()).toBe(true)
    await second.release()
    expect(await leases.list()).toEqual([])
    await other.close()
  })

  test('goes to exactly one of many concurrent takers', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => openDatabase(location)))
    const claims = others.map((each, i) => leasesOn(each).take(name, { holder: `h${i}`, forMs: 10_000 }))
    expect((await Promise.all(claims)).filter(Boolean).length).toBe(1)
    for (const each of others) await each.close()
  })

  test('expires; a holder that slept past the expiry cannot renew it or store anything', async () => {
    const leases = leasesOn(db)
    expect(await leases.take(name, { holder: 'elsewhere/1/sleeper', forMs: 10_000 })).toBe(true)
    await runOut()
    expect(await leases.renew(name, { holder: 'elsewhere/1/sleeper', forMs: 10_000 })).toBe(true)
    await runOut()
    const next = await holdLease(leases, name, { signal, waitMs: 0 })
    expect(await leases.renew(name, { holder: 'elsewhere/1/sleeper', forMs: 10_000 })).toBe(false)
    await next.release()
    const sleeper = {
      isOurs: () => leases.renew(name, { holder: 'elsewhere/1/sleeper', forMs: 10_000 }),
      release: async () => {},
    }
    const store = storeOn(db)
    await expect(fenced(store, sleeper).append(makeEvents({ runId: 'r', seq: 1 }, 1))).rejects.toMatchObject({
      code: 'RUN_TAKEN',
    })
    expect(await store.readRun('r')).toEqual([])
  })

  test('carries a stop request from any process, which outlives the holder', async () => {
    const leases = leasesOn(db)
    expect(await askToEnd(leases, 's')).toBe(false)
    const mine = await holdLease(leases, name, { signal, waitMs: 0 })
    expect(await askToEnd(leases, 's')).toBe(true)
    await until(() => mine.ending.aborted)
    await mine.release()
    expect((await holdLease(leases, name, { signal, waitMs: 0 })).ending.aborted).toBe(false)

    await db.query(db.sql.deleteFrom('leases').compile())
    const holder = 'elsewhere/1/dying'
    await leases.take(name, { holder, forMs: 10_000 })
    expect([await askToEnd(leases, 's'), await isAskedToEnd(leases, holder)]).toEqual([true, true])
    await db.query(db.sql.updateTable('leases').set({ held_until: 0 }).where('name', '=', name).compile())
    expect(await abandonedSessions(leases)).toMatchObject([{ holder }])
    expect(await isAskedToEnd(leases, holder)).toBe(true)
    await db.query(db.sql.updateTable('leases').set({ held_until: 0 }).compile())
    await abandonedSessions(leases)
    expect((await leases.list()).map((each) => each.name)).toEqual([name])
  })

  test('of a dead process on this machine can be taken before it expires', async () => {
    const leases = leasesOn(db)
    const mine = await holdLease(leases, name, { signal, waitMs: 0 })
    const [held] = await leases.list()
    await mine.release()
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'exit')
    const [machine = ''] = held?.holder.split('/') ?? []
    await leases.take(name, { holder: `${machine}/${dead.pid}/hold_x`, forMs: 600_000 })
    expect(await abandonedSessions(leases)).toMatchObject([{ sessionId: 's' }])
    const next = await holdLease(leases, name, { signal, waitMs: 0 })
    expect(await abandonedSessions(leases)).toEqual([])
    await next.release()
  })
})
