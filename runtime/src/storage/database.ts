/** The interface to a database. Kysely only compiles the SQL; each database executes it in its own way. */
import type { CompiledQuery, Kysely } from 'kysely'
import type { Signals } from './announcer.ts'
import type { EventRow } from './rows.ts'
import type { Tables } from './schema.ts'

/**
 * Work inside a transaction: yields queries and receives their rows. SQLite runs it synchronously: a transaction held
 * across an await would make a second store in the same thread wait forever for its lock.
 */
export type Steps<T> = Generator<CompiledQuery, T, unknown[]>

export interface GroupStatements {
  /** Takes the locks of `excludeOthersOf` that are free, without waiting; returns their sessions. */
  takeFree(sessionIds: readonly string[]): CompiledQuery<{ session_id: string }>
  /** Rows of several runs, those of each run in order. Checked like single appends. */
  insert(rows: readonly EventRow[]): CompiledQuery
}

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly sql: Kysely<Tables>
  /** Returns a row when the tables of the store exist. */
  readonly isPrepared: CompiledQuery
  /** Statements to run before the first table is created. */
  readonly prepare: readonly CompiledQuery[]
  /** Other transactions that request the same lock wait until this one ends. */
  readonly excludeOthers: readonly CompiledQuery[]
  /**
   * Other transactions of the same session wait. Positions are assigned before the transaction is visible, and without
   * this a later position could become visible first. Empty where there is only one writer.
   */
  excludeOthersOf(sessionId: string): readonly CompiledQuery[]
  /** For appends of several runs at once. Absent where statements need no round trip. */
  readonly group?: GroupStatements
  /** Absent when it cannot be shared between machines. */
  readonly signals?: Signals
  /** One atomic query. A violated unique or not-null constraint is a WritError with STORE_CONFLICT. */
  query<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  /** Like `query`, for data that may be lost in a power cut: does not wait for the disk where possible. */
  queryHastily<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  /** Atomic. */
  transact<T>(steps: Steps<T>): Promise<T>
  /** Like `transact`, for schema changes: without a time limit. */
  rebuild<T>(steps: Steps<T>): Promise<T>
  close(): Promise<void>
}

export function* ask<Row>(query: CompiledQuery<Row>): Steps<Row[]> {
  return (yield query) as Row[]
}
