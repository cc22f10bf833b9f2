/** Judging with another policy than the one in force: a what-if, or a shadow. */
import type { Facts } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import { hostAllowed } from '../tool/guard/hosts.ts'

export interface OtherPolicy {
  policy: Policy
  /** `agent.tools.disabled` of the other configuration. */
  disabledTools: readonly string[]
}

/** Their risk depends on the policy: Low where it allows the host. */
const RISK_BY_HOST = ['http_request', 'browser_open']

/** A tool can be hidden in retrospect, never exposed: the facts of its call were not gathered. */
export function factsUnder(facts: Facts, by: { tool: string; policy: Policy; hidden: boolean }): Facts {
  const exposed = facts.exposed && !by.hidden
  const { hosts = [], readOnly } = facts
  if (!RISK_BY_HOST.includes(by.tool) || !readOnly || hosts.length === 0) return { ...facts, exposed }
  const named = hosts.every(({ host, port }) => hostAllowed(host, port, by.policy.security.allowedHosts))
  return { ...facts, exposed, risk: named ? 'Low' : 'Medium' }
}

/** `agent.tools.disabled` applies to chats and routines; nodes and scouts have lists of their own. */
export function hidesTools({ profile: { mode } }: { profile: { mode: string } }): boolean {
  return mode === 'chat' || mode === 'routine'
}
