/**
 * Memories, routines and tokens are mutable rows. Each change adds the hash of the row to the store-wide chain in the
 * same transaction, so that rows edited, inserted or deleted by hand are detected.
 */
import { randomUUID } from 'node:crypto'
import { type CompiledQuery, sql as raw } from 'kysely'
import { systemClock } from '../base/clock.ts'
import { sha256 } from '../base/hash.ts'
import { canonical } from '../base/json.ts'
import { type KeptKind, type KeptRow, keptKey } from '../journal/store.ts'
import { ask, type Database, type Steps } from './database.ts'
import { addSeal } from './seals.ts'

/** `loose`: columns that change without a decision, such as when a token was last used. */
const TABLES: Readonly<Record<KeptKind, { table: string; id: string; loose: readonly string[] }>> = {
  memory: { table: 'memories', id: 'id', loose: ['pos'] },
  routine: {
    table: 'routines',
    id: 'name',
    loose: ['last_run_at', 'last_run_id', 'last_stop', 'next_due_at', 'held_by', 'held_until'],
  },
  token: { table: 'tokens', id: 'id', loose: ['used_at'] },
}
const KINDS = Object.keys(TABLES) as KeptKind[]

type Row = Record<string, unknown>

/** After a change: seals the row, or its deletion. */
export function* sealKept(db: Database, kind: KeptKind, id: string): Steps<void> {
  const { table, id: column } = TABLES[kind]
  const key = keptKey(kind, id)
  const [row] = yield* ask(
    db.sql
      .selectFrom(raw<Row>`${raw.table(table)}`.as('kept'))
      .selectAll()
      .where(raw.ref(column), '=', id)
      .compile(),
  )
  yield db.sql.deleteFrom('kept_salts').where('key', '=', key).compile()
  const at = { runId: key, lastSeq: 0, sealedAt: systemClock.now() }
  if (row === undefined) {
    yield* addSeal(db, { ...at, lastHash: sha256(key), tombstone: 'forgotten' })
    return
  }
  // Without the salt, a short forgotten text could be found by guessing its hash.
  const salt = randomUUID()
  yield db.sql.insertInto('kept_salts').values({ key, salt }).compile()
  yield* addSeal(db, { ...at, lastHash: hashRow(row as Row, { kind, salt }) })
}

/** Seals all existing rows, for stores of older versions. */
export function* sealAllKept(db: Database): Steps<void> {
  for (const kind of KINDS) {
    const rows = yield* ask(all(db, kind))
    for (const row of rows) yield* sealKept(db, kind, String(row[TABLES[kind].id]))
  }
}

/** The current rows, as the chain must describe them. */
export async function readKept(db: Database): Promise<KeptRow[]> {
  const salts = new Map(
    (await db.query(db.sql.selectFrom('kept_salts').selectAll().compile())).map((one) => [one.key, one.salt]),
  )
  const found: KeptRow[] = []
  for (const kind of KINDS) {
    for (const row of await db.query(all(db, kind))) {
      const key = keptKey(kind, String(row[TABLES[kind].id]))
      found.push({ key, hash: hashRow(row, { kind, salt: salts.get(key) ?? '' }) })
    }
  }
  return found
}

function all(db: Database, kind: KeptKind): CompiledQuery<Row> {
  const { table, id } = TABLES[kind]
  return db.sql
    .selectFrom(raw<Row>`${raw.table(table)}`.as('kept'))
    .selectAll()
    .orderBy(raw.ref(id))
    .compile() as CompiledQuery<Row>
}

/** Empty columns are omitted, so that a new column does not change the hashes of older rows. */
function hashRow(row: Row, { kind, salt }: { kind: KeptKind; salt: string }): string {
  const { loose } = TABLES[kind]
  const kept = Object.entries(row).filter(([name, value]) => value !== null && !loose.includes(name))
  return sha256(`${salt}${canonical(Object.fromEntries(kept))}`)
}
