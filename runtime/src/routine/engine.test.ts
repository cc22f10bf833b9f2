import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeTimer, fakeTimer } from '../../test/support/fake-timer.ts'
import { makeRedactor } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import { audit } from '../journal/verify.ts'
import type { RoutineDraft, Routines } from '../ports/routines.ts'
import { LOCAL } from '../protocol/principal.ts'
import { openDatabase, storeOn } from '../storage/open.ts'
import { type RoutineArchive, routineArchive } from '../storage/routine-archive.ts'
import { type Firing, type News, type Outcome, routineEngine } from './engine.ts'
import { openRoutines } from './routines.ts'

const START = Date.parse('2026-03-02T08:00:00Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let timer: FakeTimer
let store: Store
let archive: RoutineArchive
let routines: Routines
let ids: number
let stop: AbortController

beforeEach(async () => {
  timer = fakeTimer(START)
  const db = await openDatabase({ kind: 'memory' })
  store = storeOn(db)
  archive = routineArchive(db)
  routines = openRoutines(
    { archive, clock: timer, redact: makeRedactor([]), autonomy: 'Full' },
    { whose: LOCAL, adder: LOCAL },
  )
  ids = 0
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await timer.pass(0)
  await store.close()
})

const add = (schedule: string, own: Partial<RoutineDraft> = {}) =>
  routines.add({ name: 'news', schedule, timeZone: 'UTC', task: 'read the news', createdBy: 'user', ...own })

const DONE: Outcome = { reply: 'nothing new', stopReason: 'final', runId: 'run_x' }

function makeEngine(runTask: (firing: Firing) => Promise<Outcome> = async () => DONE) {
  const firings: Firing[] = []
  const news: News[] = []
  const engine = routineEngine({
    archive,
    store,
    redact: makeRedactor([]),
    timer,
    newId: (prefix) => `${prefix}_${++ids}`,
    runTask(firing) {
      firings.push(firing)
      return runTask(firing)
    },
    tell: (item) => news.push(item),
  })
  const dues = () => firings.map(({ dueAt }) => dueAt - START)
  const skips = () => news.flatMap((item) => (item.type === 'routine.skipped' ? [[item.why, item.dueAt - START]] : []))
  return { engine, firings, news, dues, skips }
}

/** A task that ends when the test says so, or when its signal does. */
function slowTask() {
  const ends: (() => void)[] = []
  const run = ({ signal }: Firing) => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    ends.push(() => resolve(DONE))
    signal.addEventListener('abort', () => resolve({ ...DONE, stopReason: 'aborted' }))
    return promise
  }
  return { run, end: () => ends.shift()?.() }
}

