/**
 * What a node may do on its author's word. The document is a person's yes given beforehand: to the tools it names, to
 * nothing of high risk, and to no target that only a stranger has named.
 */

import type { JsonObject } from '../base/json.ts'
import { matchesDomain } from '../gate/domain.ts'
import { type Heard, isVouchedFor } from '../gate/sightings.ts'
import type { GivenContext } from '../protocol/event.ts'
import type { Deed, Facts, TargetFact, Trust } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Origin } from '../protocol/state.ts'
import type { WorkflowNode } from './document.ts'

/** What a node was fed with: how another one ended, and whose words that was. */
export interface Fed {
  node: string
  tool: string
  text: string
  trust: Trust
  inspection: Origin['inspection']
}

export interface Authored {
  node: WorkflowNode
  /** The arguments with what strangers said left out: all of it is the author's or the caller's word. */
  authored: JsonObject
  /** Addresses that the author or the caller gave, also where the journal masks the rest of them. */
  hosts: readonly string[]
  fed: readonly Fed[]
}

/** A stranger's words stay a stranger's, also after a tool of ours has rewritten them. */
export function isTainted(fed: readonly Fed[]): boolean {
  return fed.some(({ trust }) => trust === 'external')
}

/** What was said before the call, as the gate reads it. */
export function heard(fed: readonly Fed[]): Required<Pick<GivenContext, 'history' | 'origins'>> {
  const callId = ({ node }: Fed) => `nodes.${node}`
  return {
    history: fed.map((one) => ({ role: 'tool', callId: callId(one), tool: one.tool, content: one.text })),
    origins: fed.map((one) => ({ callId: callId(one), tool: one.tool, trust: one.trust, inspection: one.inspection })),
  }
}

/** `task` is what provenance takes for the user's words; `approvals` lift what only the risk of a call speaks against. */
export function authority(node: Authored, facts: Facts, policy: Policy): { task: string; approvals: string[] } {
  const strange = strangeTargets(node, facts, policy)
  if (strange.length > 0) return { task: 'A node of a workflow.', approvals: [] }
  return { task: words(node, facts), approvals: approvals(node, facts, policy) }
}

/** In writing a tool down as a node, its author asks for what it does. */
const ASKED: Readonly<Record<Deed, string>> = {
  exec: 'Execute',
  payment: 'Pay',
  delete: 'Delete',
  share: 'Share',
  account: 'Register',
  order: 'Order',
  send: 'Send',
  write: 'Write',
  browse: 'Open',
  read: 'Read',
}

function words({ node, authored, hosts }: Authored, { deed, hosts: called = [] }: Facts): string {
  const { allowed_domains: domains = [] } = node
  const named = called.filter((place) => domains.some((entry) => matchesDomain(entry, place))).map(({ host }) => host)
  const verb = deed === undefined ? 'Use' : `${ASKED[deed]} it with`
  return [`${verb} ${node.tool}: ${JSON.stringify(authored)}`, ...hosts, ...named].join('\n')
}

/** What a node that was fed with a stranger's words aims at, and neither its author nor the configuration has named. */
export function strangeTargets(node: Authored, facts: Facts, policy: Policy): string[] {
  if (!isTainted(node.fed)) return []
  const { history, origins } = heard(node.fed)
  const said: Heard = { messages: [...history, { role: 'user', content: words(node, facts) }], origins }
  const written = (facts.paths ?? []).filter(({ access }) => access === 'write')
  // A tool of one service is held to that service's hosts by the policy, and the operator has set up which.
  const called = policy.security.toolHosts?.[node.node.tool] === undefined ? (facts.hosts ?? []) : []
  const targets: TargetFact[] = [
    ...(facts.targets ?? []),
    ...called.map(({ host }): TargetFact => ({ kind: 'host', value: host })),
    ...written.map(({ path }): TargetFact => ({ kind: 'path', value: path })),
  ]
  return targets.filter((target) => !isVouchedFor(target, said, policy.security)).map(({ value }) => value)
}

/**
 * A command is a program: one that a stranger had a part in was not written by the author, and one that is not on the
 * list is not on it here either.
 */
function approvals({ node, fed }: Authored, { command, approvalKeys }: Facts, policy: Policy): string[] {
  const keys = approvalKeys ?? [node.tool]
  if (command === undefined) return keys
  const { allowedCommands } = policy.security
  const listed = command.bases.every((base) => allowedCommands.includes(base) || allowedCommands.includes('*'))
  return listed && !isTainted(fed) ? keys : []
}
