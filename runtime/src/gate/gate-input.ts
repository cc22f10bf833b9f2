/** What a stage looks at. All of it is data: the same input always gets the same judgement. */
import type { ActionFacts, Facts } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { ActionProposal, ToolProposal } from '../protocol/proposal.ts'
import type { RunState } from '../protocol/state.ts'
import type { Objection } from '../protocol/verdict.ts'

interface InputBase {
  state: Readonly<RunState>
  policy: Policy
  now: number
  /** The run was cancelled from outside. */
  aborted: boolean
}

export interface ToolInput extends InputBase {
  proposal: ToolProposal
  facts: Facts
}

export interface ActionInput extends InputBase {
  proposal: ActionProposal
  facts: ActionFacts
}

export type GateInput = ToolInput | ActionInput

/** A stage returns its objections; none means that it accepts the proposal. */
export type StageCheck = (input: GateInput) => Objection[]

export function isTool(input: GateInput): input is ToolInput {
  return input.proposal.kind === 'tool'
}
