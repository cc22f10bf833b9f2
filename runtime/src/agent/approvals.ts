/** What a session allows beyond the configuration: standing approvals given with `a`, and its rules. */
import type { Clock } from '../base/clock.ts'
import { present } from '../base/present.ts'
import { ruleId } from '../config/rule-id.ts'
import type { Redact } from '../journal/redact.ts'
import { continueLog } from '../journal/run-lifecycle.ts'
import { foldSession } from '../journal/session.ts'
import { type StandingRights, standingRights } from '../journal/standing-approvals.ts'
import type { Store } from '../journal/store.ts'

export async function standingRightsOf(store: Store, sessionId: string): Promise<StandingRights> {
  return standingRights(await store.readSession(sessionId))
}

/** The key of a standing approval, or the id of a session rule. */
export type Revocable = { key: string } | { rule: string }

/** False: there was no such approval or rule. Recorded in the journal of the session's latest run. */
export async function revokeRight(
  deps: { store: Store; clock: Clock; redact: Redact },
  sessionId: string,
  { by, ...what }: Revocable & { by: string },
): Promise<boolean> {
  const events = await deps.store.readSession(sessionId)
  const last = events.findLast(({ mode, scoutId }) => scoutId === null && (mode === 'chat' || mode === 'routine'))
  const { approvals, rules } = foldSession(events)
  const isThere = 'key' in what ? approvals.includes(what.key) : rules.some((rule) => ruleId(rule) === what.rule)
  if (last === undefined || !isThere) return false
  const log = continueLog(deps, last)
  const keys = 'key' in what ? [what.key] : []
  const revoked = 'rule' in what ? [what.rule] : undefined
  log.note('confirm.answered', { callId: '', answer: 'n', by, keys, ...present({ revoked }) }, 'revoked')
  await log.flush()
  return true
}
