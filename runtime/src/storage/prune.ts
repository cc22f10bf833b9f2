/** Deletes runs, with a tombstone in the store-wide chain that tells them from lost ones. */
import type { CompiledQuery } from 'kysely'
import { CompiledQuery as Query, sql as raw } from 'kysely'
import type { Tombstone } from '../journal/store.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import { deleteRun, readLastEvent, sessionRecords } from './queries.ts'
import { addSeal } from './seals.ts'
import { keyOf, sharedStart } from './transcript-text.ts'

/** Runs deleted in one transaction: more would block writers. */
const AT_ONCE = 50

export interface Burial {
  at: number
  why: Tombstone
}

/** How many of the runs existed. */
export async function bury(db: Database, runIds: readonly string[], burial: Burial): Promise<number> {
  let buried = 0
  for (let i = 0; i < runIds.length; i += AT_ONCE) {
    buried += await db.transact(buryAll(db, runIds.slice(i, i + AT_ONCE), burial))
  }
  return buried
}

/**
 * Everything of a conversation: its runs, including open ones, its title, the memories made in it, and the workflow
 * history under its name.
 */
export async function eraseSession(db: Database, sessionId: string, at: number): Promise<{ runs: number }> {
  const raw = (statement: string) => db.query(Query.raw(statement))
  // Otherwise SQLite would leave the text in unused pages.
  if (db.dialect === 'sqlite') await raw('pragma secure_delete = on')
  const records = await db.query(sessionRecords(db.sql, sessionId))
  const runs = await bury(
    db,
    records.map(({ run_id }) => run_id),
    { at, why: 'erased' },
  )
  await db.transact(forget(db, sessionId))
  if (db.dialect === 'sqlite') {
    await raw("insert into memory_index (memory_index) values ('optimize')")
    await raw('pragma wal_checkpoint(truncate)')
  }
  return { runs }
}

function* buryAll(db: Database, runIds: readonly string[], { at, why }: Burial): Steps<number> {
  yield* db.excludeOthers
  let buried = 0
  for (const runId of runIds) {
    const [last] = yield* ask(readLastEvent(db.sql, runId))
    if (last === undefined) continue
    yield* addSeal(db, { runId, lastSeq: last.seq, lastHash: last.hash, sealedAt: at, tombstone: why })
    yield* deleteRun(db.sql, runId)
    buried++
  }
  return buried
}

function* forget(db: Database, sessionId: string): Steps<void> {
  const { sql } = db
  const memories = yield* ask(sql.selectFrom('memories').select('id').where('session_id', '=', sessionId).compile())
  const made = sql.selectFrom('memories').select('pos').where('session_id', '=', sessionId)
  const owned = raw<string>`cast(${keyOf(sharedStart(sessionId))} as text)`
  const statements: CompiledQuery[] = [
    sql.deleteFrom('memory_index').where('rowid', 'in', made).compile(),
    sql.deleteFrom('memories').where('session_id', '=', sessionId).compile(),
    // The owner stays: a message that arrives now still belongs to them.
    sql.updateTable('session_owners').set({ title: null }).where('session_id', '=', sessionId).compile(),
    sql.deleteFrom('transcripts').where('session', '=', keyOf(sessionId)).compile(),
    sql.deleteFrom('transcripts').where(raw<boolean>`substr(session, 1, length(${owned})) = ${owned}`).compile(),
  ]
  yield* statements
  for (const { id } of memories) yield* sealKept(db, 'memory', id)
}
