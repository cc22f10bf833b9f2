import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { messageOf, WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { Database, Steps } from './database.ts'
import { makeFolder } from './place.ts'
import type { Tables } from './schema.ts'

const IN_MEMORY = ':memory:'
const BUSY_TIMEOUT_MS = 5000

/** The SQL is the same for every file, so one compiler serves them all. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const isPrepared = CompiledQuery.raw("select 1 from sqlite_master where name = 'schema_version'")

export function openSqlite(file: string = IN_MEMORY): Database {
  return databaseOn(connect(file), file)
}

function databaseOn(connection: DatabaseSync, file: string): Database {
  const run = runnerOf(connection)

  // What was written in haste is on disk with the next commit that waits for it. Not `off`: should this commit be the
  // one that clears the log away, it must wait for the disk, or what others were promised is gone after a power cut.
  function runHastily<Row>(query: CompiledQuery<Row>): Row[] {
    connection.exec('pragma synchronous = normal')
    try {
      return run(query)
    } finally {
      connection.exec('pragma synchronous = full')
    }
  }

  function drive<T>(steps: Steps<T>): T {
    // A deferred transaction that reads before it writes fails with SQLITE_BUSY and cannot wait its turn.
    connection.exec('begin immediate')
    try {
      let step = steps.next()
      while (!step.done) step = steps.next(run(step.value))
      connection.exec('commit')
      return step.value
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback')
      throw error
    }
  }

  return {
    dialect: 'sqlite',
    sql: compiler,
    isPrepared,
    prepare: [],
    // An immediate transaction is already the only writer of the file.
    excludeOthers: [],
    excludeOthersOf: () => [],
    query: async (query) => explained(file, () => run(query)),
    queryHastily: async (query) => explained(file, () => runHastily(query)),
    transact: async (steps) => explained(file, () => drive(steps)),
    rebuild: async (steps) => explained(file, () => drive(steps)),
    async close() {
      connection.close()
    },
  }
}

type Runner = <Row>(query: CompiledQuery<Row>) => Row[]

function runnerOf(connection: DatabaseSync): Runner {
  const statements = new Map<string, StatementSync>()
  return <Row>({ sql, parameters }: CompiledQuery<Row>) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = connection.prepare(sql)
      statements.set(sql, statement)
    }
    return statement.all(...(parameters as SQLInputValue[])) as Row[]
  }
}

function connect(file: string): DatabaseSync {
  return explained(file, () => {
    if (file !== IN_MEMORY) createPrivately(file)
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      connection.exec(
        'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma trusted_schema = off',
      )
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  })
}

/** SQLite itself would create the file readable by everyone; its log files take over the mode set here. */
function createPrivately(file: string): void {
  makeFolder(dirname(file))
  closeSync(openSync(file, 'a', 0o600))
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explain(error, file)
  }
}

/** Sorts SQLite's and the file system's failures by what a person can do about them. */
export function explain(error: unknown, file: string): unknown {
  if (error instanceof WritError || !isObject(error)) return error
  const fail = (code: string, fact: string, hint: string) =>
    new WritError(code, `${fact}: ${file} (${messageOf(error)})`, { hint, cause: error })

  const { code, errcode } = error
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return readOnly()
  if (code === 'ENOSPC') return full()
  if ('syscall' in error) return unreachable()
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return error
  switch (errcode & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return fail('STORE_BUSY', 'another process kept the store locked', 'Try again when it has finished.')
    case 8: // SQLITE_READONLY
      return readOnly()
    case 10: // SQLITE_IOERR
      return fail('STORE_FAILED', 'the disk refused', 'Check its space, its quota and its health.')
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return fail(
        'STORE_CORRUPT',
        'the store is damaged or not a Writ store',
        'Restore it from a backup, or use another data folder; never edit the file by hand.',
      )
    case 13: // SQLITE_FULL
      return full()
    case 14: // SQLITE_CANTOPEN
      return unreachable()
    case 19: // SQLITE_CONSTRAINT
      return fail('STORE_CONFLICT', 'a rule of the tables was broken', 'This is a defect in Writ; please report it.')
    default:
      return fail('STORE_FAILED', 'the store cannot be used', 'Run `writ doctor`.')
  }

  function readOnly(): WritError {
    return fail(
      'STORE_READONLY',
      'the store cannot be written',
      'Give this user write access, or set another data folder.',
    )
  }
  function unreachable(): WritError {
    return fail('STORE_UNREACHABLE', 'the store cannot be opened', 'Check the path and its permissions.')
  }
  function full(): WritError {
    return fail('STORE_FULL', 'the disk is full', 'Free some space; nothing of the last step was stored.')
  }
}
