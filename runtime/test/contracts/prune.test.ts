/** Deleting runs: pruning leaves a tombstone, and any other deletion is detected. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditExport, exported, type SealLine } from '../../src/journal/export.ts'
import { RunLog } from '../../src/journal/journal.ts'
import { applyRetention, prune } from '../../src/journal/prune.ts'
import type { Store } from '../../src/journal/store.ts'
import { audit } from '../../src/journal/verify.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { LOCAL, type Principal } from '../../src/protocol/principal.ts'
import type { Profile } from '../../src/protocol/profile.ts'
import type { Database } from '../../src/storage/database.ts'
import { memoryArchive } from '../../src/storage/memory-archive.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { eraseSession } from '../../src/storage/prune.ts'
import { transcriptArchive } from '../../src/storage/transcript-archive.ts'
import { ownedKey } from '../../src/storage/transcript-text.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const DAY = 86_400_000
const NOW = 1_790_000_000_000

let folder: string
let postgres: TestPostgres
let files = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-prune-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: { name: string; locate: () => Promise<StoreLocation> }[] = [
  { name: 'SQLite', locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}.db`) }) },
  { name: 'PostgreSQL', locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }) },
]

describe.each(places)('$name', ({ locate }) => {
  let location: StoreLocation
  let db: Database
  let store: Store
  beforeEach(async () => {
    location = await locate()
    db = await openDatabase(location)
    store = storeOn(db)
  })
  afterEach(() => store.close())

  const change = (sql: string) =>
    db.query(CompiledQuery.raw(sql.replaceAll('@', db.dialect === 'sqlite' ? '' : 'writ.')))

  /** A run of that age with a valid hash chain; an open one has not stopped. */
  async function record(runId: string, ago: number, own: { sessionId?: string; open?: true; text?: string } = {}) {
    const place = { runId, sessionId: own.sessionId ?? 'session', turnId: 't', scoutId: null, mode: 'chat' } as const
    const log = new RunLog({ store, clock: { now: () => NOW - ago }, redact: (value) => value }, place)
    log.note('run.started', {
      task: own.text ?? 'a task',
      profile: {} as Profile,
      model: 'rules',
      lang: 'en',
      route: 'RuleBased',
      tools: [],
      history: 0,
      approvals: [],
    })
    if (!own.open) {
      const usage = { inputTokens: 0, outputTokens: 0 }
      log.note('run.stopped', { stop: { reason: 'final', text: '' }, steps: 1, toolCalls: 0, usage })
    }
    await log.flush()
    return log
  }

  test('pruning deletes runs that ended before a time, keeps the rest, and the chain still verifies', async () => {
    await record('old', 40 * DAY)
    await record('young', DAY)
    await record('old-but-open', 40 * DAY, { open: true })

    const looked = await prune(store, { before: NOW - 30 * DAY, now: NOW, dryRun: true })
    expect(looked).toEqual({ runs: 1, events: 2, kept: [] })
    expect((await store.readRun('old')).length).toBe(2)

    expect(await prune(store, { before: NOW - 30 * DAY, now: NOW })).toEqual(looked)
    expect(await store.readRun('old')).toEqual([])
    expect((await store.listRuns()).map(({ runId }) => runId)).toEqual(['young', 'old-but-open'])
    expect((await store.readSeals()).at(-1)).toMatchObject({ n: 3, runId: 'old', lastSeq: 2, tombstone: 'pruned' })
    expect(await audit(store)).toMatchObject({ runs: 2, seals: 3, tombstones: 1, breaches: [] })
    expect(await prune(store, { before: NOW - 30 * DAY, now: NOW })).toEqual({ runs: 0, events: 0, kept: [] })
  })

  test('each pruned run leaves a tombstone, and later runs are sealed onto them', async () => {
    for (let i = 0; i < 120; i++) await record(`r${i}`, 40 * DAY)
    expect((await prune(store, { before: NOW, now: NOW })).runs).toBe(120)
    await record('next', 0)
    expect(await audit(store)).toMatchObject({ runs: 1, seals: 241, tombstones: 120, breaches: [] })
  })

  test('a run missing without a tombstone is detected', async () => {
    await record('gone', DAY)
    await change("delete from @events where run_id = 'gone'")
    await change("delete from @runs where run_id = 'gone'")
    const { breaches } = await audit(store)
    expect(breaches).toMatchObject([{ runId: 'gone', why: expect.stringContaining('no tombstone') }])
  })

  test('a tombstone cannot be added or removed by hand', async () => {
    await record('a', DAY)
    await record('b', DAY)
    await change("delete from @events where run_id = 'a'")
    await change("update @seals set tombstone = 'pruned' where run_id = 'a'")
    expect((await audit(store)).breaches[0]).toMatchObject({ runId: 'a', why: 'seal 1 does not match its hash' })
  })

  test('a run that does not verify is kept as evidence', async () => {
    await record('forged', 40 * DAY)
    await record('plain', 40 * DAY)
    await change(`update @events set data = '{"task":"another"}' where run_id = 'forged' and seq = 1`)
    const { runs, kept } = await prune(store, { before: NOW, now: NOW })
    expect(runs).toBe(1)
    expect(kept).toMatchObject([{ runId: 'forged', seq: 1 }])
    expect((await store.readRun('forged')).length).toBe(2)
  })

  test.each([
    ['stopped_at = stopped_at - 86400000', 'stoppedAt'],
    ['started_at = started_at - 86400000', 'startedAt'],
    ["stop_reason = 'denied'", 'stopReason'],
    ["parent_run_id = 'other'", 'parentRunId'],
    ['stopped_at = null', 'stopped'],
  ])('a changed row in the list of runs is detected: %s', async (set, field) => {
    await record('changed', 2 * DAY)
    await record('plain', 2 * DAY)
    await change(`update @runs set ${set} where run_id = 'changed'`)
    const { breaches } = await audit(store)
    expect(breaches).toMatchObject([{ runId: 'changed', why: expect.stringContaining(field) }])
    const { runs, kept } = await prune(store, { before: NOW - DAY, now: NOW })
    expect([runs, kept.map(({ runId }) => runId)]).toEqual([1, ['changed']])
    expect(await store.readRun('changed')).toHaveLength(2)
  })

  test('a new run is not pruned when its row or its seal was backdated', async () => {
    await record('row', 0)
    await record('seal', 0)
    await change(`update @runs set started_at = 1, stopped_at = 2 where run_id in ('row', 'seal')`)
    await change(`update @seals set sealed_at = 2 where run_id = 'seal'`)
    const { runs, kept } = await prune(store, { before: NOW - 30 * DAY, now: NOW })
    expect([runs, kept.map(({ runId }) => runId).sort()]).toEqual([0, ['row', 'seal']])
    expect(await store.listRuns()).toHaveLength(2)
  })

  test('a run whose row was deleted is not pruned, so the evidence stays', async () => {
    await record('hidden', 40 * DAY)
    await change(`delete from @runs where run_id = 'hidden'`)
    expect((await prune(store, { before: NOW, now: NOW })).runs).toBe(0)
    expect(await store.readRun('hidden')).toHaveLength(2)
  })

  test('an event added after a seal with a valid hash is detected; what a turn writes there is accepted', async () => {
    const usual = await record('usual', DAY)
    usual.note('memory.stored', { id: 'm', source: 'turn' })
    usual.note('turn.committed', { reply: '', notices: [], stopReason: 'final', runId: 'usual' })
    await usual.flush()
    usual.note('confirm.answered', { callId: '', answer: 'n', by: 'a person', keys: ['shell ls'] }, 'revoked')
    await usual.flush()
    expect((await audit(store)).breaches).toEqual([])
    const added = await record('added', DAY)
    added.note('confirm.answered', { callId: 'c', answer: 'a', by: 'a person', keys: ['shell touch'] })
    await added.flush()
    usual.note('turn.committed', { reply: 'another', notices: [], stopReason: 'final', runId: 'usual' })
    await usual.flush()
    const { breaches } = await audit(store)
    expect(breaches).toMatchObject([
      { runId: 'usual', why: expect.stringContaining('turn.committed') },
      { runId: 'added', why: expect.stringContaining('confirm.answered') },
    ])
  })

  test('a skipped due time is pruned like a run', async () => {
    const place = { runId: 'skip', sessionId: 's', turnId: 't', scoutId: null, mode: 'routine' } as const
    const log = new RunLog({ store, clock: { now: () => NOW - 40 * DAY }, redact: (value) => value }, place)
    log.note('routine.skipped', { name: 'r', dueAt: 1, why: 'missed' })
    await log.flush()
    expect((await prune(store, { before: NOW, now: NOW })).runs).toBe(1)
    expect((await audit(store)).breaches).toEqual([])
  })

  test('retention prunes only when it is set', async () => {
    await record('old', 40 * DAY)
    expect(await applyRetention(store, {}, NOW)).toBeUndefined()
    expect((await store.listRuns()).length).toBe(1)
    expect(await applyRetention(store, { days: 30 }, NOW)).toMatchObject({ runs: 1 })
  })

  test('deleting a conversation deletes its runs, its memories and every workflow history stored under its name', async () => {
    await record('mine', DAY, { sessionId: 'private', text: 'canary-in-run' })
    const open = await record('mine-open', DAY, { sessionId: 'private', open: true })
    await record('other', DAY, { sessionId: 'public' })
    const memory = memoryArchive(db)
    const entry = (id: string, sessionId: string, content: string) => ({
      id,
      content,
      tags: [],
      source: { kind: 'user' as const, sessionId, runId: 'x' },
      retold: false,
      createdAt: NOW,
    })
    await memory.save(LOCAL, entry('m1', 'private', 'canary-in-memory'), ['canarywords'])
    await memory.save(LOCAL, entry('m2', 'public', 'stays'), ['stays'])

    const transcripts = transcriptArchive(db)
    const kept = { role: 'user', content: 'canary-in-transcript', at: NOW } as const
    const histories = [
      'private',
      ownedKey('private', 'tok_a' as Principal),
      'private\\u0000x',
      ownedKey('privateer', 'tok_a' as Principal),
    ]
    for (const session of histories) {
      const content = session.startsWith('private\0') || session === 'private' ? kept.content : 'stays'
      await transcripts.change(session, { rewrite: () => [{ ...kept, content }], now: NOW, keepMs: DAY })
    }

    expect(await eraseSession(db, 'private', NOW)).toEqual({ runs: 2 })
    const left = await Promise.all(histories.map(async (session) => (await transcripts.read(session)).length))
    expect(left).toEqual([0, 0, 1, 1])
    expect(await store.readSession('private')).toEqual([])
    expect((await memory.list(LOCAL, { limit: 9 })).map(({ id }) => id)).toEqual(['m2'])
    expect((await store.readSeals()).filter(({ tombstone }) => tombstone === 'erased').length).toBe(2)
    expect(await audit(store)).toMatchObject({ runs: 1, breaches: [] })
    // A worker still running the session can store nothing more.
    open.note('turn.started', { input: 'late' })
    await expect(open.flush()).rejects.toMatchObject({ code: 'JOURNAL_GAP' })

    if (location.kind === 'sqlite') {
      const bytes = ['', '-wal']
        .map((end) => readFileSync(`${(location as { file: string }).file}${end}`, 'latin1'))
        .join()
      expect(bytes).not.toMatch(/canary/)
    }
  })

  test('an export verifies on its own, and reveals a truncated or missing run', async () => {
    await record('a', 40 * DAY)
    await record('b', DAY)
    await prune(store, { before: NOW - 30 * DAY, now: NOW })
    const lines: (StoredEvent | SealLine)[] = []
    for await (const line of exported(store, {})) lines.push(line)
    const of = async function* (records: typeof lines) {
      yield* records
    }
    expect(await auditExport(of(lines))).toMatchObject({ runs: 1, events: 2, seals: 3, tombstones: 1, breaches: [] })
    expect((await auditExport(of(lines.slice(1)))).breaches[0]).toMatchObject({ runId: 'b', seq: 2 })
    expect((await auditExport(of(lines.toSpliced(1, 1)))).breaches[0]?.why).toContain('sealed at event 2')
    expect((await auditExport(of(lines.slice(2)))).breaches[0]?.why).toContain('no tombstone')
  })
})
