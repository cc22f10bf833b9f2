/** One turn of a session at a time, wherever it runs: in this process, in another, on another machine. */
import type { Engine } from '../agent/turn.ts'
import { holdLease, leaseOfSession } from '../dispatch/lease.ts'
import type { Event } from '../protocol/event.ts'
import { fenced } from '../storage/fence.ts'
import type { Leases } from '../storage/leases.ts'

/** How long a turn waits for the one before it. */
const WAIT_MS = 60_000

export type Alone = <R>(
  at: { sessionId: string; signal: AbortSignal },
  open: (held: Engine, signal: AbortSignal) => AsyncGenerator<Event, R>,
) => AsyncGenerator<Event, R>

/** Throws SESSION_BUSY when the session's turn is not over in time. */
export function aloneInSession(engine: Engine, leases: Leases): Alone {
  return async function* alone({ sessionId, signal }, open) {
    const lease = await holdLease(leases, leaseOfSession(sessionId), { signal, waitMs: WAIT_MS })
    try {
      return yield* open({ ...engine, store: fenced(engine.store, lease) }, AbortSignal.any([signal, lease.ending]))
    } finally {
      // It runs out by itself; that it could not be given back is no reason to lose the reply.
      await lease.release().catch(() => {})
    }
  }
}
