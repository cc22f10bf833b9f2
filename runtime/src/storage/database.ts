/** What the one query code needs of a database. Kysely only writes the SQL; each database runs it its own way. */
import type { CompiledQuery, Kysely } from 'kysely'
import type { Signals } from './announcer.ts'
import type { Tables } from './schema.ts'

/**
 * Work inside a transaction: yields queries, is given their rows. SQLite drives it without a pause: a transaction
 * held across an await would make a second store in the same thread wait for a lock that can never be released.
 */
export type Steps<T> = Generator<CompiledQuery, T, unknown[]>

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly sql: Kysely<Tables>
  /** Gives a row when the store's tables are there. */
  readonly isPrepared: CompiledQuery
  /** What must be there before the first table. */
  readonly prepare: readonly CompiledQuery[]
  /** Holds other transactions that ask the same until this one ends. */
  readonly excludeOthers: readonly CompiledQuery[]
  /**
   * Holds other transactions that name the same session. Places are numbered before their transaction is seen, and
   * without this a later number of the session could be seen first. Empty where there is only one writer anyway.
   */
  excludeOthersOf(sessionId: string): readonly CompiledQuery[]
  /** Absent where no other machine can share it. */
  readonly signals?: Signals
  /** One query, atomic by itself. A broken unique or not-null rule is a WritError with STORE_CONFLICT. */
  query<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  /** As `query`, for what need not survive a power cut: nobody waits for the disk where that can be had. */
  queryHastily<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  /** All or nothing. */
  transact<T>(steps: Steps<T>): Promise<T>
  /** As `transact`, for what changes the tables themselves: nobody gives up on it because it takes long. */
  rebuild<T>(steps: Steps<T>): Promise<T>
  close(): Promise<void>
}

export function* ask<Row>(query: CompiledQuery<Row>): Steps<Row[]> {
  return (yield query) as Row[]
}
