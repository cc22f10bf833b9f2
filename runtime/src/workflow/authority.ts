/**
 * What a node may do because its author wrote it. The document is an approval given in advance: for the tools it
 * names, for nothing of High risk, and for no target that only an untrusted text has named.
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

/** A value a node got from another one: how that one ended, and who wrote the text. */
export interface NodeInput {
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
  inputs: readonly NodeInput[]
}

/** Untrusted text stays untrusted after one of our tools has rewritten it. */
export function hasUntrustedInput(inputs: readonly NodeInput[]): boolean {
  return inputs.some(({ trust }) => trust === 'external')
}

/** The conversation before the call, as the gate reads it. */
export function conversationOf(inputs: readonly NodeInput[]): Required<Pick<GivenContext, 'history' | 'origins'>> {
  const callId = ({ node }: NodeInput) => `nodes.${node}`
  return {
    history: inputs.map((one) => ({ role: 'tool', callId: callId(one), tool: one.tool, content: one.text })),
    origins: inputs.map((one) => ({
      callId: callId(one),
      tool: one.tool,
      trust: one.trust,
      inspection: one.inspection,
    })),
  }
}

/**
 * `task` contains what the author named, `deeds` what the author requested; provenance treats both as the user's.
 * `approvals` lift objections to the risk of the call.
 */
export function authority(
  node: Authored,
  facts: Facts,
  policy: Policy,
): { task: string; deeds: Deed[]; approvals: string[] } {
  const untrusted = untrustedTargets(node, facts, policy)
  if (untrusted.length > 0) return { task: 'A node of a workflow.', deeds: [], approvals: [] }
  // An author who makes a tool a node requests what that tool does.
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
  if (!hasUntrustedInput(node.inputs)) return []
  const { history, origins } = conversationOf(node.inputs)
  const said: Conversation = { messages: [...history, { role: 'user', content: authoredText(node, facts) }], origins }
  const written = (facts.paths ?? []).filter(({ access }) => access === 'write')
  // The policy limits the tool of a service to that service's hosts, which the operator has configured.
  const called = policy.security.toolHosts?.[node.node.tool] === undefined ? (facts.hosts ?? []) : []
  const targets: TargetFact[] = [
    ...(facts.targets ?? []),
    ...called.map(({ host }): TargetFact => ({ kind: 'host', value: host })),
    ...written.map(({ path }): TargetFact => ({ kind: 'path', value: path })),
  ]
  return targets.filter((target) => !isTrustedTarget(target, said, policy.security)).map(({ value }) => value)
}

/**
 * A command is a program: with untrusted parts, the author did not write it. And a command that is not listed is not
 * allowed here either.
 */
function approvals({ node, inputs }: Authored, { command, approvalKeys }: Facts, policy: Policy): string[] {
  const keys = approvalKeys ?? [node.tool]
  if (command === undefined) return keys
  const listed = unlistedCommands(command, policy.security.allowedCommands).length === 0
  return listed && !hasUntrustedInput(inputs) ? keys : []
}
