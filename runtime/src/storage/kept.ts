/**
 * Memories, routines and tokens are rows that change. Each change puts the row's hash into the store-wide chain, in the
 * same transaction, so that a row that was edited, put in or taken out by hand is told from one that Writ wrote.
 */
import { randomUUID } from 'node:crypto'
import { type CompiledQuery, sql as raw } from 'kysely'
import { systemClock } from '../base/clock.ts'
import { sha256 } from '../base/hash.ts'
import { canonical } from '../base/json.ts'
import { type KeptKind, type KeptRow, keptKey } from '../journal/store.ts'
import { ask, type Database, type Steps } from './database.ts'
import { addSeal } from './seals.ts'

/** `loose`: what changes without anybody's deciding it, such as when a token was last used. */
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

/** After a change: seals the row as it is now, or its end when it is gone. */
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
  // Without the salt, the hash of a short text that was forgotten could be found again by trying.
  const salt = randomUUID()
  yield db.sql.insertInto('kept_salts').values({ key, salt }).compile()
  yield* addSeal(db, { ...at, lastHash: hashRow(row as Row, { kind, salt }) })
}

/** Everything there is, sealed once: for stores from before this was kept. */
export function* sealAllKept(db: Database): Steps<void> {
  for (const kind of KINDS) {
    const rows = yield* ask(all(db, kind))
    for (const row of rows) yield* sealKept(db, kind, String(row[TABLES[kind].id]))
  }
}

/** What is there now, as the chain would have it. */
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

/** Empty columns are left out: a migration that adds one leaves the hashes of older rows as they are. */
function hashRow(row: Row, { kind, salt }: { kind: KeptKind; salt: string }): string {
  const { loose } = TABLES[kind]
  const kept = Object.entries(row).filter(([name, value]) => value !== null && !loose.includes(name))
  return sha256(`${salt}${canonical(Object.fromEntries(kept))}`)
}
