/** What a stage looks at. Everything in it is data: the same matter is always judged the same. */
import type { ActionFacts, Facts } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { ActionProposal, ToolProposal } from '../protocol/proposal.ts'
import type { RunState } from '../protocol/state.ts'
import type { Objection } from '../protocol/verdict.ts'

interface MatterBase {
  state: Readonly<RunState>
  policy: Policy
  now: number
  /** True once the run was cancelled from outside. */
  aborted: boolean
}

export interface ToolMatter extends MatterBase {
  proposal: ToolProposal
  facts: Facts
}

export interface ActionMatter extends MatterBase {
  proposal: ActionProposal
  facts: ActionFacts
}

export type Matter = ToolMatter | ActionMatter

/** A stage answers with its objections; none means it has nothing against the proposal. */
export type StageCheck = (matter: Matter) => Objection[]

export function isTool(matter: Matter): matter is ToolMatter {
  return matter.proposal.kind === 'tool'
}
