/** What the owner of a guarded session gets and gives. */
import type { Observation } from '../protocol/observation.ts'
import type { DenialReason, Question } from '../protocol/verdict.ts'

/** What an outside agent wants to do. */
export interface OutsideProposal {
  tool: string
  args: unknown
  /** The agent's own id of the call. A new one when absent. */
  callId?: string
  /** The folder the agent works in at this moment; the session's when absent. */
  cwd?: string
  /** The sub-agent that proposes it. Its calls are judged like all others; the journal and the console name it. */
  subAgent?: { id: string; type?: string }
}

/** The decision on a proposed call. It is in the journal, on disk, before it is returned. */
export interface GuardVerdict {
  callId: string
  runId: string
  /** `ask`: a person has to approve. In an attended session, reporting a result says that the person did. */
  decision: 'allow' | 'ask' | 'deny'
  /** Every reason against it. */
  reasons: DenialReason[]
  /** What the agent is told; empty for an allow. */
  message: string
  hint?: string
  /** The run is over: nothing more is allowed until the user's next message. */
  stops: boolean
  /** With `ask`. */
  question?: Question
  /** With `ask` in an unattended session: the question waits in the journal for `writ resume` or the console. */
  isParked?: true
}

/** What became of a call that Writ made for an outside agent. */
export interface Performed {
  verdict: GuardVerdict
  /** With an allow: the result, and what the inspection said about it. */
  observation?: Observation
  observed?: Observed
}

/** What the inspection said about a result, and the text to show instead. */
export interface Observed {
  verdict: 'pass' | 'warn' | 'review' | 'block'
  findings: readonly { rule: string; at: number; weight: number }[]
  /** Present where the result holds prompt injection: what the agent is to read in its place. */
  text?: string
}
