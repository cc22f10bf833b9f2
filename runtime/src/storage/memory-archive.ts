/** Where memories are kept. It knows words, not language: what the words of a text are is said by its caller. */
import type { Insertable } from 'kysely'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { MemoryEntry, MemoryFilter, MemorySource } from './memory-port.ts'
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
  save(entry: MemoryEntry, words: readonly string[]): Promise<void>
  search(words: readonly string[], filter: MemoryFilter): Promise<MemoryEntry[]>
  list(filter: MemoryFilter): Promise<MemoryEntry[]>
  find(id: string): Promise<MemoryEntry | undefined>
  remove(id: string): Promise<boolean>
}

export function memoryArchive(db: Database): MemoryArchive {
  return {
    save: (entry, words) => db.transact(save(db, entry, words)),
    async search(words, filter) {
      if (words.length === 0) return []
      return (await db.query(searchMemories(db, words, filter))).map(toEntry)
    },
    list: async (filter) => (await db.query(listMemories(db.sql, filter))).map(toEntry),
    async find(id) {
      const [row] = isStorable(id) ? await db.query(findMemory(db.sql, id)) : []
      return row === undefined ? undefined : toEntry(row)
    },
    remove: async (id) => isStorable(id) && db.transact(remove(db, id)),
  }
}

function* save(db: Database, entry: MemoryEntry, words: readonly string[]): Steps<void> {
  for (const { pos } of yield* ask(insertMemory(db.sql, toRow(entry)))) {
    yield insertWords(db, pos, words)
    yield* sealKept(db, 'memory', entry.id)
  }
}

function* remove(db: Database, id: string): Steps<boolean> {
  const { sql } = db
  const removed = yield* ask(deleteMemory(sql, id))
  for (const { pos } of removed) yield deleteWords(sql, pos)
  if (removed.length > 0) yield* sealKept(db, 'memory', id)
  return removed.length > 0
}

function toRow({ id, content, tags, source, mark, retold, createdAt }: MemoryEntry): Insertable<MemoryTable> {
  return {
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

function toEntry(row: MemoryRow): MemoryEntry {
  return {
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
