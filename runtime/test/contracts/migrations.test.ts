/** Stores written by older versions open with all their data. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/journal/verify.ts'
import { EVERYONE, LOCAL, type Principal } from '../../src/protocol/principal.ts'
import { memoryArchive } from '../../src/storage/memory-archive.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { routineArchive } from '../../src/storage/routine-archive.ts'
import { sessionOwners } from '../../src/storage/session-owners.ts'
import { tokenArchive } from '../../src/storage/token-archive.ts'
import { makeEvents, makeStart } from '../support/events.ts'
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

/** A memory stored by a model; the fixture holds one stored by a person. */
const summary = (table: string) =>
  `insert into ${table} (pos, id, content, tags, kind, session_id, run_id, created_at)
   values (9, 'mem_turn', '"Q: hi"', '[]', 'turn', 's', 'r', 1);`

describe.each(places)('a $name store of schema version 3', ({ leave }) => {
  test('is upgraded with all its data readable, and verifies', async () => {
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
      // It is not known what the model had read when it wrote this, so it is untrusted.
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
      const { breaches, ...counted } = await audit(store)
      expect(counted).toMatchObject({ seals: 2, tombstones: 1 })
      // Two events do not make a run.
      expect(breaches.filter(({ runId }) => runId !== 'new')).toEqual([])
    } finally {
      await store.close()
    }
  })
})

const empty: { name: string; locate: () => Promise<StoreLocation> }[] = [
  { name: 'SQLite', locate: async () => ({ kind: 'sqlite', file: join(folder, 'previous.db') }) },
  { name: 'PostgreSQL', locate: async () => ({ kind: 'postgres', url: await postgres.createDatabase() }) },
]

describe.each(empty)('a $name store of the version before owners were added', ({ locate }) => {
  /** As version 8 left it: runs of a token, the console and the command line, each with a memory and a routine. */
  async function leave(location: StoreLocation): Promise<void> {
    const db = await openDatabase(location)
    const store = storeOn(db)
    const { sql } = db
    for (const runId of ['tok_run', 'console_run', 'cli_run']) {
      await store.append([makeStart({ runId, sessionId: `${runId}_session` })])
    }
    const old = [
      sql.schema.dropTable('data_folder').ifExists(),
      sql.schema.dropTable('kept_salts'),
      sql.schema.dropTable('spending'),
      sql.schema.dropTable('accounts'),
      sql.schema.dropIndex('events_rare'),
      sql.schema.dropIndex('events_codes'),
      sql.schema.dropIndex('runs_parent'),
      sql.schema.dropIndex('memories_owner'),
      sql.schema.alterTable('memories').dropColumn('owner'),
      sql.schema.alterTable('routines').dropColumn('owner'),
      sql.schema.alterTable('routines').dropColumn('approvals'),
      sql.schema.alterTable('tokens').dropColumn('principal'),
      sql.schema.alterTable('session_owners').dropColumn('title'),
      sql.deleteFrom('schema_version').where('version', '>', 8),
    ]
    for (const statement of old) await db.query(statement.compile())
    const insert = async (table: 'tokens' | 'session_owners' | 'memories' | 'routines', row: object) =>
      void (await db.query(
        sql
          .insertInto(table)
          .values(row as never)
          .compile(),
      ))
    const ada = { name: 'ada', scopes: 'run', used_at: null, revoked_at: null }
    await insert('tokens', { id: 'tok_old', hash: 'h1', created_at: 1, ...ada, revoked_at: 5 })
    await insert('tokens', { id: 'tok_ada', hash: 'h2', created_at: 6, ...ada })
    await insert('session_owners', { session_id: 'tok_run_session', owner: 'tok_ada', created_at: 7 })
    await insert('session_owners', { session_id: 'console_run_session', owner: 'tok_console', created_at: 7 })
    for (const run_id of ['tok_run', 'console_run', 'cli_run']) {
      const words = { content: '"tea"', tags: '[]', kind: 'turn', tool: null, mark: null, retold: 0, created_at: 8 }
      await insert('memories', { id: `mem_${run_id}`, session_id: `${run_id}_session`, run_id, ...words })
    }
    const routine = { schedule: '@every 1h', time_zone: 'UTC', task: '"tea"', paused: 1, next_due_at: 9 }
    const added = { tok_run: 8, user: 8, ada: 8, console: 8 }
    for (const [created_by, created_at] of Object.entries(added)) {
      await insert('routines', { name: `by_${created_by}`, created_by, created_at, ...routine })
    }
    await insert('routines', { name: 'by_first_ada', created_by: 'ada', created_at: 4, ...routine })
    await store.close()
  }

  test('H4: assigns data of server runs to the run’s owner, and the rest to the local user', async () => {
    const location = await locate()
    await leave(location)
    const db = await openDatabase(location)
    try {
      const idsOf = async (owner: string) =>
        (await memoryArchive(db).list(owner as Principal, { limit: 9 })).map(({ id }) => id).sort()
      expect(await idsOf('tok_ada')).toEqual(['mem_tok_run'])
      expect(await idsOf(LOCAL)).toEqual(['mem_cli_run', 'mem_console_run'])
      const owners = (await routineArchive(db).list(EVERYONE)).map(({ name, owner }) => [name, owner])
      expect(Object.fromEntries(owners)).toEqual({
        by_tok_run: 'tok_ada',
        by_user: 'local',
        by_ada: 'tok_ada',
        by_console: 'local',
        by_first_ada: 'tok_old',
      })
      expect(await sessionOwners(db).ownerOf('tok_run_session')).toBe('tok_ada')
      expect(await sessionOwners(db).ownerOf('console_run_session')).toBe('local')
      expect((await tokenArchive(db).findByHash('h2'))?.token.principal).toBe('tok_ada')
      const runs = await storeOn(db).listRuns({ whose: LOCAL })
      expect(runs.map(({ runId }) => runId).sort()).toEqual(['cli_run', 'console_run'])
    } finally {
      await db.close()
    }
  })
})
