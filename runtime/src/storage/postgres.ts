import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { PoolClient, PoolConfig } from 'pg'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { percentDecoded } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Database, Steps } from './database.ts'
import { postgresGroup } from './postgres-group.ts'
import { postgresSignals } from './postgres-signals.ts'
import type { Tables } from './schema.ts'

const BIGINT_OID = 20
/** The maximum of a timer. */
const UNHURRIED = { query_timeout: 2 ** 31 - 1 }
/**
 * A network that drops packets gives no error, so statements need a timeout. `query_timeout` in the database address
 * takes precedence.
 */
export const POOL = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: 30_000,
} as const satisfies PoolConfig
/** Arbitrary, but the same for every Writ that shares the database. */
const LOCK_KEY = 5_719_213

/** A stricter setting of the server, such as `remote_apply`, is kept. */
const COMMIT_DURABLY =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
/** Otherwise a frozen or lost process would keep its locks forever, and the server would continue abandoned work. */
const LET_GO = "set idle_in_transaction_session_timeout = '5s'; set statement_timeout = '25s'"

/** A separate schema: names such as `events` may be in use in a shared database. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}).withSchema('writ')

const isPrepared = CompiledQuery.raw("select 1 where to_regclass('writ.schema_version') is not null")
// `create schema if not exists` requires the right to create one even when it exists.
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
      // Positions and times stay far below 2^53; as text they would not compare as numbers.
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
    },
    onConnect: (client) => client.query(`${COMMIT_DURABLY}; ${LET_GO}`),
  }
  const pool = new pg.Pool(settings)
  // Without a listener, a server restart while a connection is idle would crash the process.
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
    // Without a listener, a connection lost between two statements would crash the process.
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
      // A connection that does not answer would not answer this either.
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
    group: postgresGroup(LOCK_KEY),
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

/** The address of the database, and the secrets that must not appear in messages. */
export interface Address {
  shown: string
  secrets: readonly string[]
}

export function parseAddress(url: string): Address {
  // The parser's error contains the whole URL with the password, so it is not passed on.
  const parsed = URL.parse(url)
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new WritError('STORE_UNREACHABLE.address')
  }
  const inQuery = parsed.searchParams.get('password') ?? ''
  const secrets = [parsed.password, percentDecoded(parsed.password), inQuery].filter((secret) => secret !== '')
  return { shown: `${parsed.host}${parsed.pathname}`, secrets }
}

/** Maps errors of PostgreSQL and the network to errors a person can act on. */
export function explain(error: unknown, { shown, secrets }: Address): unknown {
  if (error instanceof WritError) return error
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), messageOf(error) || 'no answer')
  const state = isObject(error) && typeof error.code === 'string' ? error.code : ''
  // No cause: a driver's error may contain the connection settings.
  return new WritError(keyOfState(state), { where: shown, why: message })
}

function keyOfState(state: string) {
  if (/^23(502|505)$/.test(state)) return 'STORE_CONFLICT'
  if (state === '25006' || state === '42501') return 'STORE_READONLY.database'
  if (state === '53100') return 'STORE_FULL'
  if (state === '57014') return 'STORE_SLOW'
  if (/^(40001|40P01|55P03)$/.test(state)) return 'STORE_BUSY'
  if (/^XX00[12]$/.test(state)) return 'STORE_CORRUPT'
  return /^[0-9A-Z]{5}$/.test(state) && !/^(08|28|3D|53|57P)/.test(state)
    ? 'STORE_FAILED'
    : 'STORE_UNREACHABLE.database'
}
