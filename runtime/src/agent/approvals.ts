/** What a session may do unasked because somebody said `a`, and how that is taken back. */
import type { Clock } from '../base/clock.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import { foldSession } from '../journal/session.ts'
import { standingApprovals } from '../journal/standing-approvals.ts'
import type { Store } from '../journal/store.ts'

export async function approvalsOf(store: Store, sessionId: string): Promise<string[]> {
  return standingApprovals(await store.readSession(sessionId))
}

/** False: there was no such approval. The fact joins the journal of the session's latest run. */
export async function revokeApproval(
  deps: { store: Store; clock: Clock; redact: Redact },
  sessionId: string,
  { key, by }: { key: string; by: string },
): Promise<boolean> {
  const events = await deps.store.readSession(sessionId)
  const last = events.findLast(({ mode, scoutId }) => scoutId === null && (mode === 'chat' || mode === 'routine'))
  if (last === undefined || !foldSession(events).approvals.includes(key)) return false
  const { turnId, runId, scoutId, mode } = last
  const log = new RunLog(deps, { sessionId, turnId, runId, scoutId, mode }, { seq: last.seq, hash: last.hash })
  log.note('confirm.answered', { callId: '', answer: 'n', by, keys: [key] }, 'revoked')
  await log.flush()
  return true
}
