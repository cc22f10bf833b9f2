/** Contract of the store, on every database. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canonical } from '../../src/base/json.ts'
import { hashSeal, type Store } from '../../src/journal/store.ts'
import { firstBreach } from '../../src/journal/verify.ts'
import { EVERYONE, LOCAL, type Principal } from '../../src/protocol/principal.ts'
import { openStore, type StoreLocation } from '../../src/storage/open.ts'
import { makeEvent, makeEvents, makeStart, makeStop } from '../support/events.ts'
import { runSql, startPostgres, type TestPostgres } from '../support/postgres.ts'

const WORKER = fileURLToPath(new URL('../support/append-loop.ts', import.meta.url))

let folder: string
let postgres: TestPostgres
let files = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-store-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Place {
  name: string
  /** Whether a second store can be opened on the same data. */
  shared: boolean
  locate: () => Promise<StoreLocation>
}

const places: Place[] = [
  {
    name: 'SQLite file',
    shared: true,
    locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}`, 'writ.db') }),
  },
  { name: 'SQLite in memory', shared: false, locate: async () => ({ kind: 'memory' }) },
  {
    name: 'PostgreSQL',
    shared: true,
    locate: async () => ({ kind: 'postgres', url: await postgres.createDatabase() }),
  },
]

describe.each(places)('$name', ({ shared, locate }) => {
  let location: StoreLocation
  let store: Store
  const opened: Store[] = []

  async function open(): Promise<Store> {
    const another = await openStore(location)
    opened.push(another)
    return another
  }
  beforeEach(async () => {
    location = await locate()
    store = await open()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
  })

  test('a run is read back unchanged and in order', async () => {
    const events = [makeStart({ runId: 'a' }), ...makeEvents({ runId: 'a', seq: 2 }, 3)]
    await store.append(events.slice(0, 2))
    await store.append(events.slice(2))

    expect(await store.readRun('a')).toEqual(events)
    expect(await store.readRun('a', 2)).toEqual(events.slice(2))
    expect(await store.readRun('unknown')).toEqual([])
  })

  test('the number of a run’s last event is known without reading the run', async () => {
    await store.append([makeStart({ runId: 'a' }), ...makeEvents({ runId: 'a', seq: 2 }, 3)])
    expect(await store.lastSeq('a')).toBe(4)
    expect(await store.lastSeq('unknown')).toBe(0)
  })

  test('the last events before a number come in order', async () => {
    const events = [makeStart({ runId: 'a' }), ...makeEvents({ runId: 'a', seq: 2 }, 5)]
    await store.append([...events, makeStart({ runId: 'b' })])
    expect(await store.readBefore('a', 5, 2)).toEqual(events.slice(2, 4))
    expect(await store.readBefore('a', Number.MAX_SAFE_INTEGER, 100)).toEqual(events)
    expect(await store.readBefore('a', 1, 100)).toEqual([])
  })

  test('X-SCALE-1: the latest account of a run is kept with the number of its last event', async () => {
    await store.append([makeStart({ runId: 'a' })], { runId: 'a', seq: 1, text: '{"n":1}' })
    await store.append([makeStart({ runId: 'b' })])
    const kept = { runId: 'a', seq: 3, text: '{"n":"\\u0000"}' }
    await store.append(makeEvents({ runId: 'a', seq: 2 }, 2), kept)
    await store.append(makeEvents({ runId: 'a', seq: 4 }, 1))
    const rows = await store.readAccounts(['a', 'b', 'unknown'])
    expect(rows.sort((one, other) => one.runId.localeCompare(other.runId))).toEqual([
      { runId: 'a', lastSeq: 4, kept },
      { runId: 'b', lastSeq: 1, kept: undefined },
    ])
    await store.bury(['a'], { at: 1, why: 'pruned' })
    await store.append([makeStart({ runId: 'a' })])
    expect(await store.readAccounts(['a'])).toEqual([{ runId: 'a', lastSeq: 1, kept: undefined }])
  })

  test('X-SCALE-1: accounts of runs that are stored at the same moment are all kept', async () => {
    const ids = Array.from({ length: 8 }, (_, n) => `run-${n}`)
    for (const runId of ids) await store.append([makeStart({ runId })])
    await Promise.all(
      ids.map((runId) => store.append(makeEvents({ runId, seq: 2 }, 2), { runId, seq: 3, text: `"${runId}"` })),
    )
    const rows = await store.readAccounts(ids)
    expect(rows.map(({ kept }) => kept?.text).sort()).toEqual(ids.map((runId) => `"${runId}"`))
  })

  test('an account is not kept when its events are rejected', async () => {
    await store.append([makeStart({ runId: 'a' })])
    const late = store.append([makeStart({ runId: 'a' })], { runId: 'a', seq: 1, text: '{}' })
    await expect(late).rejects.toMatchObject({ code: 'RUN_TAKEN' })
    expect(await store.readAccounts(['a'])).toMatchObject([{ kept: undefined }])
  })

  test('storing nothing is not an error', async () => {
    await store.append([])
    expect(await store.listRuns()).toEqual([])
  })

  test('S4-173: an event keeps its scout', async () => {
    const event = {
      ...makeEvent({ runId: 'a', seq: 1 }, 'SCOUT_STARTED', {}),
      scoutId: 'scout_1',
      mode: 'scout' as const,
    }
    await store.append([event])
    expect(await store.readRun('a')).toEqual([event])
  })

  test('an occupied sequence number is not overwritten, and the late writer gets an error', async () => {
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 3))
    const late = makeEvents({ runId: 'a', seq: 3, reason: 'late' }, 2)

    await expect(store.append(late)).rejects.toMatchObject({
      code: 'RUN_TAKEN',
      message: 'another worker continued run a at event 3',
    })
    expect(await store.readRun('a')).toEqual(makeEvents({ runId: 'a', seq: 1 }, 3))
  })

  test.each([
    ['an ordinary step', (reason: string) => makeEvents({ runId: 'a', seq: 2, reason }, 4)],
    [
      'the end of a run',
      (reason: string) => [...makeEvents({ runId: 'a', seq: 2 }, 3), makeStop({ runId: 'a', seq: 5, reason })],
    ],
  ])('exactly one of two workers racing with %s wins', async (_, step) => {
    const rival = shared ? await open() : store
    await store.append([makeStart({ runId: 'a' })])

    const outcomes = await Promise.allSettled([store.append(step('first')), rival.append(step('second'))])

    const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(lost).toMatchObject([{ reason: { code: 'RUN_TAKEN' } }])
    const winner = outcomes[0].status === 'fulfilled' ? 'first' : 'second'
    expect(await store.readRun('a', 1)).toEqual(step(winner))
    expect((await store.readSeals()).length).toBe(step(winner).some(({ type }) => type === 'run.stopped') ? 1 : 0)
  })

  test('a gap in the sequence numbers is rejected: at the start, at the end and within a batch', async () => {
    const gap = { code: 'JOURNAL_GAP' }
    await expect(store.append(makeEvents({ runId: 'a', seq: 2 }, 1))).rejects.toMatchObject(gap)
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    await expect(store.append(makeEvents({ runId: 'a', seq: 4 }, 1))).rejects.toMatchObject({
      ...gap,
      message: 'run a: expected event 3, got 4',
    })
    const [third, , fifth] = makeEvents({ runId: 'a', seq: 3 }, 3)
    await expect(store.append([third, fifth].filter((event) => event !== undefined))).rejects.toMatchObject(gap)
    expect((await store.readRun('a')).length).toBe(2)
  })

  test('a batch is stored completely or not at all, across all its runs', async () => {
    await store.append(makeEvents({ runId: 'taken', seq: 1 }, 1))
    const batch = [
      makeStart({ runId: 'new' }),
      makeStop({ runId: 'new', seq: 2 }),
      ...makeEvents({ runId: 'taken', seq: 1 }, 1),
    ]

    await expect(store.append(batch)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
    expect(await store.readRun('new')).toEqual([])
    expect(await store.listRuns()).toEqual([])
    expect(await store.readSeals()).toEqual([])
  })

  test('a batch larger than one statement can hold is still one batch', async () => {
    const events = makeEvents({ runId: 'a', seq: 1 }, 1234)
    await store.append(events)
    expect(await store.readRun('a')).toEqual(events)

    const late = [...makeEvents({ runId: 'b', seq: 1 }, 250), ...makeEvents({ runId: 'a', seq: 1234 }, 1)]
    await expect(store.append(late)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
    expect(await store.readRun('b')).toEqual([])
  })

  test('appends of many runs at the same moment are all stored, with their starts and seals', async () => {
    const runs = Array.from({ length: 30 }, (_, n) => `run${n}`)
    const place = (runId: string) => ({ runId, sessionId: `session of ${runId}` })
    await Promise.all(runs.map((runId) => store.append([makeStart(place(runId))])))
    await Promise.all(runs.map((runId) => store.append(makeEvents({ ...place(runId), seq: 2 }, 3))))
    await Promise.all(runs.map((runId) => store.append([makeStop({ ...place(runId), seq: 5 })])))

    for (const runId of runs) expect((await store.readRun(runId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    const seals = await store.readSeals()
    expect(seals.map(({ runId }) => runId).sort()).toEqual(runs.toSorted())
    for (const [i, { hash, ...seal }] of seals.entries()) expect(hash).toBe(hashSeal(seals[i - 1]?.hash ?? '', seal))
  })

  test('runs that fail do not fail or lose the runs that append at the same moment', async () => {
    await store.append(makeEvents({ runId: 'taken', seq: 1 }, 2))
    const good = Array.from({ length: 10 }, (_, n) => makeEvents({ runId: `good${n}`, seq: 1 }, 2))
    const bad = [
      makeEvents({ runId: 'taken', seq: 2, reason: 'late' }, 1),
      makeEvents({ runId: 'gap', seq: 4 }, 1),
      makeEvents({ runId: 'bad\0id', seq: 1 }, 1),
    ]
    const outcomes = await Promise.allSettled([...good, ...bad, ...good].map((events) => store.append(events)))

    const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'stored' : outcome.reason.code))
    expect(codes.slice(good.length, good.length + bad.length)).toEqual(['RUN_TAKEN', 'JOURNAL_GAP', 'INVALID_ID'])
    expect(codes.filter((code) => code === 'stored')).toHaveLength(good.length)
    for (const events of good) expect(await store.readRun(events[0]?.runId ?? '')).toEqual(events)
    expect(await store.readRun('taken')).toEqual(makeEvents({ runId: 'taken', seq: 1 }, 2))
  })

  test('closing stores what was appended before', async () => {
    const done = [1, 2].map((n) => store.append(makeEvents({ runId: `run${n}`, seq: 1 }, 1)))
    const listed = Promise.all(done).then(() => 'stored')
    await store.close()
    expect(await listed).toBe('stored')
  })

  test('a session is read across all its runs in storage order', async () => {
    const inSession = { sessionId: 'mine' }
    const batches = [
      [makeStart({ runId: 'z', ...inSession })],
      [makeStart({ runId: 'a', ...inSession }), ...makeEvents({ runId: 'z', seq: 2, ...inSession }, 2)],
      [...makeEvents({ runId: 'a', seq: 2, ...inSession }, 1), ...makeEvents({ runId: 'z', seq: 4, ...inSession }, 1)],
    ]
    for (const batch of batches) {
      await store.append(batch)
      await store.append(makeEvents({ runId: `other ${batch.length}`, seq: 1, sessionId: 'other' }, 1))
    }
    expect(await store.readSession('mine')).toEqual(batches.flat())
  })

  test('a session can be followed from any position, without duplicates or gaps', async () => {
    const mine = { sessionId: 'mine' }
    await store.append([makeStart({ runId: 'a', ...mine }), ...makeEvents({ runId: 'a', seq: 2, ...mine }, 3)])
    await store.append(makeEvents({ runId: 'x', seq: 1, sessionId: 'other' }, 2))
    await store.append([makeStart({ runId: 'b', ...mine })])
    await store.append(makeEvents({ runId: 'a', seq: 5, ...mine }, 1))
    const all = await store.readPlaced('mine', 0)

    expect(all.map(({ event }) => event)).toEqual(await store.readSession('mine'))
    for (const [i, { place }] of all.entries()) {
      expect(await store.readPlaced('mine', place)).toEqual(all.slice(i + 1))
      expect(await store.readPlaced('mine', place, 2)).toEqual(all.slice(i + 1, i + 3))
    }
    expect(await store.readPlaced('unknown', 0)).toEqual([])
  })

  test('a reader that continues from its last position misses no event of concurrent writers', async () => {
    const writers = shared ? [store, await open(), await open()] : [store]
    const mine = { sessionId: 'mine' }
    let writing = true
    const written = Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const writer = writers[i % writers.length] ?? store
        await writer.append([makeStart({ runId: `r${i}`, ...mine })])
        for (let seq = 2; seq < 30; seq += 2) await writer.append(makeEvents({ runId: `r${i}`, seq, ...mine }, 2))
      }),
    ).finally(() => {
      writing = false
    })
    const seen: string[] = []
    let place = 0
    for (;;) {
      const last = !writing
      const page = await store.readPlaced('mine', place)
      seen.push(...page.map(({ event: { runId, seq } }) => `${runId} ${seq}`))
      place = page.at(-1)?.place ?? place
      if (last && page.length === 0) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    await written

    expect(seen.length).toBe(6 * 29)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('a listener is notified of stored events until it unsubscribes', async () => {
    const told: string[] = []
    const stop = store.onAppend((events) => told.push(...events.map(({ runId, seq }) => `${runId} ${seq}`)))
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 1)).catch(() => {})
    stop()
    await store.append(makeEvents({ runId: 'a', seq: 3 }, 1))
    expect(told).toEqual(['a 1', 'a 2'])
  })

  test('chat sessions are listed, most recently used first', async () => {
    const at = (timestamp: number, sessionId: string) => ({ timestamp, sessionId })
    await store.append([makeStart({ runId: 'a', ...at(100, 's1') })])
    await store.append([makeStart({ runId: 'b', ...at(200, 's2') })])
    await store.append([
      makeStart({ runId: 'c', ...at(300, 's1') }),
      makeStart({ runId: 'd', ...at(310, 's1'), parentRunId: 'c' }),
    ])
    await store.append([{ ...makeStart({ runId: 'e', ...at(400, 's3') }), mode: 'routine' as const }])
    await store.append([makeStop({ runId: 'b', seq: 2, ...at(500, 's2') })])

    const s1 = { sessionId: 's1', startedAt: 100, lastAt: 300, runs: 2, firstRunId: 'a' }
    const s2 = { sessionId: 's2', startedAt: 200, lastAt: 500, runs: 1, firstRunId: 'b' }
    expect(await store.listSessions({ mode: 'chat', whose: EVERYONE, limit: 9 })).toEqual([s2, s1])
    expect(await store.listSessions({ mode: 'chat', whose: LOCAL, limit: 1 })).toEqual([s2])
    expect(await store.listSessions({ mode: 'chat', whose: 'unknown' as Principal, limit: 9 })).toEqual([])
    expect(await store.listRuns({ mode: 'routine' })).toMatchObject([{ runId: 'e' }])
    expect(await store.listRuns({ parentRunId: 'c' })).toMatchObject([{ runId: 'd' }])
    expect(await store.listRuns({ stopReason: 'final' })).toMatchObject([{ runId: 'b' }])
    expect(await store.listRuns({ until: 300 })).toMatchObject([{ runId: 'b' }, { runId: 'a' }])
    const second = await store.listRuns({ limit: 2, before: { startedAt: 310, runId: 'd' } })
    expect(second).toMatchObject([{ runId: 'c' }, { runId: 'b' }])
    expect(await store.listRuns({ whose: 'unknown' as Principal })).toEqual([])
  })

  test('only the requested facts of many runs are read, and their codes counted', async () => {
    const result = (seq: number, reason: string) => ({
      ...makeEvent({ runId: 'a', seq, reason }, 'tool.result', {} as never),
    })
    await store.append([makeStart({ runId: 'a' }), result(2, 'UNKNOWN_TOOL'), result(3, ''), result(4, 'UNKNOWN_TOOL')])
    await store.append([makeStart({ runId: 'b' }), makeStop({ runId: 'b', seq: 2 })])

    const facts = await store.readOf(['b', 'a', 'none'], ['run.started', 'run.stopped'])
    expect(facts.map(({ runId, type }) => `${runId} ${type}`)).toEqual([
      'a run.started',
      'b run.started',
      'b run.stopped',
    ])
    expect(await store.countCodes(['a', 'b'])).toEqual([{ runId: 'a', code: 'UNKNOWN_TOOL', count: 2 }])
    expect([await store.readOf([], ['run.started']), await store.countCodes([])]).toEqual([[], []])
  })

  test('runs are listed newest first, filtered by session, time, state and limit', async () => {
    const at = (timestamp: number, sessionId: string) => ({ timestamp, sessionId })
    await store.append([makeStart({ runId: 'a', ...at(100, 's1') })])
    await store.append([makeStart({ runId: 'b', ...at(200, 's1'), parentRunId: 'a' })])
    await store.append([makeStart({ runId: 'c', ...at(300, 's2') })])
    await store.append([makeStop({ runId: 'b', seq: 2, ...at(400, 's1') }, 'max_steps')])

    const a = { runId: 'a', sessionId: 's1', startedAt: 100, stopped: false }
    const b = {
      runId: 'b',
      sessionId: 's1',
      startedAt: 200,
      stopped: true,
      stoppedAt: 400,
      stopReason: 'max_steps',
      parentRunId: 'a',
    }
    const c = { runId: 'c', sessionId: 's2', startedAt: 300, stopped: false }
    expect(await store.listRuns()).toEqual([c, b, a])
    expect(await store.listRuns({ sessionId: 's1' })).toEqual([b, a])
    expect(await store.listRuns({ since: 200 })).toEqual([c, b])
    expect(await store.listRuns({ open: true })).toEqual([c, a])
    expect(await store.listRuns({ sessionId: 's1', since: 150, open: true })).toEqual([])
    expect(await store.listRuns({ limit: 1 })).toEqual([c])
  })

  test('each stopped run is sealed onto the previous seal', async () => {
    for (const runId of ['a', 'b', 'c']) {
      await store.append([makeStart({ runId }), makeStop({ runId, seq: 2, timestamp: 77 })])
    }
    const seals = await store.readSeals()
    expect(seals.map(({ n, runId, lastSeq, sealedAt }) => [n, runId, lastSeq, sealedAt])).toEqual([
      [1, 'a', 2, 77],
      [2, 'b', 2, 77],
      [3, 'c', 2, 77],
    ])
    let previous = ''
    for (const seal of seals) {
      expect(seal.lastHash).toBe((await store.readRun(seal.runId)).at(-1)?.hash)
      expect(seal.hash).toBe(hashSeal(previous, seal))
      previous = seal.hash
    }
  })

  test('a seal covers events stored together with the stop', async () => {
    const commit = makeEvent({ runId: 'a', seq: 3 }, 'turn.committed', {
      reply: '',
      notices: [],
      stopReason: 'final',
      runId: 'a',
    })
    await store.append([makeStart({ runId: 'a' }), makeStop({ runId: 'a', seq: 2 }), commit])
    expect(await store.readSeals()).toMatchObject([{ lastSeq: 3, lastHash: commit.hash }])
  })

  test('runs that stop at the same time in two stores share one chain of seals', async () => {
    const rival = shared ? await open() : store
    const stop = (runId: string) => [makeStart({ runId }), makeStop({ runId, seq: 2 })]
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : rival).append(stop(`run ${i}`))))

    const seals = await store.readSeals()
    expect(seals.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    for (const [i, seal] of seals.entries()) expect(seal.hash).toBe(hashSeal(seals[i - 1]?.hash ?? '', seal))
  })

  test('every text is read back byte for byte, even where the database rejects it as text', async () => {
    const nasty = [
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      '😀',
      '中文',
      '\u2028\u2029',
      '"\\',
      "'; drop table events --",
      '\ufeff',
      'é',
      'e\u0301',
    ]
    const events = nasty.map((text, i) =>
      makeEvent({ runId: 'a', seq: i + 1, reason: text }, 'turn.started', { input: text }),
    )
    await store.append(events)
    expect((await store.readRun('a')).map(canonical)).toEqual(events.map(canonical))
  })

  test('any JSON is read back byte for byte', async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        async (reason, data) => {
          const runId = `run ${++runs}`
          const event = makeEvent({ runId, seq: 1, reason }, 'SCOUT_QUEUED', data)
          await store.append([event])
          expect((await store.readRun(runId)).map(canonical)).toEqual([canonical(event)])
        },
      ),
      { numRuns: 50 },
    )
  })

  test('a payload of several megabytes is read back unchanged', async () => {
    const event = makeEvent({ runId: 'a', seq: 1 }, 'turn.started', { input: '漢\0"'.repeat(1_000_000) })
    await store.append([event])
    expect((await store.readRun('a'))[0]?.data).toEqual(event.data)
  })

  test('an id that the database would alter is rejected', async () => {
    for (const runId of ['a\0b', 'a\ud800']) {
      await expect(store.append(makeEvents({ runId, seq: 1 }, 1))).rejects.toMatchObject({ code: 'INVALID_ID' })
    }
  })

  test('an event that does not fit its columns is rejected and stores nothing', async () => {
    const event = { ...makeEvent({ runId: 'a', seq: 1 }, 'turn.started', { input: '' }), timestamp: 1.5 }
    await expect(store.append([event])).rejects.toMatchObject({ name: 'WritError' })
    expect(await store.readRun('a')).toEqual([])
  })

  test('closing twice is not an error', async () => {
    await store.close()
    await store.close()
  })

  if (!shared) return

  test('data survives closing and reopening, and opening changes nothing', async () => {
    const events = [makeStart({ runId: 'a' }), makeStop({ runId: 'a', seq: 2 })]
    await store.append(events)
    const before = [await store.readRun('a'), await store.listRuns(), await store.readSeals()]
    await store.close()

    for (let i = 0; i < 3; i++) {
      const again = await open()
      expect([await again.readRun('a'), await again.listRuns(), await again.readSeals()]).toEqual(before)
    }
  })

  test('a store of a newer version is not touched', async () => {
    await meddle(location, "insert into schema_version (version, name) values (99, 'future')")
    await expect(open()).rejects.toMatchObject({
      code: 'STORE_TOO_NEW',
      message: expect.stringContaining('99 (future)'),
    })
  })

  test('an unreadable row is reported', async () => {
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    await meddle(location, "update events set data = '{' where seq = 2")
    await expect(store.readRun('a')).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: 'event 2 of run a is no longer valid JSON',
    })
  })

  test('many processes can open a new store at once', async () => {
    location = await locate()
    const stores = await Promise.all(Array.from({ length: 5 }, open))
    await Promise.all(stores.map((each, i) => each.append(makeEvents({ runId: `run ${i}`, seq: 1 }, 2))))
    expect((await store.listRuns()).length).toBe(0)
    expect((await stores[0]?.readSession('session'))?.length).toBe(10)
  })

  test('several processes can write to one new store at the same time', async () => {
    location = await locate()
    const workers = ['a', 'b', 'c'].map((runId) => startWorker(location, runId, 50))
    expect(await Promise.all(workers.map(({ exit }) => exit))).toEqual([0, 0, 0])

    const again = await open()
    for (const runId of ['a', 'b', 'c']) {
      const events = await again.readRun(runId)
      expect(events.length).toBe(200)
      expect(firstBreach(events)).toBeUndefined()
    }
  })

  test('after kill -9 a run has only complete steps, including every acknowledged one', async () => {
    for (const acknowledged of [4, 40, 100]) {
      const runId = `run ${acknowledged}`
      const { child, lines, exit } = startWorker(location, runId)
      let last = 0
      for await (const line of lines) {
        last = Number(line)
        if (last >= acknowledged) child.kill('SIGKILL')
      }
      await exit

      const again = await open()
      const events = await again.readRun(runId)
      expect(events.length).toBeGreaterThanOrEqual(last)
      expect(events.length % 4).toBe(0)
      expect(firstBreach(events)).toBeUndefined()
      await again.append(makeEvents({ runId, seq: events.length + 1 }, 1))
    }
  })
})

describe('PostgreSQL only', () => {
  test('a read-only database gives a clear error on writes and can still be read', async () => {
    const url = await postgres.createDatabase()
    const store = await openStore({ kind: 'postgres', url })
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 1))
    await store.close()
    await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)

    const reader = await openStore({ kind: 'postgres', url })
    expect((await reader.readRun('a')).length).toBe(1)
    await expect(reader.append(makeEvents({ runId: 'a', seq: 2 }, 1))).rejects.toMatchObject({ code: 'STORE_READONLY' })
    await reader.close()
  })

  test('synchronous commit is turned on where the database has it off', async () => {
    const url = await postgres.createDatabase()
    await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    const { openPostgres } = await import('../../src/storage/postgres.ts')
    const db = await openPostgres(url)
    expect(await db.query(CompiledQuery.raw('show synchronous_commit'))).toEqual([{ synchronous_commit: 'on' }])
    await db.close()
  })

  test('a lost server causes an error, not a crash, and the store works again once it is back', async () => {
    const url = await postgres.createDatabase()
    const store = await openStore({ kind: 'postgres', url })
    await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'writ'")
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 1)).catch((error) => {
      expect(error).toMatchObject({ code: 'STORE_UNREACHABLE' })
      return store.append(makeEvents({ runId: 'a', seq: 1 }, 1))
    })
    expect((await store.readRun('a')).length).toBe(1)
    await store.close()
  })

  test('an unknown database is unreachable', async () => {
    const url = postgres.url.replace(/postgres$/, 'nowhere')
    await expect(openStore({ kind: 'postgres', url })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  })
})

async function meddle(location: StoreLocation, statement: string): Promise<void> {
  if (location.kind === 'postgres') await runSql(location.url, `set search_path to writ; ${statement}`)
  if (location.kind !== 'sqlite') return
  const file = new DatabaseSync(location.file)
  file.exec(statement)
  file.close()
}

function startWorker(location: StoreLocation, runId: string, steps = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(location), runId, String(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  return { child, exit, lines: createInterface(child.stdout) }
}
