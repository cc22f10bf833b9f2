import type { SuggestedAction } from './action.ts'
import type { DecisionRoute, RiskLevel } from './risk.ts'

/** A requested action; the only thing the gate judges. */
export type Proposal = ToolProposal | ActionProposal

/** What every proposal has. */
export interface ProposalBase {
  id: string
  runId: string
  step: number
  route: DecisionRoute
  confidence?: number
}

/** A proposed call of a tool. */
export interface ToolProposal extends ProposalBase {
  kind: 'tool'
  tool: string
  args: unknown
}

/** A proposed action of a decision. */
export interface ActionProposal extends ProposalBase {
  kind: 'action'
  intentId: string
  risk: RiskLevel
  /** The intent is Idle, so no action is expected. */
  idle?: boolean
  action: SuggestedAction
}
