/** What is said in a session counts as its owner's words, so nobody else may begin anything in it. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'

/** Claims the session where it is new. Throws SESSION_NOT_YOURS where it belongs to another principal. */
export type DemandOwn = (sessionId: string, principal: Principal) => Promise<void>

export function demandOwnSession(owners: SessionOwners, clock: Clock): DemandOwn {
  return async (sessionId, principal) => {
    // The local user's need no claim: a session without one is theirs.
    const owner =
      principal === LOCAL ? await owners.ownerOf(sessionId) : await owners.claim(sessionId, principal, clock.now())
    if (owner === principal) return
    throw new WritError('SESSION_NOT_YOURS', `session ${sessionId} belongs to another principal (${owner})`, {
      hint: 'Start a session of your own.',
    })
  }
}