describe('S1-134: the engine', () => {
  test('fires once for each due time, and stores the outcome', async () => {
    await add('@every 10m')
    const { engine, dues, news, firings } = makeEngine()
    const over = engine.start(stop.signal)
    await timer.pass(35 * MINUTE)
    expect(dues()).toEqual([10 * MINUTE, 20 * MINUTE, 30 * MINUTE])
    expect(firings[0]).toMatchObject({ routineName: 'news', task: 'read the news' })
    expect(await routines.demand('news')).toMatchObject({
      lastRunAt: START + 30 * MINUTE,
      lastRunId: 'run_x',
      lastStop: 'final',
      nextDueAt: START + 40 * MINUTE,
    })
    expect(news.slice(0, 2)).toEqual([
      { type: 'routine.fired', name: 'news', dueAt: START + 10 * MINUTE },
      { type: 'routine.finished', name: 'news', ...DONE },
    ])
    stop.abort()
    await over
  })

  test('reads a cron schedule in its time zone', async () => {
    await add('0 17 * * *', { timeZone: 'Asia/Shanghai' })
    const { engine, dues } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(61 * MINUTE)
    expect(dues()).toEqual([HOUR])
    expect((await routines.demand('news')).nextDueAt).toBe(START + 25 * HOUR)
  })

  test('a routine added while it runs is found', async () => {
    const { engine, dues } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(MINUTE)
    await add('@every 2s')
    await timer.pass(5 * SECOND)
    expect(dues()).toEqual([MINUTE + 2 * SECOND, MINUTE + 4 * SECOND])
  })

  test('S1-135: due times without a running engine are skipped, with one record for the whole gap', async () => {
    await add('0 * * * *')
    await timer.pass(73 * HOUR + 50 * MINUTE)
    const { engine, dues, skips } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(10 * MINUTE)
    expect(skips()).toEqual([['missed', HOUR]])
    expect(dues()).toEqual([74 * HOUR])
  })

  test('S1-135: due times while the machine was suspended are skipped', async () => {
    await add('@every 10m')
    const { engine, dues, skips } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(11 * MINUTE)
    await timer.oversleep(HOUR)
    await timer.pass(10 * MINUTE)
    expect(skips()).toEqual([['missed', 20 * MINUTE]])
    expect(dues()).toEqual([10 * MINUTE, 81 * MINUTE])
  })

  test('a slightly late due time still runs, unless the next one is due as well', async () => {
    await add('@every 10m')
    const { engine, dues, skips } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(10 * MINUTE - 1)
    await timer.oversleep(3 * SECOND)
    expect(dues()).toEqual([10 * MINUTE])
    await add('@every 1s', { name: 'tick' })
    await timer.oversleep(3 * SECOND)
    expect(skips().map(([why]) => why)).toEqual(['missed'])
  })

  test('S1-135: a due time during the previous run is skipped', async () => {
    await add('@every 10m')
    const task = slowTask()
    const { engine, dues, skips } = makeEngine(task.run)
    void engine.start(stop.signal)
    await timer.pass(35 * MINUTE)
    expect(dues()).toEqual([10 * MINUTE])
    expect(skips()).toEqual([
      ['overlap', 20 * MINUTE],
      ['overlap', 30 * MINUTE],
    ])
    task.end()
    await timer.pass(10 * MINUTE)
    expect(dues()).toEqual([10 * MINUTE, 40 * MINUTE])
  })

  test('a paused routine is skipped when it is due, and only then', async () => {
    await add('@every 10m')
    await routines.pause('news')
    const { engine, dues, skips } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(9 * MINUTE)
    expect(skips()).toEqual([])
    await timer.pass(2 * MINUTE)
    expect(skips()).toEqual([['paused', 10 * MINUTE]])
    await routines.resume('news')
    await timer.pass(10 * MINUTE)
    expect(dues()).toEqual([21 * MINUTE])
  })

  test('every skip is in the journal, and the audit is clean', async () => {
    await add('@every 10m')
    const { engine } = makeEngine(slowTask().run)
    void engine.start(stop.signal)
    await timer.pass(20 * MINUTE)
    await routines.pause('news')
    await timer.pass(10 * MINUTE)
    const events = await store.readSession('routine_news')
    expect(events.map(({ type, mode, data }) => ({ type, mode, data }))).toEqual([
      {
        type: 'routine.skipped',
        mode: 'routine',
        data: { name: 'news', dueAt: START + 20 * MINUTE, why: 'overlap' },
      },
      { type: 'routine.skipped', mode: 'routine', data: { name: 'news', dueAt: START + 30 * MINUTE, why: 'paused' } },
    ])
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(2)
    expect(await audit(store)).toMatchObject({ runs: 0, events: 2, seals: 2, breaches: [] })
  })

  test('with two engines, one fires each due time', async () => {
    await add('@every 10m')
    await add('@every 7m', { name: 'mail' })
    const [a, b] = [makeEngine(), makeEngine()]
    void a.engine.start(stop.signal)
    void b.engine.start(stop.signal)
    await timer.pass(30 * MINUTE)
    expect([...a.dues(), ...b.dues()].sort((x, y) => x - y)).toEqual(
      [7, 10, 14, 20, 21, 28, 30].map((minutes) => minutes * MINUTE),
    )
    expect([...a.skips(), ...b.skips()]).toEqual([])
  })

  test('a run in one process prevents another in any process', async () => {
    await add('@every 10m')
    const task = slowTask()
    const [a, b] = [makeEngine(task.run), makeEngine(task.run)]
    void a.engine.start(stop.signal)
    void b.engine.start(stop.signal)
    await timer.pass(45 * MINUTE)
    expect([...a.dues(), ...b.dues()]).toEqual([10 * MINUTE])
    expect([...a.skips(), ...b.skips()].map(([, at]) => at)).toEqual([20 * MINUTE, 30 * MINUTE, 40 * MINUTE])
  })

  test('a routine whose process died runs again soon', async () => {
    await add('@every 10m')
    await timer.pass(10 * MINUTE - 1)
    await archive.hold('news', { holder: 'dead', now: timer.now(), until: timer.now() + MINUTE })
    const { engine, dues, skips } = makeEngine()
    void engine.start(stop.signal)
    await timer.pass(11 * MINUTE)
    expect(skips()).toEqual([['overlap', 10 * MINUTE]])
    expect(dues()).toEqual([20 * MINUTE])
  })

  test('a run is aborted when another process took its routine during a suspension', async () => {
    await add('@every 10m')
    const { engine, news } = makeEngine(slowTask().run)
    void engine.start(stop.signal)
    await timer.pass(11 * MINUTE)
    const until = timer.now() + HOUR
    expect(await archive.hold('news', { holder: 'other', now: until, until: until + MINUTE })).toBe(true)
    await timer.pass(MINUTE)
    expect(news.at(-1)).toMatchObject({ type: 'routine.finished', stopReason: 'aborted' })
  })

  test('when stopped, it fires no more and waits for running tasks', async () => {
    await add('@every 10m')
    const task = slowTask()
    const { engine, dues, news } = makeEngine(task.run)
    let over = false
    void engine.start(stop.signal).then(() => {
      over = true
    })
    await timer.pass(10 * MINUTE)
    stop.abort()
    await timer.pass(HOUR)
    expect([over, dues()]).toEqual([false, [10 * MINUTE]])
    task.end()
    await timer.pass(0)
    expect(over).toBe(true)
    expect(news.at(-1)).toMatchObject({ type: 'routine.finished', stopReason: 'final' })
  })

  test('running tasks can be aborted too', async () => {
    await add('@every 10m')
    const cut = new AbortController()
    const over = makeEngine(slowTask().run).engine.start(stop.signal, { cut: cut.signal })
    await timer.pass(10 * MINUTE)
    stop.abort()
    cut.abort()
    await over
    expect((await routines.demand('news')).lastStop).toBe('aborted')
  })

  test('a task that throws is reported, and the next due time runs', async () => {
    await add('@every 10m')
    const { engine, dues, news } = makeEngine(() => Promise.reject(new Error('broken')))
    void engine.start(stop.signal)
    await timer.pass(20 * MINUTE)
    expect(dues()).toEqual([10 * MINUTE, 20 * MINUTE])
    expect(news.filter(({ type }) => type === 'error')).toMatchObject([{ name: 'news' }, { name: 'news' }])
    expect((await routines.demand('news')).lastStop).toBe('internal_error')
  })

  test('a question is stored as the outcome', async () => {
    await add('@every 10m')
    const { engine, news } = makeEngine(async () => ({ ...DONE, reply: 'Which paper?', stopReason: 'clarification' }))
    void engine.start(stop.signal)
    await timer.pass(10 * MINUTE)
    expect(news.at(-1)).toMatchObject({ reply: 'Which paper?', stopReason: 'clarification' })
    expect((await routines.demand('news')).lastStop).toBe('clarification')
  })
})

