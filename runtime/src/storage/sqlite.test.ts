import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { listRuns } from './list-queries.ts'
import { migrate } from './migrate.ts'
import { advance } from './migrations/all.ts'
import { countsOf, schemaOf } from './new-store.ts'
import { openStore } from './open.ts'
import { readVersions } from './schema-version.ts'
import { explain, openSqlite } from './sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-sqlite-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a new store is readable only by its owner', async () => {
  const file = join(folder, 'deep', 'data', 'writ.db')
  const store = await openStore({ kind: 'sqlite', file })
  expect([join(folder, 'deep'), join(folder, 'deep', 'data')].map(modeOf)).toEqual(['700', '700'])
  expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600'])
  await store.close()
})

test('a commit is on disk before it is acknowledged', async () => {
  const db = openSqlite(join(folder, 'writ.db'))
  const setting = async (name: string) => Object.values((await db.query(CompiledQuery.raw(`pragma ${name}`)))[0] ?? {})
  expect(await setting('journal_mode')).toEqual(['wal'])
  expect(await setting('synchronous')).toEqual([2])
  expect(await setting('busy_timeout')).toEqual([5000])
  expect(await setting('foreign_keys')).toEqual([1])
  await db.close()
})

test('a hasty write does not wait for the disk, but never truncates the log without it', async () => {
  const db = openSqlite(join(folder, 'writ.db'))
  const setting = CompiledQuery.raw('pragma synchronous')
  expect(await db.queryHastily(setting)).toEqual([{ synchronous: 1 }])
  expect(await db.query(setting)).toEqual([{ synchronous: 2 }])
  await expect(db.queryHastily(CompiledQuery.raw('select from'))).rejects.toThrow()
  expect(await db.query(setting)).toEqual([{ synchronous: 2 }])
  await db.close()
})

test('a file that is not a database is left unchanged', async () => {
  const file = join(folder, 'writ.db')
  writeFileSync(file, 'Dear diary, this is not a database. '.repeat(50))
  await expect(openStore({ kind: 'sqlite', file })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining(file),
    hint: expect.stringContaining('backup'),
  })
  expect(statSync(file).size).toBe(1800)
})

test('a folder in place of the file is named', async () => {
  await expect(openStore({ kind: 'sqlite', file: folder })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
})

test('a transaction that fails in the middle stores nothing and blocks no other', async () => {
  const db = openSqlite(join(folder, 'writ.db'))
  await db.query(CompiledQuery.raw('create table t (a integer)'))
  const failing = db.transact(
    (function* () {
      yield CompiledQuery.raw('insert into t values (1)')
      throw new TypeError('a defect')
    })(),
  )
  await expect(failing).rejects.toThrow(TypeError)
  expect(await db.query(CompiledQuery.raw('select * from t'))).toEqual([])
  const other = openSqlite(join(folder, 'writ.db'))
  await other.query(CompiledQuery.raw('insert into t values (2)'))
  await Promise.all([db.close(), other.close()])
})

describe('errors of SQLite become errors a person can act on', () => {
  function failureOf(work: (file: DatabaseSync) => void): unknown {
    const connection = new DatabaseSync(join(folder, 'plain.db'))
    try {
      connection.exec('create table t (a text unique)')
      work(connection)
    } catch (error) {
      return explain(error, 'writ.db')
    } finally {
      connection.close()
    }
    return undefined
  }

  test('a full disk', () => {
    const failure = failureOf((db) => {
      db.exec('pragma max_page_count = 5')
      db.prepare('insert into t values (?)').run('x'.repeat(100_000))
    })
    expect(failure).toMatchObject({ code: 'STORE_FULL', hint: expect.stringContaining('Free some space') })
  })

  test('a read-only store', () => {
    const failure = failureOf((db) => db.exec("pragma query_only = on; insert into t values ('x')"))
    expect(failure).toMatchObject({ code: 'STORE_READONLY' })
  })

  test('a store locked by another process', () => {
    const failure = failureOf((db) => {
      const other = new DatabaseSync(join(folder, 'plain.db'))
      other.exec('begin immediate')
      try {
        db.exec('begin immediate')
      } finally {
        other.close()
      }
    })
    expect(failure).toMatchObject({ code: 'STORE_BUSY' })
  })

  test('a place that is in use', () => {
    expect(failureOf((db) => db.exec("insert into t values ('x'), ('x')"))).toMatchObject({ code: 'STORE_CONFLICT' })
  })

  test('a folder that cannot be written', () => {
    const refusal = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'mkdir' })
    expect(explain(refusal, 'writ.db')).toMatchObject({ code: 'STORE_READONLY' })
  })

  test('an internal defect is not converted', () => {
    const defect = new TypeError('x is not a function')
    expect(explain(defect, 'writ.db')).toBe(defect)
  })
})

test('a new store is the same as one that went through every migration', async () => {
  const [created, migrated] = [openSqlite(join(folder, 'created.db')), openSqlite(join(folder, 'migrated.db'))]
  expect(await migrate(created)).toBe(true)
  await migrated.rebuild(advance(migrated))
  expect(await migrate(migrated)).toBe(false)
  const contentOf = async (db: Database) => [await schemaOf(db), await db.query(readVersions(db)), await countsOf(db)]
  expect(await contentOf(created)).toEqual(await contentOf(migrated))
  await created.close()
  await migrated.close()
})

test('an empty file that already has a table goes through the migrations', async () => {
  const db = openSqlite(join(folder, 'other.db'))
  await db.query(CompiledQuery.raw('create table guests (name text)'))
  expect(await migrate(db)).toBe(false)
  expect(await schemaOf(db)).toContainEqual(expect.stringContaining('guests'))
  expect(await schemaOf(db)).toContainEqual(expect.stringContaining('"events"'))
  await db.close()
})

test('the runs that a run has started are found without reading all runs', async () => {
  const db = openSqlite(join(folder, 'writ.db'))
  await migrate(db)
  const { sql, parameters } = listRuns(db.sql, { parentRunId: ['run_1', 'run_2'] })
  const plan = await db.query<{ detail: string }>({
    ...CompiledQuery.raw(`explain query plan ${sql}`),
    parameters,
  } as never)
  expect(plan.map(({ detail }) => detail).join('\n')).toContain('runs_parent')
  await db.close()
})
