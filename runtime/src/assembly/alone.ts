/** One turn of a session at a time, wherever it runs: in this process, in another, on another machine. */
import { revokeApproval } from '../agent/approvals.ts'
import type { Engine } from '../agent/turn.ts'
import { heldWhile, holdLease, isAskedToEnd, leaseOfSession } from '../dispatch/lease.ts'
import type { Event } from '../protocol/event.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import { fenced } from '../storage/fence.ts'
import type { Leases } from '../storage/leases.ts'

/** How long a turn waits for the one before it. */
const WAIT_MS = 60_000

export type Alone = <R>(
  at: { sessionId: string; signal: AbortSignal },
  open: (held: Engine, signal: AbortSignal) => AsyncGenerator<Event, R>,
) => AsyncGenerator<Event, R>

/** Throws SESSION_BUSY when the session's turn is not over in time. */
export function aloneInSession(engine: Engine, leases: Leases, scouts: Scouts): Alone {
  return async function* alone({ sessionId, signal }, open) {
    const onRenewed = () => endUnwanted(scouts, leases, sessionId)
    const lease = await holdLease(leases, leaseOfSession(sessionId), { signal, waitMs: WAIT_MS, onRenewed })
    const { suspended } = engine
    const ending = AbortSignal.any([signal, lease.ending, ...(suspended === undefined ? [] : [suspended])])
    try {
      return yield* open({ ...engine, store: fenced(engine.store, lease) }, ending)
    } finally {
      // A lease left behind says which run is to be resumed.
      if (suspended?.aborted) lease.leave()
      // It runs out by itself; that it could not be given back is no reason to lose the reply.
      else await lease.release().catch(() => {})
    }
  }
}

/** Somebody at another process may have asked for one of them to stop. */
async function endUnwanted(scouts: Scouts, leases: Leases, sessionId: string): Promise<void> {
  for (const { scoutId, sessionId: own } of scouts.list()) {
    if (own === sessionId && (await isAskedToEnd(leases, scoutId))) scouts.cancel(scoutId)
  }
}

/** Takes an "always" back; false when there was none. Beside a turn it would end that turn: see `revokeApproval`. */
export function revokeAlone(
  engine: Engine,
  leases: Leases,
  { sessionId, key, signal, by = 'user' }: { sessionId: string; key: string; signal: AbortSignal; by?: string },
): Promise<boolean> {
  return heldWhile(leases, { sessionId, signal, waitMs: WAIT_MS }, () => revokeApproval(engine, sessionId, { key, by }))
}
