/** The standing approvals and rules of a session, if its journal verifies. */
import type { StoredEvent } from '../protocol/event.ts'
import { foldSession, type SessionState } from './session.ts'
import { ChainCheck } from './verify.ts'

export type StandingRights = Pick<SessionState, 'approvals' | 'rules'>

/**
 * None while a run of the session does not verify: the approval itself may have been inserted, and asking again is
 * harmless.
 */
export function standingRights(
  events: readonly StoredEvent[],
  { approvals, rules }: StandingRights = foldSession(events),
): StandingRights {
  const isEmpty = approvals.length === 0 && rules.length === 0
  return isEmpty || !areWhole(events) ? { approvals: [], rules: [] } : { approvals, rules }
}

function areWhole(events: readonly StoredEvent[]): boolean {
  const checks = new Map<string, ChainCheck>()
  for (const event of events) {
    const check = checks.get(event.runId) ?? new ChainCheck()
    check.add(event)
    checks.set(event.runId, check)
  }
  return [...checks.values()].every((check) => check.breach === undefined && check.strayedAfter(0) === undefined)
}
