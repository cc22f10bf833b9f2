/**
 * What a node may do on its author's word. The document is a person's yes given beforehand: to the tools it names, to
 * nothing of high risk, and no target that only untrusted text has named.
 */

import type { JsonObject } from '../base/json.ts'
import { matchesDomain } from '../gate/domain.ts'
import type { Conversation } from '../gate/speakers.ts'
import { unlistedCommands } from '../gate/stages/content.ts'
import { isTrustedTarget } from '../gate/trusted-targets.ts'
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
  /** The arguments without untrusted text: all of it comes from the author or the caller. */
  authored: JsonObject
  /** Addresses that the author or the caller gave, also where the journal masks the rest of them. */
  hosts: readonly string[]
  fed: readonly Fed[]
}

/** Untrusted text stays untrusted, also after one of our tools has rewritten it. */
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

/**
 * `task` names what the author named, `deeds` is what the author requested; provenance takes both for the user's.
 * `approvals` lift objections to the risk of the call.
 */
export function authority(
  node: Authored,
  facts: Facts,
  policy: Policy,
): { task: string; deeds: Deed[]; approvals: string[] } {
  const untrusted = untrustedTargets(node, facts, policy)
  if (untrusted.length > 0) return { task: 'A node of a workflow.', deeds: [], approvals: [] }
  // By writing a tool down as a node, its author requests what it does.
  const deeds = facts.deed === undefined ? [] : [facts.deed]
  return { task: authoredText(node, facts), deeds, approvals: approvals(node, facts, policy) }
}

/** Everything that the author or the configuration of the node has named. */
function authoredText({ node, authored, hosts }: Authored, { hosts: called = [] }: Facts): string {
  const { allowed_domains: domains = [] } = node
  const named = called.filter((place) => domains.some((entry) => matchesDomain(entry, place))).map(({ host }) => host)
  return [`Use ${node.tool}: ${JSON.stringify(authored)}`, ...hosts, ...named].join('\n')
}

/** Targets of a node with untrusted input that neither its author nor the configuration has named. */
export function untrustedTargets(node: Authored, facts: Facts, policy: Policy): string[] {
  if (!isTainted(node.fed)) return []
  const { history, origins } = heard(node.fed)
  const said: Conversation = { messages: [...history, { role: 'user', content: authoredText(node, facts) }], origins }
  const written = (facts.paths ?? []).filter(({ access }) => access === 'write')
  // A tool of one service is held to that service's hosts by the policy, and the operator has set up which.
  const called = policy.security.toolHosts?.[node.node.tool] === undefined ? (facts.hosts ?? []) : []
  const targets: TargetFact[] = [
    ...(facts.targets ?? []),
    ...called.map(({ host }): TargetFact => ({ kind: 'host', value: host })),
    ...written.map(({ path }): TargetFact => ({ kind: 'path', value: path })),
  ]
  return targets.filter((target) => !isTrustedTarget(target, said, policy.security)).map(({ value }) => value)
}

/**
 * A command is a program: one with untrusted parts was not written by the author, and one that is not on the
 * list is not on it here either.
 */
function approvals({ node, fed }: Authored, { command, approvalKeys }: Facts, policy: Policy): string[] {
  const keys = approvalKeys ?? [node.tool]
  if (command === undefined) return keys
  const listed = unlistedCommands(command, policy.security.allowedCommands).length === 0
  return listed && !isTainted(fed) ? keys : []
}
