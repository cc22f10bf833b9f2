/** Appends seals to the store-wide chain, in one order over all processes. */
import { GENESIS } from '../journal/journal.ts'
import { hashSeal, type Seal } from '../journal/store.ts'
import { ask, type Database, type Steps } from './database.ts'
import { insertSeal, readLastSeal } from './queries.ts'

/** Other transactions wait: two seals with the same predecessor would fork the chain. */
export function* addSeal(db: Database, sealed: Omit<Seal, 'n' | 'hash'>): Steps<void> {
  yield* db.excludeOthers
  const [previous] = yield* ask(readLastSeal(db.sql, {}))
  const fields = { n: (previous?.n ?? 0) + 1, ...sealed }
  yield insertSeal(db.sql, {
    n: fields.n,
    run_id: fields.runId,
    last_seq: fields.lastSeq,
    last_hash: fields.lastHash,
    sealed_at: fields.sealedAt,
    tombstone: fields.tombstone ?? null,
    hash: hashSeal(previous?.hash ?? GENESIS, fields),
  })
}
