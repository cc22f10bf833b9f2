/** What is known of a run, and nothing else: always equal to the fold of its journal. */

import type { EarlierTurns, GivenContext, SkillRoute } from './event.ts'
import type { Deed, Trust } from './facts.ts'
import type { TaskIntent, ToolFamily } from './intent.ts'
import type { Message, Told, ToolCall, Usage } from './message.ts'
import type { Profile } from './profile.ts'
import type { DecisionRoute } from './risk.ts'
import type { ScoutAdvice } from './scout.ts'
import type { Stop } from './stop.ts'
import type { Question } from './verdict.ts'

/** Where a piece of text the model has seen came from. */
export interface Origin {
  callId: string
  tool: string
  trust: Trust
  inspection: 'pass' | 'warn' | 'review' | 'block'
  /** Of the tool; absent where only the text was handed on. */
  family?: ToolFamily
  /** The gate's refusal, or the failure of a tool of ours: both only repeat what was proposed. */
  refused?: true
}

/** A change that was let through, and whether a person was asked first: what the task asked for is counted by these. */
export interface DeedDone {
  callId: string
  deed: Deed
  targets: string[]
  asked: boolean
}

export interface RunState {
  runId: string
  sessionId: string
  turnId: string
  parentRunId?: string
  profile: Profile
  route: DecisionRoute
  lang: 'en' | 'zh'
  task: string
  taskIntent: TaskIntent
  startedAt: number
  /** Model replies so far. */
  steps: number
  /** Writs minted so far; refused calls are free. */
  toolCalls: number
  usage: Usage
  /** What the model is shown, oldest first; earlier turns of the session included. */
  messages: Message[]
  /** Calls of the last reply that have no result yet, in order. */
  pending: ToolCall[]
  /** The pending call that was let through and has not settled. */
  running?: { callId: string; idempotent: boolean }
  /** The question that waits for a person. */
  question?: Question
  /** Malformed replies in a row, and failed or refused calls in a row. */
  malformed: number
  failures: number
  /** What the last of those said. */
  lastError: string
  /** Calls of soft-allowed families let through (S0). */
  softCalls: number
  /** Calls blocked by the task's intent. */
  blocks: number
  /** Successful calls per family. */
  hits: Partial<Record<ToolFamily, number>>
  /** Approved and denied actions per S2 intent. */
  approvedActions: Record<string, number>
  /** Successful calls per tool, for order rules. */
  succeeded: Record<string, number>
  /** When each tool's recent writs were minted, for rate rules. */
  minted: Record<string, number[]>
  origins: Origin[]
  /** Memories in the prompts of this run and of earlier turns. */
  recalled: Told[]
  deeds: DeedDone[]
  /** Keys a person approved for the rest of the session. */
  approvals: string[]
  /** The last text a model wrote beside its calls: what is left to show when the run is cut short. */
  draft: string
  /** Set when the soft token budget was crossed: the next reply is the last. */
  lastStep: boolean
  given: GivenContext
  earlier?: EarlierTurns
  /** Set when looking things up would help with the task. */
  advice?: ScoutAdvice
  /** A scout that answered in prose was told once that only a report counts. */
  urged?: true
  skillRoute?: SkillRoute
  /** What the run could see before routed skills took tools away; absent: they took none. */
  unnarrowed?: Profile['exposure']
  /** The two checks of the task's intent, once made: before the first model call, and before a final answer. */
  checked: { preflight?: boolean; completion?: boolean }
  /** How the run will end, once what is pending has been settled. */
  outcome?: Stop
  /** How it ended. */
  stop?: Stop
}
