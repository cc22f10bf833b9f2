import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Database, Steps } from './database.ts'
import { makeFolder } from './place.ts'
import type { Tables } from './schema.ts'

const IN_MEMORY = ':memory:'
const BUSY_TIMEOUT_MS = 5000

/** One compiler for all files: the SQL is the same. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const isPrepared = CompiledQuery.raw("select 1 from sqlite_master where name = 'schema_version'")

export function openSqlite(file: string = IN_MEMORY): Database {
  return databaseOn(connect(file), file)
}

function databaseOn(connection: DatabaseSync, file: string): Database {
  const run = runnerOf(connection)

  // Hasty writes reach the disk with the next synchronous commit. Not `off`: if this commit checkpoints the log, it
  // must wait for the disk, or a power cut could lose durable commits.
  function runHastily<Row>(query: CompiledQuery<Row>): Row[] {
    connection.exec('pragma synchronous = normal')
    try {
      return run(query)
    } finally {
      connection.exec('pragma synchronous = full')
    }
  }

  function drive<T>(steps: Steps<T>): T {
    // A deferred transaction that reads before it writes fails with SQLITE_BUSY instead of waiting.
    run(BEGIN)
    try {
      let step = steps.next()
      while (!step.done) step = steps.next(run(step.value))
      run(COMMIT)
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
    // An immediate transaction is the only writer of the file.
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
      // Pages that change in every commit are copied to the file once per checkpoint. The log has up to 16 MB.
      connection.exec('pragma wal_autocheckpoint = 4000')
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  })
}

/** SQLite would create the file readable by everyone; its log files inherit the mode set here. */
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

/** Maps errors of SQLite and the file system to errors a person can act on. */
export function explain(error: unknown, file: string): unknown {
  if (error instanceof WritError || !isObject(error)) return error
  const { code, errcode } = error
  const ofSqlite = code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number'
  const key = ofSqlite ? keyOfSqlite(errcode) : keyOfSystem(error)
  return key === undefined ? error : new WritError(key, { where: file, why: messageOf(error) }, { cause: error })
}

function keyOfSystem({ code, syscall }: Record<string, unknown>) {
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'STORE_READONLY'
  if (code === 'ENOSPC') return 'STORE_FULL'
  return syscall === undefined ? undefined : 'STORE_UNREACHABLE'
}

function keyOfSqlite(errcode: number) {
  switch (errcode & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'STORE_BUSY'
    case 8: // SQLITE_READONLY
      return 'STORE_READONLY'
    case 10: // SQLITE_IOERR
      return 'STORE_FAILED.disk'
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'STORE_CORRUPT'
    case 13: // SQLITE_FULL
      return 'STORE_FULL'
    case 14: // SQLITE_CANTOPEN
      return 'STORE_UNREACHABLE'
    case 19: // SQLITE_CONSTRAINT
      return 'STORE_CONFLICT'
    default:
      return 'STORE_FAILED'
  }
}
