/** Memories in the database. Callers split texts into words. */

import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { MemoryEntry, MemoryFilter, MemorySource, OwnedEntry } from '../ports/memory.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { MemoryTable, Tables } from './schema.ts'

export interface MemoryArchive {
  save(owner: Principal, entry: MemoryEntry, words: readonly string[]): Promise<void>
  search(owner: Principal, words: readonly string[], filter: MemoryFilter): Promise<MemoryEntry[]>
  list(owner: Principal, filter: MemoryFilter): Promise<MemoryEntry[]>
  find(owner: Principal, id: string): Promise<MemoryEntry | undefined>
  searchOwned(whose: Whose, words: readonly string[], filter: MemoryFilter): Promise<OwnedEntry[]>
  listOwned(whose: Whose, filter: MemoryFilter): Promise<OwnedEntry[]>
  findOwned(whose: Whose, id: string): Promise<OwnedEntry | undefined>
  remove(owner: Principal, id: string): Promise<boolean>
}

export function memoryArchive(db: Database): MemoryArchive {
  const searchOwned: MemoryArchive['searchOwned'] = async (owner, words, filter) =>
    words.length === 0 ? [] : (await db.query(searchMemories(db, words, { ...filter, owner }))).map(toOwned)
  const listOwned: MemoryArchive['listOwned'] = async (owner, filter) =>
    (await db.query(listMemories(db.sql, { ...filter, owner }))).map(toOwned)
  const findOwned: MemoryArchive['findOwned'] = async (owner, id) => {
    const [row] = isStorable(id) ? await db.query(findMemory(db.sql, owner, id)) : []
    return row && toOwned(row)
  }
  return {
    searchOwned,
    listOwned,
    findOwned,
    save: (owner, entry, words) => db.transact(save(db, toRow(owner, entry), words)),
    search: async (owner, words, filter) => (await searchOwned(owner, words, filter)).map(ownless),
    list: async (owner, filter) => (await listOwned(owner, filter)).map(ownless),
    async find(owner, id) {
      const found = await findOwned(owner, id)
      return found && ownless(found)
    },
    remove: async (owner, id) => isStorable(id) && db.transact(remove(db, owner, id)),
  }
}

function* save(db: Database, row: Insertable<MemoryTable>, words: readonly string[]): Steps<void> {
  for (const { pos } of yield* ask(insertMemory(db.sql, row))) {
    yield insertWords(db, pos, words)
    yield* sealKept(db, 'memory', row.id)
  }
}

function* remove(db: Database, owner: Principal, id: string): Steps<boolean> {
  const { sql } = db
  const removed = yield* ask(deleteMemory(sql, owner, id))
  for (const { pos } of removed) yield deleteWords(sql, pos)
  if (removed.length > 0) yield* sealKept(db, 'memory', id)
  return removed.length > 0
}

function toRow(owner: Principal, entry: MemoryEntry): Insertable<MemoryTable> {
  const { id, content, tags, source, mark, retold, createdAt } = entry
  return {
    owner,
    id,
    content: JSON.stringify(content),
    tags: JSON.stringify(tags),
    kind: source.kind,
    session_id: source.sessionId,
    run_id: source.runId,
    tool: source.tool ?? null,
    mark: mark ?? null,
    retold: retold ? 1 : 0,
    created_at: createdAt,
  }
}

function ownless({ owner: _, ...entry }: OwnedEntry): MemoryEntry {
  return entry
}

function toOwned(row: MemoryRow): OwnedEntry {
  return {
    owner: row.owner as Principal,
    id: row.id,
    content: JSON.parse(row.content) as string,
    tags: JSON.parse(row.tags) as string[],
    source: {
      kind: row.kind as MemorySource['kind'],
      sessionId: row.session_id,
      runId: row.run_id,
      ...(row.tool === null ? {} : { tool: row.tool }),
    },
    ...(row.mark === null ? {} : { mark: row.mark as 'review' | 'warn' }),
    retold: row.retold !== 0,
    createdAt: row.created_at,
  }
}

/** No id has other characters, and PostgreSQL rejects NUL and lone surrogates. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}

type Builder = Kysely<Tables>
type MemoryRow = Selectable<MemoryTable>
type OwnedFilter = MemoryFilter & { owner: Whose }

/** No row when the id exists already. */
function insertMemory(build: Builder, row: Insertable<MemoryTable>): CompiledQuery<{ pos: number }> {
  return build
    .insertInto('memories')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('pos')
    .compile()
}

function insertWords({ dialect, sql: build }: Database, rowid: number, words: readonly string[]): CompiledQuery {
  // Words are passed unchanged: PostgreSQL's parser would split and drop some that queries contain.
  const indexed = dialect === 'sqlite' ? words.join(' ') : sql<string>`array_to_tsvector(${words}::text[])`
  return build.insertInto('memory_index').values({ rowid, words: indexed }).compile()
}

function deleteMemory(build: Builder, owner: Principal, id: string): CompiledQuery<{ pos: number }> {
  return build.deleteFrom('memories').where('id', '=', id).where('owner', '=', owner).returning('pos').compile()
}

function deleteWords(build: Builder, rowid: number): CompiledQuery {
  return build.deleteFrom('memory_index').where('rowid', '=', rowid).compile()
}

function findMemory(build: Builder, owner: Whose, id: string): CompiledQuery<MemoryRow> {
  return build.selectFrom('memories').selectAll().where('id', '=', id).where(ownedBy(owner)).compile()
}

function ownedBy(owner: Whose) {
  return owner === EVERYONE ? sql<boolean>`1 = 1` : sql<boolean>`owner = ${owner}`
}

function listMemories(build: Builder, { owner, limit, sessionId }: OwnedFilter): CompiledQuery<MemoryRow> {
  let query = build.selectFrom('memories').selectAll().where(ownedBy(owner))
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId)
  return query.orderBy('created_at', 'desc').orderBy('pos', 'desc').limit(limit).compile()
}

/** Entries with a word of `words`: rarer words and shorter entries rank higher. */
function searchMemories(db: Database, words: readonly string[], filter: OwnedFilter): CompiledQuery<MemoryRow> {
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

/** PostgreSQL's rank treats "the" like a name; here a word counts by how few entries contain it. */
function searchVectors(build: Builder, words: readonly string[], filter: OwnedFilter): CompiledQuery<MemoryRow> {
  const terms = words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}'`)
  const queried = sql<{ word: string }>`unnest(${terms}::tsquery[])`.as<'queried'>(sql`queried(word)`)
  const size = build.selectFrom('memory_index').select(({ fn }) => fn.countAll<number>().as('total'))
  const found = build.selectFrom('memory_index').where(sql<boolean>`words @@ word`)
  let query = build
    // Materialised, or the count would be repeated for every entry.
    .with(
      (cte) => cte('terms').materialized(),
      (make) =>
        make
          .selectFrom([queried, size.as('size')])
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
