/** Holds a lease during work, and notices when it is lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { WritError } from '../errors/writ-error.ts'
import type { Leases } from '../storage/leases.ts'
import { isGone, newHolder } from './holder.ts'

export const LEASE_MS = 10_000
const RENEW_MS = 3000
/** After this long without a renewal, the lease is renewed before anything is stored. */
const DOUBT_MS = 6000
/** After this long without a renewal the work is stopped: after `LEASE_MS` another worker may take it over. */
const STOP_MS = 8000
const LAST_TRY_MS = 1000
const LOOK_MS = 200

/** How long a request to stop is valid: longer than a dead holder's lease. */
const STOP_REQUEST_MS = 60_000

export interface Lease {
  /** Aborted when the work must end: any process asked for it, or the lease is lost or about to expire. */
  ending: AbortSignal
  /** Whether the work may continue: no other worker has taken it over. Known at once, except after a long pause. */
  isOurs(): true | Promise<boolean>
  release(): Promise<void>
  /** Stops renewing; the lease expires. */
  leave(): void
}

export interface Holding {
  signal: AbortSignal
  /** How long to wait for the current holder. */
  waitMs: number
  /** Called with every renewal, to check for further requests. */
  onRenewed?(): Promise<void>
}

/** Throws SESSION_BUSY when the current holder does not release it in time. */
export async function holdLease(leases: Leases, name: string, holding: Holding): Promise<Lease> {
  const { signal, waitMs, onRenewed } = holding
  const holder = newHolder()
  const started = performance.now()
  while (!(await takeOver(leases, name, holder))) {
    if (performance.now() - started >= waitMs || signal.aborted)
      throw new WritError('SESSION_BUSY', { session: sessionOf(name) })
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
    // A failed renewal is retried; if the lease was lost meanwhile, the journal refuses the next write.
    await look().catch(() => {})
    if (!over) keeper.refresh()
  }
  /** Two workers must not finish the same call: it is stopped while the lease is still valid. */
  const lastTry = async () => {
    const late = delay(LAST_TRY_MS, false, { ref: false })
    // After the machine was suspended, the lease may still be ours.
    if (await Promise.race([renew().catch(() => false), late])) watchdog.refresh()
    else end.abort()
  }
  const watchdog = setTimeout(lastTry, STOP_MS).unref()
  // No interval: while the store is locked, a renewal takes seconds and the next would start right after it.
  const keeper = setTimeout(keep, RENEW_MS).unref()
  const leave = () => {
    over = true
    clearTimeout(keeper)
    clearTimeout(watchdog)
  }
  return {
    ending: end.signal,
    isOurs: () => since(renewed) < DOUBT_MS || renew(),
    leave,
    async release() {
      leave()
      await leases.release(name, holder)
    },
  }
}

/** Runs work that must not overlap with a turn of the session. */
export async function withSessionLease<T>(
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

/** Succeeds when the lease is free, expired, or held by a process of this machine that is gone. */
async function takeOver(leases: Leases, name: string, holder: string): Promise<boolean> {
  const claim = { holder, forMs: LEASE_MS }
  if (await leases.take(name, claim)) return true
  const other = await leases.holderOf(name)
  return other !== undefined && isGone(other) && leases.take(name, { ...claim, instead: other })
}

const SESSION = 'session:'
const END = 'end:'

/** Asks the session's worker to stop; noticed at its next renewal. False when there is no worker. */
export async function askToEnd(leases: Leases, sessionId: string): Promise<boolean> {
  const holder = await leases.holderOf(leaseOfSession(sessionId))
  if (holder === undefined || isGone(holder)) return false
  await askPartToEnd(leases, holder)
  return true
}

/** Asks a part of a turn to stop, such as one scout. */
export async function askPartToEnd(leases: Leases, name: string): Promise<void> {
  await leases.take(`${END}${name}`, { holder: END, forMs: STOP_REQUEST_MS })
}

export async function isAskedToEnd(leases: Leases, name: string): Promise<boolean> {
  return (await leases.holderOf(`${END}${name}`)) !== undefined
}

export async function isSessionHeld(leases: Leases, sessionId: string): Promise<boolean> {
  const holder = await leases.holderOf(leaseOfSession(sessionId))
  return holder !== undefined && !isGone(holder)
}

/** Sessions with a live worker, in any process. */
export async function sessionsAtWork(leases: Leases): Promise<Set<string>> {
  const held = (await leases.list()).filter(({ name, over }) => name.startsWith(SESSION) && !over)
  return new Set(held.map(({ name }) => sessionOf(name)))
}

export function leaseOfSession(sessionId: string): string {
  return `${SESSION}${sessionId}`
}

export interface Abandoned {
  sessionId: string
  name: string
  holder: string
}

/** Sessions whose worker died: a worker that ends normally releases its lease. */
export async function abandonedSessions(leases: Leases): Promise<Abandoned[]> {
  const abandoned = (await leases.list()).filter(({ holder, over }) => over || isGone(holder))
  for (const { name, holder } of abandoned) if (name.startsWith(END)) await leases.release(name, holder)
  return abandoned.flatMap(({ name, holder }) =>
    name.startsWith(SESSION) ? [{ sessionId: sessionOf(name), name, holder }] : [],
  )
}

/** Two clocks: the steady one stops while the machine is suspended, the wall clock can be set back. */
function moment(): { steady: number; wall: number } {
  return { steady: performance.now(), wall: Date.now() }
}

function since(then: { steady: number; wall: number }): number {
  const now = moment()
  return Math.max(now.steady - then.steady, now.wall - then.wall)
}

function sessionOf(name: string): string {
  return name.startsWith(SESSION) ? name.slice(SESSION.length) : name
}
