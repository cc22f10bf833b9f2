/** The standing approvals of a session, given with `a`, and how one is revoked. */
import type { Clock } from '../base/clock.ts'
import type { Redact } from '../journal/redact.ts'
import { continueLog } from '../journal/run-lifecycle.ts'
import { foldSession } from '../journal/session.ts'
import { standingApprovals } from '../journal/standing-approvals.ts'
import type { Store } from '../journal/store.ts'

export async function approvalsOf(store: Store, sessionId: string): Promise<string[]> {
  return standingApprovals(await store.readSession(sessionId))
}

/** False: there was no such approval. Recorded in the journal of the session's latest run. */
export async function revokeApproval(
  deps: { store: Store; clock: Clock; redact: Redact },
  sessionId: string,
  { key, by }: { key: string; by: string },
): Promise<boolean> {
  const events = await deps.store.readSession(sessionId)
  const last = events.findLast(({ mode, scoutId }) => scoutId === null && (mode === 'chat' || mode === 'routine'))
  if (last === undefined || !foldSession(events).approvals.includes(key)) return false
  const log = continueLog(deps, last)
  log.note('confirm.answered', { callId: '', answer: 'n', by, keys: [key] }, 'revoked')
  await log.flush()
  return true
}
