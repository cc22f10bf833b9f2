import type { AppendListener, Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { announcerOn } from './announcer.ts'
import type { Database } from './database.ts'
import { groupedAppends } from './group.ts'
import { readKept } from './kept.ts'
import { countCodes, lastPlace, lastSeq, listRuns, listSessions, readOf, readPlaced } from './list-queries.ts'
import { migrate } from './migrate.ts'
import { bury } from './prune.ts'
import { readAccounts, readBefore, readRun, readRunIds, readSeals, readSession } from './queries.ts'
import { toAccount, toCodeCount, toEvent, toRun, toSeal, toSession } from './rows.ts'

export type StoreLocation = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string } | { kind: 'memory' }

/** Default page size when reading a session. */
const PAGE = 500

export async function openStore(location: StoreLocation): Promise<Store> {
  return storeOn(await openDatabase(location))
}

/**
 * Opens a store without checks. A data folder must go through `acting.ts` or `reading.ts`, which check its origin; a
 * test enforces this.
 */
export async function openDatabase(location: StoreLocation): Promise<Database> {
  const db = await connect(location)
  try {
    await migrate(db)
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}

export function storeOn(db: Database): Store {
  let closed: Promise<void> | undefined
  const listeners = new Set<AppendListener>()
  const announcer = db.signals === undefined ? undefined : announcerOn(db.signals)
  const appends = groupedAppends(db)
  let stopListening: (() => void) | undefined
  const read = async (runId: string, afterSeq: number, limit: number) =>
    (await db.query(readRun(db.sql, runId, { afterSeq, limit }))).map(toEvent)
  // Read at once, delivered one after another: a short run must not overtake a long one, nor a run itself.
  let delivered = Promise.resolve()
  const onAnnounced = ({ runId, afterSeq, count }: { runId: string; afterSeq: number; count: number }) => {
    // Followers of the run read it themselves and get the same error.
    const reading = read(runId, afterSeq, count).catch(() => [])
    delivered = delivered.then(async () => {
      const events = await reading
      if (events.length > 0) for (const listener of listeners) listener(events, 'elsewhere')
    })
  }
  async function close(): Promise<void> {
    stopListening?.()
    await appends.settled()
    await announcer?.close()
    await db.close()
  }
  return {
    async append(events, account) {
      await appends.append(events, account)
      announcer?.stored(events)
      for (const listener of listeners) listener(events, 'here')
    },
    readRun: async (runId, afterSeq = 0, limit) =>
      (await db.query(readRun(db.sql, runId, { afterSeq, limit }))).map(toEvent),
    readBefore: async (runId, beforeSeq, limit) =>
      (await db.query(readBefore(db.sql, runId, { beforeSeq, limit }))).toReversed().map(toEvent),
    lastSeq: async (runId) => (await db.query(lastSeq(db.sql, runId)))[0]?.seq ?? 0,
    readSession: async (sessionId) => (await db.query(readSession(db.sql, sessionId))).map(toEvent),
    readPlaced: async (sessionId, after, limit = PAGE) =>
      (await db.query(readPlaced(db.sql, sessionId, { after, limit }))).map((row) => ({
        place: row.pos,
        event: toEvent(row),
      })),
    lastPlace: async (sessionId) => (await db.query(lastPlace(db.sql, sessionId)))[0]?.pos ?? 0,
    readOf: async (runIds, types) =>
      runIds.length === 0 ? [] : (await db.query(readOf(db.sql, runIds, types))).map(toEvent).sort(byRun),
    countCodes: async (runIds) =>
      runIds.length === 0 ? [] : (await db.query(countCodes(db.sql, runIds))).map(toCodeCount),
    listSessions: async (filter) => (await db.query(listSessions(db.sql, filter))).map(toSession),
    listRuns: async (filter = {}) => (await db.query(listRuns(db.sql, filter))).map(toRun),
    bury: (runIds, burial) => bury(db, runIds, burial),
    readAccounts: async (runIds) =>
      runIds.length === 0 ? [] : (await db.query(readAccounts(db.sql, runIds))).map(toAccount),
    readRunIds: async () => (await db.query(readRunIds(db.sql))).map(({ run_id }) => run_id),
    readSeals: async (afterN = 0, limit) => (await db.query(readSeals(db.sql, afterN, limit))).map(toSeal),
    readKept: () => readKept(db),
    onAppend(listener) {
      listeners.add(listener)
      stopListening ??= announcer?.onOthers(onAnnounced)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopListening?.()
        stopListening = undefined
      }
    },
    close: () => (closed ??= close()),
  }
}

function byRun(one: StoredEvent, other: StoredEvent): number {
  if (one.runId === other.runId) return one.seq - other.seq
  return one.runId < other.runId ? -1 : 1
}

/** Drivers are loaded only where they are used. */
async function connect(location: StoreLocation): Promise<Database> {
  if (location.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(location.url)
  const { openSqlite } = await import('./sqlite.ts')
  return location.kind === 'memory' ? openSqlite() : openSqlite(location.file)
}
