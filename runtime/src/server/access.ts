/** Access to sessions. A session belongs to the principal that created it; some scopes reach all sessions. */

import type { Clock } from '../base/clock.ts'
import { WritError } from '../errors/writ-error.ts'
import { firstEvent } from '../journal/read.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'
import type { Scope } from './contract/route.ts'
import type { Caller } from './tokens.ts'

/** Use of a session: read it, answer its approvals, or stop and resume its runs. */
export type Act = 'read' | 'approve' | 'change'

/** The scope that allows it in every session. */
const REACHES_ALL: Readonly<Record<Act, Scope>> = { read: 'read:all', approve: 'approve:all', change: 'admin' }

export interface Access {
  /** Whose sessions the caller may use this way: its own, or everyone's. */
  scopeOf(who: Caller, act: Act): { whose: Whose }
  claim(sessionId: string, who: Caller): Promise<void>
  /** Throws unless the session exists and the caller may use it this way. */
  session(sessionId: string, who: Caller, act: Act): Promise<void>
  /** Throws unless the session exists and belongs to the caller: messages in it count as the owner's instructions. */
  ownSession(sessionId: string, who: Caller): Promise<void>
  /** The run's first event. Throws unless the run exists and the caller may use its session this way. */
  run(runId: string, who: Caller, act: Act): Promise<StoredEvent>
}

export interface AccessDeps {
  store: Pick<Store, 'listRuns' | 'readRun'>
  owners: SessionOwners
  clock: Clock
}

export function openAccess({ store, owners, clock }: AccessDeps): Access {
  const reachesAll = (who: Caller, act: Act) => who.scopes.has(REACHES_ALL[act])

  async function ownerOf(sessionId: string): Promise<Principal> {
    const exists =
      isStorable(sessionId) &&
      ((await owners.isClaimed(sessionId)) || (await store.listRuns({ sessionId, limit: 1 })).length > 0)
    if (!exists) throw new WritError('SESSION_UNKNOWN.http', { id: sessionId })
    return owners.ownerOf(sessionId)
  }
  async function session(sessionId: string, who: Caller, act: Act): Promise<void> {
    const owner = await ownerOf(sessionId)
    if (owner !== who.principal && !reachesAll(who, act)) throw notYours(act)
  }
  return {
    scopeOf: (who, act) => ({ whose: reachesAll(who, act) ? EVERYONE : who.principal }),
    async claim(sessionId, who) {
      if ((await owners.claim(sessionId, who.principal, clock.now())) !== who.principal) throw notYours()
    },
    session,
    async ownSession(sessionId, who) {
      if ((await ownerOf(sessionId)) === who.principal) return
      if (!reachesAll(who, 'read')) throw notYours()
      throw new WritError('NOT_YOURS.message')
    },
    async run(runId, who, act) {
      const first = isStorable(runId) ? await firstEvent(store, runId) : undefined
      if (first === undefined) throw new WritError('RUN_UNKNOWN.http', { id: runId })
      await session(first.sessionId, who, act)
      return first
    },
  }
}

/** Without an act no scope helps: a message in a session counts as its owner's words. */
function notYours(act?: Act): WritError {
  return act === undefined ? new WritError('NOT_YOURS') : new WritError('NOT_YOURS.scope', { scope: REACHES_ALL[act] })
}

/** Other ids were never issued, and PostgreSQL rejects NUL and lone surrogates. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}
