/** Leases: which process works on what. They expire by the database's clock, because clocks of machines differ. */
import { type RawBuilder, sql } from 'kysely'
import { compiledOnce } from './compiled-once.ts'
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
  const { now, take, renew, release } = db.dialect === 'sqlite' ? IN_SQLITE : IN_POSTGRES
  return {
    async take(name, { holder, forMs, instead = holder }) {
      return (await db.queryHastily(take(db.sql, { name, holder, forMs, instead }))).length > 0
    },
    async renew(name, { holder, forMs }) {
      return (await db.queryHastily(renew(db.sql, { name, holder, forMs }))).length > 0
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
      await db.queryHastily(release(db.sql, { name, holder }))
    },
  }
}

const IN_SQLITE = statements(sql`cast(unixepoch('subsec') * 1000 as integer)`)
const IN_POSTGRES = statements(sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`)

/** Every run takes and releases a lease. */
function statements(now: RawBuilder<number>) {
  interface Claim {
    name: string
    holder: string
    forMs: number
  }
  return {
    now,
    take: compiledOnce<Claim & { instead: string }, { name: string }>((build, value) => {
      const [holder, until] = [value('holder'), sql<number>`${now} + ${value('forMs')}`]
      return build
        .insertInto('leases')
        .values({ name: value('name'), holder, held_until: until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, held_until: until })
            .where(({ or, eb }) =>
              or([eb('leases.held_until', '<=', now), eb('leases.holder', 'in', [holder, value('instead')])]),
            ),
        )
        .returning('name')
        .compile()
    }),
    renew: compiledOnce<Claim, { name: string }>((build, value) =>
      build
        .updateTable('leases')
        .set({ held_until: sql<number>`${now} + ${value('forMs')}` })
        .where('name', '=', value('name'))
        .where('holder', '=', value('holder'))
        .returning('name')
        .compile(),
    ),
    release: compiledOnce<Omit<Claim, 'forMs'>, unknown>((build, value) =>
      build.deleteFrom('leases').where('name', '=', value('name')).where('holder', '=', value('holder')).compile(),
    ),
  }
}
