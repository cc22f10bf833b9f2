/** The queries of the memory. Only the search itself is each database's own. */
import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { Database } from './database.ts'
import type { MemoryFilter } from './memory-port.ts'
import type { MemoryTable, Tables } from './schema.ts'

type Builder = Kysely<Tables>
export type MemoryRow = Selectable<MemoryTable>
type OwnedFilter = MemoryFilter & { owner: Whose }

/** No row when there is one of this name already. */
export function insertMemory(build: Builder, row: Insertable<MemoryTable>): CompiledQuery<{ pos: number }> {
  return build
    .insertInto('memories')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('pos')
    .compile()
}

export function insertWords({ dialect, sql: build }: Database, rowid: number, words: readonly string[]): CompiledQuery {
  // As they are: PostgreSQL's own parser would cut and drop words that the question will then be asked with.
  const given = dialect === 'sqlite' ? words.join(' ') : sql<string>`array_to_tsvector(${words}::text[])`
  return build.insertInto('memory_index').values({ rowid, words: given }).compile()
}

export function deleteMemory(build: Builder, owner: Principal, id: string): CompiledQuery<{ pos: number }> {
  return build.deleteFrom('memories').where('id', '=', id).where('owner', '=', owner).returning('pos').compile()
}

export function deleteWords(build: Builder, rowid: number): CompiledQuery {
  return build.deleteFrom('memory_index').where('rowid', '=', rowid).compile()
}

export function findMemory(build: Builder, owner: Whose, id: string): CompiledQuery<MemoryRow> {
  return build.selectFrom('memories').selectAll().where('id', '=', id).where(ownedBy(owner)).compile()
}

function ownedBy(owner: Whose) {
  return owner === EVERYONE ? sql<boolean>`1 = 1` : sql<boolean>`owner = ${owner}`
}

export function listMemories(build: Builder, { owner, limit, sessionId }: OwnedFilter): CompiledQuery<MemoryRow> {
  let query = build.selectFrom('memories').selectAll().where(ownedBy(owner))
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId)
  return query.orderBy('created_at', 'desc').orderBy('pos', 'desc').limit(limit).compile()
}

/** Entries that share a word with `words`: the rarer the words and the shorter the entry, the earlier. */
export function searchMemories(db: Database, words: readonly string[], filter: OwnedFilter): CompiledQuery<MemoryRow> {
  return db.dialect === 'sqlite' ? searchFts(db.sql, words, filter) : searchVectors(db.sql, words, filter)
}

function searchFts(build: Builder, words: readonly string[], filter: OwnedFilter): CompiledQuery<MemoryRow> {
  const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ')
  let query = build
    .selectFrom('memory_index')
    .innerJoin('memories', 'memories.pos', 'memory_index.rowid')
    .selectAll('memories')
    .where(sql<boolean>`memory_index match ${match}`)
    .where(ownedBy(filter.owner))
  if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId)
  return query
    .orderBy(sql`bm25(memory_index)`)
    .orderBy('created_at', 'desc')
    .orderBy('pos', 'desc')
    .limit(filter.limit)
    .compile()
}

/** PostgreSQL's own rank counts "the" for as much as a name; here a word weighs by how few entries have it. */
function searchVectors(build: Builder, words: readonly string[], filter: OwnedFilter): CompiledQuery<MemoryRow> {
  const terms = words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}'`)
  const asked = sql<{ word: string }>`unnest(${terms}::tsquery[])`.as<'asked'>(sql`asked(word)`)
  const size = build.selectFrom('memory_index').select(({ fn }) => fn.countAll<number>().as('total'))
  const found = build.selectFrom('memory_index').where(sql<boolean>`words @@ word`)
  let query = build
    // Materialised, or the counting would be done again for every entry.
    .with(
      (cte) => cte('terms').materialized(),
      (make) =>
        make
          .selectFrom([asked, size.as('size')])
          .innerJoinLateral(found.select(({ fn }) => fn.countAll<number>().as('hits')).as('found'), (on) => on.onTrue())
          .select(['word', sql<number>`ln(1 + (total - hits + 0.5) / (hits + 0.5))`.as('weight')]),
    )
    .selectFrom('memory_index')
    .innerJoin('memories', 'memories.pos', 'memory_index.rowid')
    .innerJoinLateral(
      (make) =>
        make
          .selectFrom('terms')
          .where(sql<boolean>`words @@ word`)
          .select(sql<number>`sum(weight)`.as('weight'))
          .as('shared'),
      (on) => on.onTrue(),
    )
    .selectAll('memories')
    .where(sql<boolean>`words @@ ${terms.join(' | ')}::tsquery`)
    .where(ownedBy(filter.owner))
  if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId)
  return query
    .orderBy(sql`shared.weight / (1 + ln(1 + length(words)))`, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('pos', 'desc')
    .limit(filter.limit)
    .compile()
}
