/** Leases: which process works on what. They expire by the database's clock, because clocks of machines differ. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

export interface Leases {
  /** True when the holder has it now: it was free, had expired, was already held by this holder, or by `instead`. */
  take(name: string, claim: { holder: string; forMs: number; instead?: string }): Promise<boolean>
  /** True while the holder still has it, expired or not; false for good once another holder had it. */
  renew(name: string, claim: { holder: string; forMs: number }): Promise<boolean>
  /** The current holder. */
  holderOf(name: string): Promise<string | undefined>
  /** When it ends or ended; undefined when it was released. */
  heldUntil(name: string): Promise<number | undefined>
  /** All leases; expired ones stay until they are taken. */
  list(): Promise<{ name: string; holder: string; over: boolean }[]>
  release(name: string, holder: string): Promise<void>
}

export function leasesOn(db: Database): Leases {
  const now: RawBuilder<number> =
    db.dialect === 'sqlite'
      ? sql`cast(unixepoch('subsec') * 1000 as integer)`
      : sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return {
    async take(name, { holder, forMs, instead = holder }) {
      const until = sql<number>`${now} + ${sql.lit(forMs)}`
      const rows = await db.queryHastily(
        db.sql
          .insertInto('leases')
          .values({ name, holder, held_until: until })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({ holder, held_until: until })
              .where(({ or, eb }) =>
                or([eb('leases.held_until', '<=', now), eb('leases.holder', 'in', [holder, instead])]),
              ),
          )
          .returning('name')
          .compile(),
      )
      return rows.length > 0
    },
    async renew(name, { holder, forMs }) {
      const query = db.sql
        .updateTable('leases')
        .set({ held_until: sql<number>`${now} + ${sql.lit(forMs)}` })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .returning('name')
      return (await db.queryHastily(query.compile())).length > 0
    },
    async holderOf(name) {
      const query = db.sql.selectFrom('leases').select('holder').where('name', '=', name).where('held_until', '>', now)
      const [row] = await db.queryHastily(query.compile())
      return row?.holder
    },
    async heldUntil(name) {
      const query = db.sql.selectFrom('leases').select('held_until').where('name', '=', name)
      const [row] = await db.queryHastily(query.compile())
      return row === undefined ? undefined : Number(row.held_until)
    },
    async list() {
      const over = sql<number>`case when held_until <= ${now} then 1 else 0 end`.as('over')
      const rows = await db.queryHastily(
        db.sql.selectFrom('leases').select(['name', 'holder', over]).orderBy('name').compile(),
      )
      return rows.map((row) => ({ ...row, over: row.over === 1 }))
    },
    async release(name, holder) {
      await db.queryHastily(db.sql.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).compile())
    },
  }
}
