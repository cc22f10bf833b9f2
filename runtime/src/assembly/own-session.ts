/** Text in a session counts as its owner's words, so no other principal may start anything in it. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Store } from '../journal/store.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'

/**
 * Claims a new session for the principal. Throws SESSION_NOT_YOURS where it belongs to another one, and SESSION_UNKNOWN
 * where the caller named one (`isNew: false`) that is neither claimed nor used: a mistyped id must not start a new session.
 */
export type CheckOwner = (sessionId: string, principal: Principal, isNew: boolean) => Promise<void>

export function sessionOwnerCheck(
  { owners, store }: { owners: SessionOwners; store: Pick<Store, 'listRuns'> },
  clock: Clock,
): CheckOwner {
  return async (session, principal, isNew) => {
    if (
      !isNew &&
      !(await owners.isClaimed(session)) &&
      (await store.listRuns({ sessionId: session, limit: 1 })).length === 0
    )
      throw new WritError('SESSION_UNKNOWN', { id: session })
    // The local user needs no claim: a session without one is the local user's.
    const owner =
      principal === LOCAL ? await owners.ownerOf(session) : await owners.claim(session, principal, clock.now())
    if (owner !== principal) throw new WritError('SESSION_NOT_YOURS', { session, owner })
  }
}
