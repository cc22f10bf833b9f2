/** A store that an older Writ left behind is opened by this one, with everything in it. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/journal/verify.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { memoryArchive } from '../../src/storage/memory-archive.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { routineArchive } from '../../src/storage/routine-archive.ts'
import { makeEvents } from '../support/events.ts'
import { runSql, startPostgres, type TestPostgres } from '../support/postgres.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/schema-3')
const read = (name: string) => readFileSync(join(FIXTURES, name), 'utf8')

let folder: string
let postgres: TestPostgres
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-migrations-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: { name: string; leave: () => Promise<StoreLocation> }[] = [
  {
    name: 'SQLite',
    leave: async () => {
      const file = join(folder, 'journal.db')
      const db = new DatabaseSync(file)
      db.exec(read('sqlite.sql') + summary('memories'))
      db.close()
      return { kind: 'sqlite', file }
    },
  },
  {
    name: 'PostgreSQL',
    leave: async () => {
      const url = await postgres.createDatabase()
      await runSql(url, read('postgres.sql') + summary('writ.memories'))
      return { kind: 'postgres', url }
    },
  },
]

/** What a model remembered, beside what the fixture says a person did. */
const summary = (table: string) =>
  `insert into ${table} (pos, id, content, tags, kind, session_id, run_id, created_at)
   values (9, 'mem_turn', '"Q: hi"', '[]', 'turn', 's', 'r', 1);`

describe.each(places)('a $name store of schema version 3', ({ leave }) => {
  test('is brought up to date with all its data readable, and verifies', async () => {
    const db = await openDatabase(await leave())
    const store = storeOn(db)
    try {
      const [run] = await store.listRuns()
      expect(run).toMatchObject({ runId: 'run_v3_3', sessionId: 'ses_v3_1', stopped: true, stopReason: 'final' })
      const events = await store.readRun('run_v3_3')
      expect(events.length).toBe(18)
      expect(events.at(-1)).toMatchObject({ type: 'turn.committed', data: { reply: 'all seen' } })
      expect(await audit(store)).toMatchObject({ runs: 1, seals: 1, tombstones: 0, breaches: [] })
      const [memory] = await memoryArchive(db).search(LOCAL, ['harbour'], { limit: 1 })
      expect(memory).toMatchObject({ id: 'mem_v3', content: 'the harbour opens at nine' })
      // Of what a model wrote nobody knows any more what it had read.
      const memories = await memoryArchive(db).list(LOCAL, { limit: 9 })
      expect(memories.map(({ id, retold }) => [id, retold])).toEqual([
        ['mem_v3', false],
        ['mem_turn', true],
      ])
      expect(await routineArchive(db).find(LOCAL, 'morning')).toMatchObject({
        schedule: '0 9 * * *',
        task: 'look around',
      })
      await store.append(makeEvents({ runId: 'new', seq: 1 }, 2))
      expect((await store.readRun('new')).length).toBe(2)
      expect(await store.bury(['run_v3_3'], { at: 1_800_000_000_000, why: 'pruned' })).toBe(1)
      expect(await audit(store)).toMatchObject({ seals: 2, tombstones: 1, breaches: [] })
    } finally {
      await store.close()
    }
  })
})
