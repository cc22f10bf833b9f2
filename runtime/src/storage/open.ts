import type { Store } from '../journal/store.ts'
import { append } from './append.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { listRuns, readRun, readSeals, readSession } from './queries.ts'
import { toEvent, toRun, toSeal } from './rows.ts'

export type StoreLocation = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string } | { kind: 'memory' }

export async function openStore(location: StoreLocation): Promise<Store> {
  return storeOn(await openDatabase(location))
}

/** For those who keep more in it than the journal; closing the store closes it. */
export async function openDatabase(location: StoreLocation): Promise<Database> {
  const db = await connect(location)
  try {
    await migrate(db)
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}

export function storeOn(db: Database): Store {
  let closed: Promise<void> | undefined
  return {
    append: (events) => append(db, events),
    readRun: async (runId, afterSeq = 0) => (await db.query(readRun(db.sql, runId, afterSeq))).map(toEvent),
    readSession: async (sessionId) => (await db.query(readSession(db.sql, sessionId))).map(toEvent),
    listRuns: async (filter = {}) => (await db.query(listRuns(db.sql, filter))).map(toRun),
    readSeals: async () => (await db.query(readSeals(db.sql))).map(toSeal),
    close: () => (closed ??= db.close()),
  }
}

/** Each database's driver is loaded only where it is used. */
async function connect(location: StoreLocation): Promise<Database> {
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location.url)
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(location.kind === 'sqlite' ? location.file : undefined)
}
