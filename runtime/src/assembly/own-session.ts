/** Text in a session counts as its owner's words, so no other principal may start anything in it. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../errors/writ-error.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'

/** Claims a new session for the principal. Throws SESSION_NOT_YOURS where it belongs to another one. */
export type CheckOwner = (sessionId: string, principal: Principal) => Promise<void>

export function sessionOwnerCheck(owners: SessionOwners, clock: Clock): CheckOwner {
  return async (session, principal) => {
    // The local user needs no claim: a session without one is the local user's.
    const owner =
      principal === LOCAL ? await owners.ownerOf(session) : await owners.claim(session, principal, clock.now())
    if (owner !== principal) throw new WritError('SESSION_NOT_YOURS', { session, owner })
  }
}
