import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { PoolClient, PoolConfig } from 'pg'
import { messageOf, WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { Database, Steps } from './database.ts'
import { postgresSignals } from './postgres-signals.ts'
import type { Tables } from './schema.ts'

const BIGINT_OID = 20
/** The longest that a timer can wait. */
const UNHURRIED = { query_timeout: 2 ** 31 - 1 }
/**
 * Of a network that swallows what is sent nobody is ever told: whoever waits must give up by himself. `query_timeout` in
 * the database's address comes first.
 */
export const POOL = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: 30_000,
} as const satisfies PoolConfig
/** Any number will do, so long as every Writ that shares the database uses the same. */
const LOCK_KEY = 5_719_213

/** A stricter setting of the server's, such as `remote_apply`, is left alone. */
const COMMIT_DURABLY =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
/**
 * A process that is frozen, or whose machine is gone, would else keep the locks of its transaction for ever; and the
 * server would go on with what nobody waits for any more.
 */
const LET_GO = "set idle_in_transaction_session_timeout = '5s'; set statement_timeout = '25s'"

/** Its own schema: names such as `events` are likely to be taken in a database that others use too. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}).withSchema('writ')

const isPrepared = CompiledQuery.raw("select 1 where to_regclass('writ.schema_version') is not null")
// `create schema if not exists` asks for the right to create one even when it is there.
const createSchema = CompiledQuery.raw(
  "do $$ begin if to_regnamespace('writ') is null then create schema writ; end if; end $$",
)
const lock = CompiledQuery.raw(`select pg_advisory_xact_lock(${LOCK_KEY})`)

const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const takeYourTime = CompiledQuery.raw('set local statement_timeout = 0')

export async function openPostgres(url: string): Promise<Database> {
  const address = parseAddress(url)
  const { default: pg } = await import('pg')
  const settings: PoolConfig & { onConnect(client: PoolClient): Promise<unknown> } = {
    ...POOL,
    connectionString: url,
    application_name: 'writ',
    types: {
      // Places and times stay far below 2^53; text would not compare as numbers do.
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
    },
    onConnect: (client) => client.query(`${COMMIT_DURABLY}; ${LET_GO}`),
  }
  const pool = new pg.Pool(settings)
  // Without a listener, a server restart while a connection is idle would end the process.
  pool.on('error', () => {})

  const failed = (error: unknown): never => {
    throw explain(error, address)
  }

  async function run<Row>(target: Queryable, { sql, parameters }: CompiledQuery<Row>, patience = {}): Promise<Row[]> {
    const { rows } = await target.query({ text: sql, values: [...parameters], ...patience }).catch(failed)
    return rows as Row[]
  }

  async function drive<T>(client: PoolClient, steps: Steps<T>, patience = {}): Promise<T> {
    let broken: Error | undefined
    // Without a listener, a connection that is lost between two statements would end the process.
    const onLost = (error: Error) => {
      broken = error
    }
    client.on('error', onLost)
    try {
      await run(client, begin)
      if (patience === UNHURRIED) await run(client, takeYourTime)
      let step = steps.next()
      while (!step.done) step = steps.next(await run(client, step.value, patience))
      await run(client, commit)
      return step.value
    } catch (error) {
      // On a connection that does not answer, nobody would answer to this either.
      if (error instanceof WritError && error.code === 'STORE_UNREACHABLE') broken = error
      else await client.query('rollback').catch(onLost)
      throw error
    } finally {
      client.off('error', onLost)
      client.release(broken)
    }
  }

  return {
    dialect: 'postgres',
    sql: compiler,
    isPrepared,
    prepare: [createSchema],
    excludeOthers: [lock],
    excludeOthersOf: (sessionId) => [
      CompiledQuery.raw('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_KEY, sessionId]),
    ],
    signals: postgresSignals(
      () => new pg.Client(settings),
      (channel, text) => pool.query('select pg_notify($1, $2)', [channel, text]),
    ),
    query: (query) => run(pool, query),
    queryHastily: (query) => run(pool, query),
    transact: async (steps) => drive(await pool.connect().catch(failed), steps),
    rebuild: async (steps) => drive(await pool.connect().catch(failed), steps, UNHURRIED),
    close: () => pool.end(),
  }
}

interface Queryable {
  query(query: { text: string; values: unknown[]; query_timeout?: number }): Promise<{ rows: unknown[] }>
}

/** Where the database is, and the secret that no message may repeat. */
export interface Address {
  shown: string
  secrets: readonly string[]
}

export function parseAddress(url: string): Address {
  // The parser's own error carries the whole URL, password included: it is not passed on.
  const parsed = URL.parse(url)
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new WritError('STORE_UNREACHABLE', 'the database address is not a postgres:// URL', {
      hint: 'Write it as postgres://user:password@host:5432/database.',
    })
  }
  const inQuery = parsed.searchParams.get('password') ?? ''
  const secrets = [parsed.password, decode(parsed.password), inQuery].filter((secret) => secret !== '')
  return { shown: `${parsed.host}${parsed.pathname}`, secrets }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Sorts PostgreSQL's and the network's failures by what a person can do about them. */
export function explain(error: unknown, { shown, secrets }: Address): unknown {
  if (error instanceof WritError) return error
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), messageOf(error) || 'no answer')
  // No cause: a driver's error may hold the connection's settings.
  const fail = (code: string, fact: string, hint: string) =>
    new WritError(code, `${fact}: ${shown} (${said})`, { hint })

  const state = isObject(error) && typeof error.code === 'string' ? error.code : ''
  if (/^23(502|505)$/.test(state)) {
    return fail('STORE_CONFLICT', 'a rule of the tables was broken', 'This is a defect in Writ; please report it.')
  }
  if (state === '25006' || state === '42501') {
    return fail('STORE_READONLY', 'the store cannot be written', 'Give the database user the right to write there.')
  }
  if (state === '53100') {
    return fail('STORE_FULL', "the database's disk is full", 'Free some space; nothing of the last step was stored.')
  }
  if (state === '57014') {
    return fail(
      'STORE_SLOW',
      'the database did not finish a statement in its time',
      'Another process may keep it locked or busy: try again, or ask for less at once.',
    )
  }
  if (/^(40001|40P01|55P03)$/.test(state)) {
    return fail('STORE_BUSY', 'another process kept the store locked', 'Try again when it has finished.')
  }
  if (/^XX00[12]$/.test(state)) {
    return fail('STORE_CORRUPT', 'the database says it is damaged', 'Restore it from a backup.')
  }
  if (/^[0-9A-Z]{5}$/.test(state) && !/^(08|28|3D|53|57P)/.test(state)) {
    return fail('STORE_FAILED', 'the store cannot be used', 'Run `writ doctor`.')
  }
  return fail(
    'STORE_UNREACHABLE',
    'the database cannot be reached',
    'Check that the server is running, and the host, port, user and password.',
  )
}
