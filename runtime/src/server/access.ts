/** Whose a session is. It belongs to the token that began it; an admin's token sees every one. */
import type { Clock } from '../base/clock.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { TokenArchive } from '../storage/token-port.ts'
import { Refusal } from './failure.ts'
import type { Caller } from './tokens.ts'

export interface Access {
  /** Undefined: everything is open to them. */
  ownerFilter(who: Caller): { owner?: string }
  claim(sessionId: string, who: Caller): Promise<void>
  /** Throws unless the session is there and is theirs. */
  session(sessionId: string, who: Caller): Promise<void>
  /** The run's first event. Throws unless the run is there and its session is theirs. */
  run(runId: string, who: Caller): Promise<StoredEvent>
}

export interface AccessDeps {
  store: Pick<Store, 'listRuns' | 'readRun'>
  archive: Pick<TokenArchive, 'own' | 'ownerOf'>
  clock: Clock
}

export function openAccess({ store, archive, clock }: AccessDeps): Access {
  const isAdmin = (who: Caller) => who.scopes.has('admin')

  async function session(sessionId: string, who: Caller): Promise<void> {
    const owner = isStorable(sessionId) ? await archive.ownerOf(sessionId) : undefined
    if (owner === who.id) return
    const exists =
      owner !== undefined || (isStorable(sessionId) && (await store.listRuns({ sessionId, limit: 1 })).length > 0)
    if (!exists) throw new Refusal(404, 'SESSION_UNKNOWN', { message: (t) => t.sessionUnknown({ id: sessionId }) })
    if (!isAdmin(who)) throw new Refusal(403, 'NOT_YOURS', { message: (t) => t.notYours })
  }
  return {
    ownerFilter: (who) => (isAdmin(who) ? {} : { owner: who.id }),
    claim: (sessionId, who) => archive.own(sessionId, who.id, clock.now()),
    session,
    async run(runId, who) {
      const [first] = isStorable(runId) ? await store.readRun(runId, 0, 1) : []
      if (first === undefined) throw new Refusal(404, 'RUN_UNKNOWN', { message: (t) => t.runUnknown({ id: runId }) })
      await session(first.sessionId, who)
      return first
    },
  }
}

/** An id with other characters was never given, and PostgreSQL would take offence at the question. */
function isStorable(id: string): boolean {
  return id.isWellFormed() && !id.includes('\0')
}
