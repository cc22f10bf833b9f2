import type { SuggestedAction } from './action.ts'
import type { DecisionRoute, RiskLevel } from './risk.ts'

/** A requested action; the only thing the gate judges. */
export type Proposal = ToolProposal | ActionProposal

interface ProposalBase {
  id: string
  runId: string
  step: number
  route: DecisionRoute
  confidence?: number
}

export interface ToolProposal extends ProposalBase {
  kind: 'tool'
  tool: string
  args: unknown
}

export interface ActionProposal extends ProposalBase {
  kind: 'action'
  intentId: string
  risk: RiskLevel
  /** The intent is Idle, so no action is expected. */
  idle?: boolean
  action: SuggestedAction
}
