/** Whose a session is. It belongs to the principal it was begun for; an administrator sees every one. */
import type { Clock } from '../base/clock.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'
import { Refusal } from './failure.ts'
import type { Caller } from './tokens.ts'

export interface Access {
  /** What they may look at: their own, or everyone's for an administrator. */
  scopeOf(who: Caller): { whose: Whose }
  claim(sessionId: string, who: Caller): Promise<void>
  /** Throws unless the session is there and they may see it. */
  session(sessionId: string, who: Caller): Promise<void>
  /** Throws unless the session is there and is their own: what is said in it counts as its owner's words. */
  ownSession(sessionId: string, who: Caller): Promise<void>
  /** The run's first event. Throws unless the run is there and they may see its session. */
  run(runId: string, who: Caller): Promise<StoredEvent>
}

export interface AccessDeps {
  store: Pick<Store, 'listRuns' | 'readRun'>
  owners: SessionOwners
  clock: Clock
}

export function openAccess({ store, owners, clock }: AccessDeps): Access {
  const isAdmin = (who: Caller) => who.scopes.has('admin')

  async function ownerOf(sessionId: string): Promise<Principal> {
    const exists =
      isStorable(sessionId) &&
      ((await owners.isClaimed(sessionId)) || (await store.listRuns({ sessionId, limit: 1 })).length > 0)
    if (!exists) throw new Refusal(404, 'SESSION_UNKNOWN', { message: (t) => t.sessionUnknown({ id: sessionId }) })
    return owners.ownerOf(sessionId)
  }
  async function session(sessionId: string, who: Caller): Promise<void> {
    const owner = await ownerOf(sessionId)
    if (owner !== who.principal && !isAdmin(who)) throw notYours()
  }
  return {
    scopeOf: (who) => ({ whose: isAdmin(who) ? EVERYONE : who.principal }),
    async claim(sessionId, who) {
      if ((await owners.claim(sessionId, who.principal, clock.now())) !== who.principal) throw notYours()
    },
    session,
    async ownSession(sessionId, who) {
      if ((await ownerOf(sessionId)) === who.principal) return
      if (!isAdmin(who)) throw notYours()
      throw new Refusal(403, 'NOT_YOURS', { message: (t) => t.notYourWords, hint: (t) => t.notYourWordsHint })
    },
    async run(runId, who) {
      const [first] = isStorable(runId) ? await store.readRun(runId, 0, 1) : []
      if (first === undefined) throw new Refusal(404, 'RUN_UNKNOWN', { message: (t) => t.runUnknown({ id: runId }) })
      await session(first.sessionId, who)
      return first
    },
  }
}

function notYours(): Refusal {
  return new Refusal(403, 'NOT_YOURS', { message: (t) => t.notYours })
}

/** An id with other characters was never given, and PostgreSQL rejects the question. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}
