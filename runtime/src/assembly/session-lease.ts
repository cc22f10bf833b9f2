/** One turn of a session at a time, wherever it runs: in this process, in another, on another machine. */
import { type Revocable, revokeRight } from '../agent/approvals.ts'
import type { Engine } from '../agent/turn.ts'
import { following } from '../base/wait.ts'
import { holdLease, isAskedToEnd, leaseOfSession, withSessionLease } from '../dispatch/lease.ts'
import type { Event } from '../protocol/event.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import { fenced } from '../storage/fence.ts'
import type { Leases } from '../storage/leases.ts'

/** How long a turn waits for the one before it. */
const WAIT_MS = 60_000

/** Opens the work with an engine whose store stops writing when the lease is lost. */
export type UnderLease = <R>(
  at: { sessionId: string; signal: AbortSignal },
  open: (held: Engine, signal: AbortSignal) => AsyncGenerator<Event, R>,
) => AsyncGenerator<Event, R>

/** Throws SESSION_BUSY when the current turn of the session does not end in time. */
export function underSessionLease(engine: Engine, leases: Leases, scouts: Scouts): UnderLease {
  return async function* underLease({ sessionId, signal }, open) {
    const onRenewed = () => cancelRequested(scouts, leases, sessionId)
    const lease = await holdLease(leases, leaseOfSession(sessionId), { signal, waitMs: WAIT_MS, onRenewed })
    const { suspended } = engine
    const { controller, leave } = following(signal, lease.ending, suspended)
    try {
      return yield* open({ ...engine, store: fenced(engine.store, lease) }, controller.signal)
    } finally {
      leave()
      // Not released: a lease without a worker marks the run to resume.
      if (suspended?.aborted) lease.leave()
      // It expires by itself; a failed release must not lose the reply.
      else await lease.release().catch(() => {})
    }
  }
}

/** Cancels the scouts that another process asked to stop. */
async function cancelRequested(scouts: Scouts, leases: Leases, sessionId: string): Promise<void> {
  for (const { scoutId, sessionId: own } of scouts.list()) {
    if (own === sessionId && (await isAskedToEnd(leases, scoutId))) scouts.cancel(scoutId)
  }
}

/** Revokes a standing approval or a session rule; false when there was none. Under the lease: it appends to the session's latest run. */
export function revokeUnderLease(
  engine: Engine,
  leases: Leases,
  { sessionId, signal, by = 'user', ...what }: Revocable & { sessionId: string; signal: AbortSignal; by?: string },
): Promise<boolean> {
  return withSessionLease(leases, { sessionId, signal, waitMs: WAIT_MS }, () =>
    revokeRight(engine, sessionId, { ...what, by }),
  )
}
