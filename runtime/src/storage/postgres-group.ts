/** The statements of a group of appends in PostgreSQL: a statement per run would cost as many round trips as before. */
import { CompiledQuery } from 'kysely'
import type { GroupStatements } from './database.ts'
import type { EventRow } from './rows.ts'

const COLUMNS = [
  ['run_id', 'text'],
  ['seq', 'bigint'],
  ['type', 'text'],
  ['session_id', 'text'],
  ['turn_id', 'text'],
  ['scout_id', 'text'],
  ['timestamp', 'bigint'],
  ['mode', 'text'],
  ['reason', 'text'],
  ['data', 'text'],
  ['hash', 'text'],
] as const satisfies readonly [keyof EventRow, string][]

const NAMES = COLUMNS.map(([name]) => `"${name}"`)
const ARRAYS = COLUMNS.map(([, type], at) => `$${at + 1}::${type}[]`)
const LAST = '(select max(stored.seq) from writ.events stored where stored.run_id = given.run_id)'

/** As in `insertEvents`: a number that does not follow the last one becomes null, which the table rejects. */
const INSERT = `insert into writ.events (${NAMES.join(', ')})
select ${NAMES.map((name) =>
  name === '"seq"' ? `case given.seq when coalesce(${LAST}, 0) + given.nth then given.seq end` : `given.${name}`,
).join(', ')}
from unnest(${ARRAYS.join(', ')}, $${COLUMNS.length + 1}::bigint[])
  with ordinality as given(${NAMES.join(', ')}, nth, place)
order by given.place`

export function postgresGroup(lockKey: number): GroupStatements {
  return {
    takeFree: (sessionIds) =>
      CompiledQuery.raw(
        `select session_id from unnest($2::text[]) session_id where pg_try_advisory_xact_lock($1, hashtext(session_id))`,
        [lockKey, sessionIds],
      ) as CompiledQuery<{ session_id: string }>,
    insert(rows) {
      const counts = new Map<string, number>()
      const nth = rows.map(({ run_id }) => {
        const n = (counts.get(run_id) ?? 0) + 1
        counts.set(run_id, n)
        return n
      })
      return CompiledQuery.raw(INSERT, [...COLUMNS.map(([name]) => rows.map((row) => row[name])), nth])
    },
  }
}
