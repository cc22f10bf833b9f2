/** Whose a session is. It belongs to the principal it was begun for; some scopes reach everyone's. */
import type { Clock } from '../base/clock.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { SessionOwners } from '../storage/session-owners.ts'
import type { Scope } from './contract/route.ts'
import { Refusal } from './failure.ts'
import type { Caller } from './tokens.ts'

/** What is about to be done with a session: looked at, answered, or stopped and taken up. */
export type Act = 'read' | 'approve' | 'change'

/** Whoever has it may do so in everyone's sessions. */
const REACHES_ALL: Readonly<Record<Act, Scope>> = { read: 'read:all', approve: 'approve:all', change: 'admin' }

export interface Access {
  /** Whose they may do this with: their own, or everyone's. */
  scopeOf(who: Caller, act: Act): { whose: Whose }
  claim(sessionId: string, who: Caller): Promise<void>
  /** Throws unless the session is there and they may do this in it. */
  session(sessionId: string, who: Caller, act: Act): Promise<void>
  /** Throws unless the session is there and is their own: what is said in it counts as its owner's words. */
  ownSession(sessionId: string, who: Caller): Promise<void>
  /** The run's first event. Throws unless the run is there and they may do this in its session. */
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
    if (!exists)
      throw new Refusal(404, 'SESSION_UNKNOWN', {
        message: (t) => t.sessionUnknown({ id: sessionId }),
        hint: (t) => t.listSessionsHint,
      })
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
      throw new Refusal(403, 'NOT_YOURS', { message: (t) => t.notYourWords, hint: (t) => t.notYourWordsHint })
    },
    async run(runId, who, act) {
      const [first] = isStorable(runId) ? await store.readRun(runId, 0, 1) : []
      if (first === undefined)
        throw new Refusal(404, 'RUN_UNKNOWN', {
          message: (t) => t.runUnknown({ id: runId }),
          hint: (t) => t.listRunsHint,
        })
      await session(first.sessionId, who, act)
      return first
    },
  }
}

/** Without an act, no scope would help: what is said in a session counts as its owner's words. */
function notYours(act?: Act): Refusal {
  const scope = act && REACHES_ALL[act]
  return new Refusal(403, 'NOT_YOURS', {
    message: (t) => t.notYours,
    hint: (t) => (scope === undefined ? t.notYoursHint : t.notYoursScopeHint({ scope })),
  })
}

/** An id with other characters was never given, and PostgreSQL rejects the question. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}
