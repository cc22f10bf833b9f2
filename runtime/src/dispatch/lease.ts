/** Holding a lease while one works, and noticing when it is no longer one's own. */
import { setTimeout as delay } from 'node:timers/promises'
import { WritError } from '../base/errors.ts'
import type { Leases } from '../storage/leases.ts'
import { isGone, newHolder } from './holder.ts'

export const LEASE_MS = 10_000
const RENEW_MS = 3000
/** After this long without a renewal it is asked anew before anything is stored. */
const DOUBT_MS = 6000
/** Without a renewal for this long, what is under way is stopped: after `LEASE_MS` another may do the same. */
const STOP_MS = 8000
const LAST_TRY_MS = 1000
const LOOK_MS = 200

/** Longer than it takes to find out that whoever was asked is gone. */
const ASKED_MS = 60_000

export interface Lease {
  /** Aborted when the work is to end: it was asked for, in whichever process, or the lease is lost or about to be. */
  ending: AbortSignal
  /** Whether the work may go on: nobody else has taken it over. */
  isOurs(): Promise<boolean>
  release(): Promise<void>
  /** Renews it no more, and lets it run out. */
  leave(): void
}

export interface Holding {
  signal: AbortSignal
  /** How long to wait for another to let go. */
  waitMs: number
  /** Done with every renewal, for those who are asked more than to end. */
  onRenewed?(): Promise<void>
}

/** Throws SESSION_BUSY when another does not let go in time. */
export async function holdLease(leases: Leases, name: string, holding: Holding): Promise<Lease> {
  const { signal, waitMs, onRenewed } = holding
  const holder = newHolder()
  const started = performance.now()
  while (!(await takeOver(leases, name, holder))) {
    if (performance.now() - started >= waitMs || signal.aborted) throw busy(name)
    await delay(LOOK_MS, undefined, { signal }).catch(() => {})
  }
  let renewed = moment()
  const renew = async () => {
    if (!(await leases.renew(name, { holder, forMs: LEASE_MS }))) return false
    renewed = moment()
    return true
  }
  const end = new AbortController()
  let over = false
  const look = async () => {
    if (!(await renew())) end.abort()
    else if (!over) watchdog.refresh()
    if (await isAskedToEnd(leases, holder)) end.abort()
    await onRenewed?.()
  }
  const keep = async () => {
    // A database that cannot be reached now may be reached the next time; the journal will tell if it matters.
    await look().catch(() => {})
    if (!over) keeper.refresh()
  }
  /** A call that is under way must not be finished by two: it is stopped while the lease still holds. */
  const lastTry = async () => {
    const late = delay(LAST_TRY_MS, false, { ref: false })
    // After a machine has slept nobody else need have taken it; a look at the lease tells.
    if (await Promise.race([renew().catch(() => false), late])) watchdog.refresh()
    else end.abort()
  }
  const watchdog = setTimeout(lastTry, STOP_MS).unref()
  // No interval: each look stands still for seconds while the store is locked, and would leave no time between them.
  const keeper = setTimeout(keep, RENEW_MS).unref()
  const leave = () => {
    over = true
    clearTimeout(keeper)
    clearTimeout(watchdog)
  }
  return {
    ending: end.signal,
    isOurs: async () => since(renewed) < DOUBT_MS || (await renew()),
    leave,
    async release() {
      leave()
      await leases.release(name, holder)
    },
  }
}

/** Does something that must not happen beside a turn of the session. */
export async function heldWhile<T>(
  leases: Leases,
  { sessionId, ...holding }: Holding & { sessionId: string },
  work: () => Promise<T>,
): Promise<T> {
  const lease = await holdLease(leases, leaseOfSession(sessionId), holding)
  try {
    return await work()
  } finally {
    await lease.release().catch(() => {})
  }
}

/** Free, run out, or held by a process of this machine that is gone. */
async function takeOver(leases: Leases, name: string, holder: string): Promise<boolean> {
  const claim = { holder, forMs: LEASE_MS }
  if (await leases.take(name, claim)) return true
  const other = await leases.holderOf(name)
  return other !== undefined && isGone(other) && leases.take(name, { ...claim, instead: other })
}

const SESSION = 'session:'
const END = 'end:'

/** Asks whoever works in a session to end his turn; he hears of it when he next renews. False when nobody does. */
export async function askToEnd(leases: Leases, sessionId: string): Promise<boolean> {
  const holder = await leases.holderOf(leaseOfSession(sessionId))
  if (holder === undefined || isGone(holder)) return false
  await askPartToEnd(leases, holder)
  return true
}

/** Asks the same of a part of a turn, such as one scout. */
export async function askPartToEnd(leases: Leases, name: string): Promise<void> {
  await leases.take(`${END}${name}`, { holder: END, forMs: ASKED_MS })
}

export async function isAskedToEnd(leases: Leases, name: string): Promise<boolean> {
  return (await leases.holderOf(`${END}${name}`)) !== undefined
}

export async function isSessionHeld(leases: Leases, sessionId: string): Promise<boolean> {
  const holder = await leases.holderOf(leaseOfSession(sessionId))
  return holder !== undefined && !isGone(holder)
}

/** Sessions somebody works in now, wherever. */
export async function sessionsAtWork(leases: Leases): Promise<Set<string>> {
  const held = (await leases.list()).filter(({ name, over }) => name.startsWith(SESSION) && !over)
  return new Set(held.map(({ name }) => name.slice(SESSION.length)))
}

export function leaseOfSession(sessionId: string): string {
  return `${SESSION}${sessionId}`
}

export interface Abandoned {
  sessionId: string
  name: string
  holder: string
}

/** Sessions in which somebody was at work and is no more: whoever ends his work in order leaves no lease behind. */
export async function abandonedSessions(leases: Leases): Promise<Abandoned[]> {
  const left = (await leases.list()).filter(({ holder, over }) => over || isGone(holder))
  for (const { name, holder } of left) if (name.startsWith(END)) await leases.release(name, holder)
  return left.flatMap(({ name, holder }) =>
    name.startsWith(SESSION) ? [{ sessionId: name.slice(SESSION.length), name, holder }] : [],
  )
}

/** Of two clocks the one that saw more time pass: one stands still while a machine sleeps, one can be set back. */
function moment(): { steady: number; wall: number } {
  return { steady: performance.now(), wall: Date.now() }
}

function since(then: { steady: number; wall: number }): number {
  const now = moment()
  return Math.max(now.steady - then.steady, now.wall - then.wall)
}

function busy(name: string): WritError {
  return new WritError('SESSION_BUSY', `another turn of ${name.replace(':', ' ')} is still under way`, {
    hint: 'Wait until it has ended, or cancel it; a session does one thing at a time.',
  })
}
