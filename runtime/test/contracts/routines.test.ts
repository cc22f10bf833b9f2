/** What keeping routines must do, whichever database is behind it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeRedactor } from '../../src/journal/redact.ts'
import type { Store } from '../../src/journal/store.ts'
import { audit } from '../../src/journal/verify.ts'
import type { Routine, RoutineDraft, Routines } from '../../src/ports/routines.ts'
import { EVERYONE, LOCAL, type Principal } from '../../src/protocol/principal.ts'
import { routineEngine } from '../../src/routine/engine.ts'
import { openRoutines } from '../../src/routine/routines.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { type RoutineArchive, routineArchive } from '../../src/storage/routine-archive.ts'
import { makeEvent } from '../support/events.ts'
import { type FakeTimer, fakeTimer } from '../support/fake-timer.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let folder: string
let postgres: TestPostgres
let files = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-routines-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: { name: string; locate: () => Promise<StoreLocation> }[] = [
  { name: 'SQLite file', locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}`, 'writ.db') }) },
  { name: 'PostgreSQL', locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }) },
]

const START = Date.parse('2026-03-02T08:59:00Z')
const MINUTE = 60_000

describe.each(places)('$name', ({ locate }) => {
  let location: StoreLocation
  let timer: FakeTimer
  let archive: RoutineArchive
  let routines: Routines
  let deps: Parameters<typeof openRoutines>[0]
  let store: Store
  const closing: (() => Promise<void>)[] = []

  async function open() {
    const db = await openDatabase(location)
    const opened = storeOn(db)
    closing.push(() => opened.close())
    const kept = routineArchive(db)
    deps = {
      archive: kept,
      clock: timer,
      redact: makeRedactor(['hunter2-hunter2']),
      autonomy: 'Supervised',
    }
    return {
      store: opened,
      archive: kept,
      routines: openRoutines(deps, { whose: LOCAL, adder: LOCAL }),
    }
  }
  const add = (own: Partial<RoutineDraft> = {}) =>
    routines.add({
      name: 'news',
      schedule: '0 9 * * *',
      timeZone: 'UTC',
      task: 'read the news',
      createdBy: 'user',
      ...own,
    })
  const due = (routine: Routine) => ({
    name: routine.name,
    dueAt: routine.nextDueAt,
    nextDueAt: routine.nextDueAt + MINUTE,
  })
  const holdBy = (holder: string, now = START) => ({ holder, now, until: now + MINUTE })

  beforeEach(async () => {
    timer = fakeTimer(START)
    location = await locate()
    ;({ archive, routines, store } = await open())
  })
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
  })

  test('S1-135: a routine is kept as it was given, and found by every process', async () => {
    const news = await add({ autonomy: 'ReadOnly', task: ' 读新闻 \ud800\n"now" ' })
    expect(news).toEqual({
      name: 'news',
      schedule: '0 9 * * *',
      timeZone: 'UTC',
      task: '读新闻 \ud800\n"now"',
      autonomy: 'ReadOnly',
      paused: false,
      createdAt: START,
      createdBy: 'user',
      owner: 'local',
      nextDueAt: START + MINUTE,
    })
    const other = await open()
    expect(await other.routines.demand('news')).toEqual(news)
    expect(await other.routines.list()).toEqual([news])
  })

  test('the oldest is listed first', async () => {
    await add({ name: 'zebra' })
    await timer.pass(1)
    await add({ name: '晨报' })
    expect((await routines.list()).map(({ name }) => name)).toEqual(['zebra', '晨报'])
  })

  test('a secret in a task is not kept', async () => {
    expect((await add({ task: 'log in with hunter2-hunter2' })).task).toBe('log in with [REDACTED:secret]')
    expect((await routines.demand('news')).task).not.toContain('hunter2')
  })

  test.each([
    [{ name: '' }, 'ROUTINE_NAME'],
    [{ name: 'two words' }, 'ROUTINE_NAME'],
    [{ name: '-x' }, 'ROUTINE_NAME'],
    [{ name: 'a\0' }, 'ROUTINE_NAME'],
    [{ name: 'x'.repeat(65) }, 'ROUTINE_NAME'],
    [{ task: '  ' }, 'ROUTINE_TASK'],
    [{ task: 'x'.repeat(8001) }, 'ROUTINE_TASK'],
    [{ schedule: 'soon' }, 'SCHEDULE_INVALID'],
    [{ timeZone: 'Mars/Base' }, 'TIME_ZONE_UNKNOWN'],
    [{ autonomy: 'Full' as const }, 'ROUTINE_AUTONOMY'],
    [{ autonomy: 'None' as never }, 'ROUTINE_AUTONOMY'],
  ])('%j is refused with a hint', async (own, code) => {
    await expect(add(own)).rejects.toMatchObject({ code, hint: expect.stringMatching(/./) })
    expect(await routines.list()).toEqual([])
  })

  test('a name belongs to one routine', async () => {
    await add()
    await expect(add({ task: 'another' })).rejects.toMatchObject({ code: 'ROUTINE_TAKEN' })
    expect((await routines.list()).map(({ task }) => task)).toEqual(['read the news'])
  })

  test('what is removed is gone, and its name free again', async () => {
    await add()
    await routines.remove('news')
    expect(await routines.list()).toEqual([])
    await add({ task: 'another' })
    expect((await routines.demand('news')).task).toBe('another')
  })

  test.each(['remove', 'pause', 'resume'] as const)('to %s what is not there names what may be meant', async (verb) => {
    await add()
    await expect(routines[verb]('nwes')).rejects.toMatchObject({ code: 'ROUTINE_UNKNOWN', hint: 'Did you mean news?' })
    await expect(routines[verb]('x\0')).rejects.toMatchObject({ code: 'ROUTINE_UNKNOWN' })
  })

  test('a resumed routine goes on with the next due time from now', async () => {
    const { nextDueAt } = await add()
    expect((await routines.pause('news')).paused).toBe(true)
    timer = fakeTimer(START + 3 * 24 * 60 * MINUTE)
    const later = await open()
    const resumed = await later.routines.resume('news')
    expect(resumed).toMatchObject({ paused: false, nextDueAt: nextDueAt + 3 * 24 * 60 * MINUTE })
    expect(await later.routines.resume('news')).toEqual(resumed)
  })

  test('H4: a routine is seen and changed by its owner, and by those who say that they mean everyone', async () => {
    const ada = { whose: 'ada' as Principal, adder: 'ada' as Principal }
    await openRoutines(deps, ada).add({ name: 'tea', schedule: '@every 1h', task: 'make tea', createdBy: 'user' })
    expect(await routines.list()).toEqual([])
    for (const change of ['demand', 'remove', 'pause', 'resume'] as const) {
      await expect(routines[change]('tea'), change).rejects.toMatchObject({ code: 'ROUTINE_UNKNOWN' })
    }
    expect(await openRoutines(deps, ada).demand('tea')).toMatchObject({ owner: 'ada', paused: false })
    const admin = openRoutines(deps, { whose: EVERYONE, adder: LOCAL })
    expect(await admin.pause('tea')).toMatchObject({ owner: 'ada', paused: true })
    expect((await admin.list()).map(({ name, owner }) => [name, owner])).toEqual([['tea', 'ada']])
  })

  test('exactly one of many processes gets a due time', async () => {
    const news = await add()
    const others = await Promise.all([open(), open(), open()])
    const all = [archive, ...others.map((other) => other.archive)]
    const claims = await Promise.all(all.map((each, i) => each.claim(due(news), holdBy(`h${i}`))))
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
    expect(await Promise.all(all.map((each) => each.pass(due(news))))).toEqual(all.map(() => undefined))
    expect(await archive.find(LOCAL, 'news')).toMatchObject({ nextDueAt: news.nextDueAt + MINUTE, lastRunAt: START })
  })

  test('exactly one of many processes skips a due time', async () => {
    const news = await add()
    const others = await Promise.all([open(), open(), open()])
    const passed = await Promise.all(others.map((other) => other.archive.pass(due(news))))
    expect(passed.filter((routine) => routine !== undefined)).toHaveLength(1)
    expect(await archive.claim(due(news), holdBy('late'))).toBeUndefined()
  })

  test('a paused routine cannot be claimed', async () => {
    const news = await add()
    await routines.pause('news')
    expect(await archive.claim(due(news), holdBy('a'))).toBeUndefined()
    expect(await archive.pass(due(news))).toMatchObject({ paused: true })
  })

  test('a routine is held by one at a time, until it is let go or its holder is gone', async () => {
    const news = await add()
    expect(await archive.hold('news', holdBy('a'))).toBe(true)
    expect(await archive.hold('news', holdBy('b'))).toBe(false)
    expect(await archive.claim(due(news), holdBy('b'))).toBeUndefined()
    expect(await archive.renew('news', holdBy('a', START + MINUTE / 2))).toBe(true)
    expect(await archive.hold('news', holdBy('b', START + MINUTE))).toBe(false)
    expect(await archive.hold('news', holdBy('b', START + 2 * MINUTE))).toBe(true)
    expect(await archive.renew('news', holdBy('a', START + 2 * MINUTE))).toBe(false)
    await archive.finish('news', { holder: 'a', runId: 'run_a', stop: 'final' })
    expect((await archive.find(LOCAL, 'news'))?.lastRunId).toBeUndefined()
    await archive.finish('news', { holder: 'b', runId: 'run_b', stop: 'max_steps' })
    expect(await archive.find(LOCAL, 'news')).toMatchObject({ lastRunId: 'run_b', lastStop: 'max_steps' })
    expect(await archive.claim(due(news), holdBy('c', START + 2 * MINUTE))).toMatchObject({ name: 'news' })
  })

  test('a run goes on when its routine was removed', async () => {
    await add()
    await archive.hold('news', holdBy('a'))
    await routines.remove('news')
    expect(await archive.renew('news', holdBy('a'))).toBe(true)
    await archive.finish('news', { holder: 'a', runId: 'run_a', stop: 'final' })
    expect(await routines.list()).toEqual([])
  })

  test('a due time that was left out is in the journal, sealed and audited, and passes for no run', async () => {
    await add({ schedule: '@every 1m' })
    let ids = 0
    const engine = routineEngine({
      archive,
      store,
      redact: makeRedactor([]),
      timer: fakeTimer(START + 10 * MINUTE),
      newId: (prefix) => `${prefix}_${++ids}`,
      runTask: () => Promise.reject(new Error('nothing is due')),
      tell: () => stop.abort(),
    })
    const stop = new AbortController()
    await engine.start(stop.signal)
    const [skipped, ...more] = await store.readSession('routine_news')
    expect(more).toEqual([])
    expect(skipped).toMatchObject({
      seq: 1,
      type: 'routine.skipped',
      mode: 'routine',
      reason: 'missed',
      data: { name: 'news', dueAt: START + MINUTE, why: 'missed' },
    })
    expect(await store.listRuns()).toEqual([])
    // The first seal is the routine's own.
    const [, seal] = await store.readSeals()
    expect(seal).toMatchObject({ runId: skipped?.runId, lastSeq: 1, lastHash: skipped?.hash })
    expect(await audit(store)).toMatchObject({ runs: 0, events: 1, seals: 1, breaches: [] })
  })

  test('an audit finds a left-out due time that was changed', async () => {
    const data = { name: 'news', dueAt: START, why: 'paused' } as const
    const event = makeEvent({ runId: 'skip', seq: 1 }, 'routine.skipped', data)
    await store.append([{ ...event, data: { ...data, why: 'missed' } } as typeof event])
    expect((await audit(store)).breaches).toEqual([
      { runId: 'skip', seq: 1, why: 'the event does not match its hash', fault: { code: 'eventHash' } },
    ])
  })
})
