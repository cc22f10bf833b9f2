/** Where memories are kept. It knows words, not language: what the words of a text are is said by its caller. */
import type { Insertable } from 'kysely'
import type { Principal, Whose } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { MemoryEntry, MemoryFilter, MemorySource, OwnedEntry } from './memory-port.ts'
import {
  deleteMemory,
  deleteWords,
  findMemory,
  insertMemory,
  insertWords,
  listMemories,
  type MemoryRow,
  searchMemories,
} from './memory-queries.ts'
import type { MemoryTable } from './schema.ts'

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

/** An id with other characters was never given out, and PostgreSQL would take offence at the question. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}
