/** The spending of principals, in the database of the journal. */
import { sql } from 'kysely'
import type { Spending, SpendingEntry } from '../ports/spending.ts'
import type { Spent } from '../protocol/budget.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'

export function spendingOn(db: Database): Spending {
  return {
    reserve: (entry, admits) => db.transact(reserve(db, entry, admits)),
    correct: async (entry) => {
      await db.query(add(db, entry))
    },
    uncounted: (owner, since) => uncounted(db, owner, since),
    count: (entries) => db.transact(count(db, entries)),
  }
}

function* reserve(
  db: Database,
  entry: SpendingEntry,
  admits: (spent: Spent) => boolean,
): Steps<{ spent: Spent; admitted: boolean }> {
  yield* db.excludeOthersOf(`spending ${entry.owner}`)
  const [row] = yield* ask(readSpent(db, entry))
  const spent = { run: row?.run ?? 0, principal: row?.principal ?? 0, day: row?.today ?? 0 }
  const admitted = admits(spent)
  if (admitted) yield add(db, entry)
  return { spent, admitted }
}

function* count(db: Database, entries: readonly SpendingEntry[]): Steps<void> {
  const [first] = entries
  if (first === undefined) return
  yield* db.excludeOthersOf(`spending ${first.owner}`)
  const ids = [...new Set(entries.map(({ runId }) => runId))]
  const known = yield* ask(
    db.sql.selectFrom('spending').select('run_id').distinct().where('run_id', 'in', ids).compile(),
  )
  const rows = entries.filter(({ runId }) => !known.some((row) => row.run_id === runId)).map(rowOf)
  if (rows.length > 0) yield db.sql.insertInto('spending').values(rows).compile()
}

function readSpent({ sql: build }: Database, { owner, rootRunId, day }: SpendingEntry) {
  return build
    .selectFrom('spending')
    .where('owner', '=', owner)
    .select([
      sql<number>`coalesce(sum(usd), 0)`.as('principal'),
      sql<number>`coalesce(sum(case when root_run_id = ${rootRunId} then usd end), 0)`.as('run'),
      sql<number>`coalesce(sum(case when day = ${day} then usd end), 0)`.as('today'),
    ])
    .compile()
}

function add({ sql: build }: Database, entry: SpendingEntry) {
  return build
    .insertInto('spending')
    .values(rowOf(entry))
    .onConflict((on) => on.columns(['run_id', 'day']).doUpdateSet({ usd: sql<number>`spending.usd + ${entry.usd}` }))
    .compile()
}

function rowOf({ owner, runId, rootRunId, day, usd }: SpendingEntry) {
  return { owner, run_id: runId, root_run_id: rootRunId, day, usd }
}

async function uncounted(db: Database, owner: Principal, since: number): Promise<string[]> {
  const whose = sql`(select owner from session_owners where session_owners.session_id = runs.session_id)`
  const query = db.sql
    .selectFrom('runs')
    .select('run_id')
    .where('stopped_at', '>=', since)
    .where(sql<boolean>`coalesce(${whose}, ${LOCAL}) = ${owner}`)
    .where(sql<boolean>`not exists (select 1 from spending where spending.run_id = runs.run_id)`)
  return (await db.query(query.compile())).map((row) => row.run_id)
}
