/** The shadow policy judges every call too. Its verdict is recorded where it differs, and has no other effect. */
import { present } from '../base/present.ts'
import { judge } from '../gate/gate.ts'
import type { ToolInput } from '../gate/gate-input.ts'
import type { Judgement, ShadowVerdict } from '../protocol/verdict.ts'
import { narrowedTo, narrowingOf } from './narrowing.ts'
import { factsUnder, hidesTools, type OtherPolicy } from './other-policy.ts'

export function shadowVerdict(input: ToolInput, judgement: Judgement, shadow: OtherPolicy): ShadowVerdict | undefined {
  const { tool } = input.proposal
  // The restrictions of this run apply to both.
  const policy = narrowedTo(shadow.policy, narrowingOf(input.policy))
  const hidden = hidesTools(input.state) && shadow.disabledTools.includes(tool)
  const other = judge({ ...input, policy, facts: factsUnder(input.facts, { tool, policy, hidden }) })
  if (other.decision === judgement.decision) return undefined
  const reason = other.decision === 'allow' ? undefined : other.denial.reason
  return { decision: other.decision, ...present({ reason, rule: other.rule }) }
}