describe('a manual run', () => {
  test('does not change the schedule or the pause', async () => {
    await add('@every 10m', { autonomy: 'ReadOnly' })
    const paused = await routines.pause('news')
    const { engine, firings } = makeEngine()
    expect(await engine.runNow(paused, stop.signal)).toEqual(DONE)
    expect(firings).toMatchObject([{ dueAt: START, autonomy: 'ReadOnly' }])
    expect(await routines.demand('news')).toEqual({
      ...paused,
      lastRunAt: START,
      lastRunId: 'run_x',
      lastStop: 'final',
    })
  })

  test('is rejected while the routine is running, in any process', async () => {
    const news = await add('@every 10m')
    const task = slowTask()
    const { engine } = makeEngine(task.run)
    const first = engine.runNow(news, stop.signal)
    await timer.pass(5 * MINUTE)
    await expect(makeEngine().engine.runNow(news, stop.signal)).rejects.toMatchObject({ code: 'ROUTINE_BUSY' })
    task.end()
    await first
    expect(await makeEngine().engine.runNow(news, stop.signal)).toEqual(DONE)
  })

  test('rethrows the error of its task', async () => {
    const news = await add('@every 10m')
    const { engine } = makeEngine(() => Promise.reject(new Error('broken')))
    await expect(engine.runNow(news, stop.signal)).rejects.toThrow('broken')
    expect((await routines.demand('news')).lastStop).toBe('internal_error')
  })
})
