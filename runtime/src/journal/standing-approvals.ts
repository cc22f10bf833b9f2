/** The standing approvals of a session, if its journal verifies. */
import type { StoredEvent } from '../protocol/event.ts'
import { foldSession } from './session.ts'
import { ChainCheck } from './verify.ts'

/**
 * None while a run of the session does not verify: the approval itself may have been inserted, and asking again is
 * harmless.
 */
export function standingApprovals(events: readonly StoredEvent[], { approvals } = foldSession(events)): string[] {
  return approvals.length === 0 || !areWhole(events) ? [] : approvals
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
