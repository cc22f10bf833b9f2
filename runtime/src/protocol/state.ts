/** The state of a run: always equal to the fold of its journal. */

import type { PassedLimit } from './budget.ts'
import type { EarlierTurns, GivenContext, SkillRoute } from './event.ts'
import type { Deed, Trust } from './facts.ts'
import type { TaskIntent, ToolFamily } from './intent.ts'
import type { Message, Said, Told, ToolCall, Usage } from './message.ts'
import type { Profile } from './profile.ts'
import type { DecisionRoute } from './risk.ts'
import type { LayeredRule } from './rule.ts'
import type { ScoutAdvice } from './scout.ts'
import type { Stop } from './stop.ts'
import type { Question, Review } from './verdict.ts'

/** The origin of a text the model has read. */
export interface Origin {
  callId: string
  tool: string
  trust: Trust
  inspection: 'pass' | 'warn' | 'review' | 'block'
  /** Absent when only the text is known, not the tool. */
  family?: ToolFamily
  /** A denial, or a failure of an internal tool: both only repeat what was proposed. */
  refused?: true
}

/** An allowed change, and whether a person was asked first. These are counted against what the task asked for. */
export interface DeedDone {
  callId: string
  deed: Deed
  targets: string[]
  asked: boolean
}

/** The reviewer's answer about a call without a result. It holds for these arguments and this basis. */
export interface CallReview {
  callId: string
  argsHash: string
  basis?: string
  review: Review
}

/** As in `budget.warned`. */
export type BudgetWarning = Pick<PassedLimit, 'scope' | 'limit'> & { text: string }
/** What is left out of the prompts of a run. The messages themselves stay complete. */
export interface Cuts {
  /** Results and long arguments before this message are shortened. */
  shortened: number
  /** Replaces the messages before `before`, except the task. */
  summary?: { before: number; text: string }
  /** Tokens the provider accepts, learned from its refusal. */
  limit?: number
}

/** What a run no longer has is set to undefined: reading an object that something was deleted from is slow. */
export interface RunState {
  runId: string
  sessionId: string
  turnId: string
  parentRunId?: string
  profile: Profile
  route: DecisionRoute
  /** The model it was started with. */
  model: string
  lang: 'en' | 'zh'
  task: string
  taskIntent: TaskIntent
  startedAt: number
  /** Model replies so far. */
  steps: number
  /** Writs minted so far; denied calls do not count. */
  toolCalls: number
  usage: Usage
  /** The conversation, oldest first, including earlier turns of the session. */
  messages: Message[]
  cuts: Cuts
  /** Calls of the last reply without a result, in order. */
  pending: ToolCall[]
  /** The pending call that was allowed and has no result yet. */
  running?: { callId: string; idempotent: boolean } | undefined
  /** The open approval question. */
  question?: Question | undefined
  reviews?: CallReview[] | undefined
  /** The last change a person made to the pending call; it has no result yet. */
  edited?: { callId: string; by: string } | undefined
  /** What a person typed about the call that has no result yet. */
  said?: Said[] | undefined
  /** Consecutive malformed replies, and consecutive failed or denied calls. */
  malformed: number
  failures: number
  /** The last result, as the fingerprint of call and outcome, and how often in a row it came. */
  repeat?: { tool: string; key: string; step: number; times: number }
  /** The message of the last failure. */
  lastError: string
  /** Allowed calls of soft-allowed families (S0). */
  softCalls: number
  /** Calls denied because of the task's intent. */
  blocks: number
  /** Successful calls per family. */
  hits: Partial<Record<ToolFamily, number>>
  /** Approved and denied actions per S2 intent. */
  approvedActions: Record<string, number>
  /** Successful calls per tool, for order rules. */
  succeeded: Record<string, number>
  /** Times of recent writs per tool, for rate limits. */
  minted: Record<string, number[]>
  origins: Origin[]
  /** Memories in the prompts of this run and of earlier turns. */
  recalled: Told[]
  deeds: DeedDone[]
  /** The pending call that is not a plain read, and whether such a call has succeeded. */
  changing?: string
  changed?: true
  /** Keys approved for the rest of the session. */
  approvals: string[]
  /** Rules remembered for the rest of the session. */
  rules?: LayeredRule[]
  /** The last text beside calls, shown when the run ends without an answer. */
  draft: string
  /** Money budget: the questions a person approved, the warnings given, and whether a call was reserved. */
  budget?: { approved: string[]; warned: BudgetWarning[]; metered: boolean }
  /** The last recording of the workspace; open until the turn ends or parks. */
  recording?: { tree: string; record: string; isOpen: boolean }
  /** Why this run cannot be undone. `isTold`: an earlier turn of the session could not either, and said so. */
  unrecorded?: { reason?: string; message?: string; isTold: boolean }
  /** Set when the soft token budget is spent: the next reply is the last. */
  lastStep: boolean
  given: GivenContext
  earlier?: EarlierTurns
  /** Set when scouts would help with the task. */
  advice?: ScoutAdvice
  /** A scout that answered in prose was reminded once that only a report counts. */
  urged?: true
  skillRoute?: SkillRoute
  /** The tools before routed skills removed some; absent when they removed none. */
  unnarrowed?: Profile['exposure'] | undefined
  /** Results of the two intent checks, before the first model call and before a final answer, and of the output's. */
  checked: { preflight?: boolean; completion?: boolean; output?: 'ok' | 'retried' }
  /** How the run will end once all pending calls have results. */
  outcome?: Stop | undefined
  /** How it ended. */
  stop?: Stop
}
