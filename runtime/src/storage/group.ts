/**
 * Group commit: the appends of all runs that wait at the same moment become one transaction and one sync. An append
 * resolves when its group is on disk, so nothing acts earlier than with a transaction of its own.
 */
import { setImmediate } from 'node:timers'
import { WritError } from '../errors/writ-error.ts'
import type { KeptAccount } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { append, cutIntoStretches, store, turnsRun } from './append.ts'
import { ask, type Database, type Steps } from './database.ts'
import { keepAccount } from './queries.ts'
import { toEventRow } from './rows.ts'

/** Keeps a transaction short: readers and other processes wait for it. */
const MOST = 200

interface Waiting {
  events: readonly StoredEvent[]
  account: KeptAccount | undefined
  resolve(): void
  reject(error: unknown): void
}

export interface GroupedAppends {
  append(events: readonly StoredEvent[], account?: KeptAccount): Promise<void>
  /** Resolves when nothing waits. */
  settled(): Promise<void>
}

export function groupedAppends(db: Database): GroupedAppends {
  let waiting: Waiting[] = []
  let working: Promise<void> | undefined
  /** Appends that are stored by themselves, and who waits until there is none. */
  let apart = 0
  const onSettled: (() => void)[] = []

  /** Not awaited by the others: it may have to wait for another process. */
  async function storeAlone({ events, account, resolve, reject }: Waiting): Promise<void> {
    apart++
    try {
      await append(db, events, account)
      resolve()
    } catch (error) {
      reject(error)
    }
    apart--
    if (apart === 0) for (const settle of onSettled.splice(0)) settle()
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // What the other runs have to append in this turn of the event loop joins the group.
      await new Promise((resolve) => setImmediate(resolve))
      const group = waiting.slice(0, MOST)
      waiting = waiting.slice(MOST)
      const left = group.length === 1 ? group : await storeTogether(db, group)
      for (const each of left) storeAlone(each)
    }
    working = undefined
  }

  return {
    append(events, account) {
      // A gap is the fault of this append: it must not reach the group.
      cutIntoStretches(events)
      return new Promise((resolve, reject) => {
        waiting.push({ events, account, resolve, reject })
        working ??= work()
      })
    },
    async settled() {
      await working
      if (apart > 0) await new Promise<void>((settle) => onSettled.push(settle))
    },
  }
}

/** Returns those that must be stored by themselves. */
async function storeTogether(db: Database, group: readonly Waiting[]): Promise<readonly Waiting[]> {
  // In PostgreSQL, the first and the last events of a run wait for a lock of the whole database.
  const joined = db.group === undefined ? group : group.filter(({ events }) => !events.some(turnsRun))
  let isWritten = false
  function* all(): Steps<readonly Waiting[]> {
    const free = yield* freeIn(db, joined)
    const events = free.flatMap((each) => each.events)
    const accounts = free.flatMap(({ account }) => account ?? [])
    if (db.group === undefined) yield* store(db, cutIntoStretches(events), { locks: [], accounts })
    else if (events.length > 0) {
      yield db.group.insert(events.map(toEventRow))
      for (const account of accounts) yield keepAccount(db.sql, account)
    }
    isWritten = true
    return free
  }
  try {
    const stored = joined.length < 2 ? [] : await db.transact(all())
    for (const { resolve } of stored) resolve()
    return group.filter((each) => !stored.includes(each))
  } catch (error) {
    // One run may be at fault, and nothing is stored yet: each is tried by itself.
    if (!isWritten && isOfOneRun(db, error)) return group
    // After the writes only the commit can have failed, and its result may be unknown: nothing is stored again.
    for (const { reject } of joined) reject(error)
    return group.filter((each) => !joined.includes(each))
  }
}

/** Those whose session no other process is writing to: the group does not wait for one of them. */
function* freeIn({ group }: Database, joined: readonly Waiting[]): Steps<readonly Waiting[]> {
  if (group === undefined) return joined
  const sessions = [...new Set(joined.flatMap(({ events }) => events.map(({ sessionId }) => sessionId)))]
  const rows = yield* ask(group.takeFree(sessions))
  const free = new Set(rows.map(({ session_id }) => session_id))
  return joined.filter(({ events }) => events.every(({ sessionId }) => free.has(sessionId)))
}

/** A full disk or a lock held by another process concerns all of them, and trying each would take as long again. */
function isOfOneRun({ dialect }: Database, error: unknown): boolean {
  if (dialect === 'postgres' || !(error instanceof WritError)) return true
  return ['STORE_CONFLICT', 'STORE_FAILED', 'JOURNAL_GAP', 'INVALID_ID'].includes(error.code)
}
