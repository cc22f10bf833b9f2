/**
 * All event types: one union, facts in the past tense, names as in the seeds. The compiler checks that `fold` handles
 * each type; other readers ignore the types they do not use. Journals of other versions may contain types that are not
 * listed here: every reader must ignore them.
 */
import type { AuthorizedAction, ContextField, IntentBatch, StructuredContext, SuggestedAction } from './action.ts'
import type { BudgetScope } from './budget.ts'
import type { Deed, Facts, PathFact, Trust } from './facts.ts'
import type { TaskIntent, ToolFamily } from './intent.ts'
import type { Attachment } from './media.ts'
import type { FullResult, Message, ModelPurpose, ModelReply, Told, ToolCall, Usage } from './message.ts'
import type { Observation } from './observation.ts'
import type { Autonomy, PolicyNarrowing } from './policy.ts'
import type { Mode, Profile } from './profile.ts'
import type { ReviewCase } from './review.ts'
import type { DecisionRoute, RiskLevel } from './risk.ts'
import type { DecidingRule, LayeredRule } from './rule.ts'
import type { ScoutAdvice } from './scout.ts'
import type { Stop, StopReason } from './stop.ts'
import type {
  Answer,
  ContentCode,
  Denial,
  DenialReason,
  Effect,
  Question,
  Remembered,
  Review,
  ShadowVerdict,
  Stage,
} from './verdict.ts'
import type { Why } from './why.ts'

/** S1's setters: each replaces what the runtime would have determined itself. */
export interface GivenContext {
  history?: Message[]
  skill?: string
  identity?: string
  routine?: string
  /** Origins of the tool results in `history`. */
  origins?: { callId: string; tool: string; trust: Trust; inspection: 'pass' | 'warn' | 'review' | 'block' }[]
  /** Earlier calls per tool, for rate limits. */
  minted?: Record<string, number[]>
  /** The part of the task that the user wrote; the rest was passed on from elsewhere. */
  own?: string
  /** What the author of a workflow requested by writing the node; in older journals the task describes it. */
  deeds?: Deed[]
  /** The answer must be JSON that matches this JSON Schema. */
  outputSchema?: Record<string, unknown>
  /** Files the user gave with the task. */
  attachments?: Attachment[]
  /** Their text, where it is too long to show. */
  attachedText?: FullResult
}

/** Result of the routing phase of a turn (S1's RouteResult). */
export type SkillRoute =
  | { kind: 'skills'; skills: string[] }
  | { kind: 'direct' }
  | { kind: 'clarify'; question: string }

/** The session before this run. */
export interface EarlierTurns {
  turns: number
  /** Without the tokens of their scouts. */
  tokens: number
  /** The last turn, counted from 1, that started scouts. */
  scoutTurn?: number
  /** Intent and end of the last turn. */
  last?: { intent: TaskIntent; stopReason: StopReason }
}

/** Tokens of the prompt before and after. */
export interface Change {
  from: number
  to: number
}

/** The data of the events of scouts. */
export interface ScoutEventData {
  [key: string]: unknown
}

/** The data of each type of event. */
export interface EventData {
  'session.opened': { locale: string }
  'turn.started': { input: string }
  'turn.committed': { reply: string; notices: string[]; stopReason: StopReason; runId: string }
  'run.started': {
    task: string
    profile: Profile
    model: string
    lang: 'en' | 'zh'
    route: DecisionRoute
    tools: string[]
    /** Number of messages from earlier turns, and inherited approvals. */
    history: number
    approvals: string[]
    /** Inherited session rules. */
    rules?: LayeredRule[]
    parentRunId?: string
    earlier?: EarlierTurns
    /** Context set by the program that embeds the agent. */
    given?: GivenContext
    /** Restrictions beyond the configuration, such as the lists of a workflow node. */
    policy?: PolicyNarrowing
    /**
     * The server's restrictions when the run started, in the shape of the configuration. A process that resumes the run
     * applies them too.
     */
    overrides?: Record<string, unknown>
    /** The principal of the run; absent for the local user. */
    owner?: string
    /** In a guarded session: the outside agent that proposes and acts, its own id of the session, and its folder. */
    outside?: { agent: string; id: string; cwd: string }
  }
  'run.parked': { callId: string }
  /** `awayMs`: how long no process worked on the run; this time does not count against its time limit. */
  'run.resumed': { steps: number; awayMs?: number }
  'run.interrupted': { callId?: string }
  /** `inner`: the failure happened in a child run and is counted there. */
  'run.stopped': { stop: Stop; steps: number; toolCalls: number; usage: Usage; inner?: true }
  'intent.detected': { intent: TaskIntent }
  'intent.checked': { phase: 'preflight' | 'completion'; ok: boolean; message: string }
  'route.decided': { route: SkillRoute; tools?: string[]; error?: string }
  /** A skill loaded during the turn. `allowedTools`: the tools it lists; absent when it works with all. */
  'skill.loaded': { callId: string; skill: string; allowedTools?: string[] }
  'model.requested': {
    purpose: ModelPurpose
    model: string
    messages: number
    tools: number
    attempt: number
    /** With a money budget: what this call can cost at most, in US dollars. */
    reservedUsd?: number
    /** For a prediction: the fields of the window that were sent. */
    fields?: ContextField[]
  }
  'model.replied': { purpose: ModelPurpose; reply: ModelReply; usage: Usage; elapsedMs: number }
  /** `message` is English; `why`, absent in older journals, is worded for the reader. */
  'model.failed': {
    purpose: ModelPurpose
    message: string
    why?: Why
    status?: number
    attempt: number
    retryInMs?: number
  }
  'model.delta': { text: string; restart?: true }
  /** A warning level was passed. Amounts are in US dollars; `spent` is without this call, `usd` is what it reserves. */
  'budget.warned': { scope: BudgetScope; limit: number; spent: number; usd: number; text: string }
  /** A model call was refused, which ends the run. `code` is the error's. */
  'budget.stopped': { code: string; model: string; text: string }
  /** A call of an outside agent; see `run.started`. Its model is asked elsewhere, so no reply is journaled. */
  'call.proposed': {
    call: ToolCall
    /** Which of its sub-agents proposes, by the agent's own id and word for its kind. */
    subAgent?: { id: string; type?: string }
  }
  'protocol.malformed': { error: string; text: string }
  'protocol.repair': { hint: string }
  /** The answer, compared with the schema it must match. */
  'output.checked': { ok: boolean; text: string; errors: string[] }
  'gate.decided': {
    callId: string
    tool: string
    args: unknown
    argsHash: string
    route: DecisionRoute
    confidence?: number
    facts: Facts
    decision: 'allow' | 'ask' | 'deny'
    reason?: DenialReason
    all: DenialReason[]
    stage?: Stage
    effect?: Effect
    message?: string
    hint?: string
    code?: ContentCode
    /** The rule that decided, when one matched. */
    rule?: DecidingRule
    shadow?: ShadowVerdict
  }
  /** The reviewer's answer about a call that needs approval. `seen`: all that it was shown. */
  'call.reviewed': Review & { callId: string; tool: string; argsHash: string; basis?: string; seen: ReviewCase }
  'confirm.asked': { question: Question }
  /** `keys`: approved for the rest of the session with `a`, no longer approved with `n`. */
  'confirm.answered': {
    callId: string
    answer: Answer
    by: string
    keys: string[]
    /** Why not, in the person's words. */
    reason?: string
    remembered?: Remembered
    /** Ids of session rules that no longer hold. */
    revoked?: string[]
  }
  /** A person changed the call that a question was about. It is judged again. */
  'confirm.edited': { callId: string; tool: string; before: unknown; after: unknown; by: string }
  'tool.call': {
    callId: string
    tool: string
    family: ToolFamily
    step: number
    args: unknown
    argsHash: string
    /** False: the gate denied the call; the result that follows has the reason. */
    allowed: boolean
    /** True: it counts against the limit of its family under the task's intent (S0). */
    soft: boolean
    idempotent: boolean
  }
  'tool.result': {
    callId: string
    tool: string
    family: ToolFamily
    trust: Trust
    step: number
    observation: Observation
    denial?: Denial
    /** The tool failed and is tried once more: this is not the final result of the call. */
    retried?: true
  }
  'injection.flagged': {
    callId: string
    tool: string
    verdict: 'Block' | 'Review' | 'Warn'
    findings: { rule: string; at: number; weight: number }[]
  }
  /** A person released a withheld result to the model. */
  'injection.released': { callId: string; tool: string; by: string }
  'memory.stored': { id: string; source: string }
  'memory.failed': { message: string }
  /** The memories in the prompt. */
  'memory.recalled': Told
  'window.trimmed': { dropped: number; kept: number }
  /** The provider refused a prompt as too long: what it accepts, in our own tokens. */
  'context.limited': { tokens: number; message: string }
  /** Results and long arguments before this message are shortened in the prompt; the journal keeps them. */
  'context.shortened': { before: number; results: number; tokens: Change }
  /** The text replaces the messages before this one in the prompt, except the task. Empty: the model gave none. */
  'context.summarised': { before: number; messages: number; text: string; tokens: Change }
  'context.prepared': { messages: number }
  'context.persisted': { messages: number }
  'batch.received': {
    windowId: string
    intents: number
    route: DecisionRoute
    reordered: boolean
    /**
     * The complete batch, so that it can be judged again and learned from. `ordinals`: the original position of each
     * intent.
     */
    input?: {
      batch: IntentBatch
      ordinals: number[]
      context: StructuredContext
      /** Resolved paths of the targets. */
      files?: PathFact[]
      rationale_tags: string[]
      latency_us: number
      error: string | null
    }
  }
  'batch.decided': { authorized: number; denied: number; denialCounts: Partial<Record<DenialReason, number>> }
  'action.authorized': AuthorizedAction
  'action.denied': { intent_id: string; action_index: number; action: SuggestedAction; risk: RiskLevel; denial: Denial }
  'action.executed': { intent_id: string; action: SuggestedAction; text: string; elapsedMs: number }
  'action.failed': { intent_id: string; action: SuggestedAction; message: string }
  SCOUT_TRIGGERED: ScoutEventData
  SCOUT_QUEUED: ScoutEventData
  SCOUT_SLOT_ACQUIRED: ScoutEventData
  SCOUT_STARTED: ScoutEventData
  SCOUT_TOOL_CALLED: ScoutEventData
  SCOUT_TOOL_ORDER_VIOLATION: ScoutEventData
  SCOUT_TOOL_LIMIT_REACHED: ScoutEventData
  SCOUT_FORCE_REPORT_REQUIRED: ScoutEventData
  SCOUT_COMPLETED: ScoutEventData
  SCOUT_FAILED: ScoutEventData
  SCOUT_TIMEOUT: ScoutEventData
  SCOUT_ABORTED: ScoutEventData
  SCOUT_SLOT_RELEASED: ScoutEventData
  'scout.state': { from: string; to: string }
  'scout.policy': ScoutAdvice
  'routine.fired': { name: string; dueAt: number; autonomy?: Autonomy; approvals?: string[] }
  'routine.skipped': { name: string; dueAt: number; why: 'missed' | 'overlap' | 'paused' }
  'routine.finished': { name: string; runId: string; stopReason: StopReason }
  'workflow.started': {
    workflow: string
    nodes: number
    /**
     * The complete document, so that the workflow can be resumed. The fingerprint covers document and input before
     * redaction.
     */
    document?: Record<string, unknown>
    input?: Record<string, unknown>
    fingerprint?: string
  }
  /** One for each attempt; the work is in the journal of the run it names. */
  'node.started': { node: string; tool: string; runId?: string; attempt?: number }
  'node.finished': {
    node: string
    ok: boolean
    elapsedMs: number
    message?: string
    state?: 'done' | 'failed' | 'skipped'
    code?: string
    outputs?: Record<string, unknown>
    /** Name of the main output. */
    primary?: string
    /** Name of the output that represents all of them when there is no main one. */
    main?: string
    /** The parts of external outputs that come from the author or the caller. */
    own?: Record<string, unknown>
    /** External: from an untrusted source, or from a node with such input. */
    trust?: Trust
    inspection?: 'pass' | 'warn' | 'review' | 'block'
    /** Skipped because an earlier node failed and no edge handles the failure. */
    blocked?: true
  }
  'workflow.finished': { ok: boolean; elapsedMs: number }
  /**
   * The workspace was recorded for undo: before the first change of a turn, and when the turn ended or parked. `tree` is
   * in the shadow repository; `record` is the hash of the record beside it.
   */
  'workspace.recorded': { phase: 'before' | 'after'; tree: string; record: string; changed?: boolean }
  /** The run goes on, but its changes cannot be undone. */
  'workspace.unrecorded': { reason: 'too_large' | 'no_git' | 'failed'; message?: string }
  /** A person undid changes of this run. `tree`: the workspace just before. */
  'workspace.restored': {
    by: string
    tree: string
    restored: string[]
    conflicts: string[]
    failed: string[]
  }
  'error.internal': { message: string; where: string }
}

/** The types of events. */
export type EventType = keyof EventData

/** The ids on every event; S4 requires them. */
export interface EventPlace {
  sessionId: string
  turnId: string
  runId: string
  scoutId: string | null
  mode: Mode
}

/** An event of one type. */
export type EventOf<T extends EventType> = EventPlace & {
  seq: number
  type: T
  /** Milliseconds since 1970. */
  timestamp: number
  /** Why it happened, as a word or code; empty when the type is enough. */
  reason: string
  data: EventData[T]
}

/** Before it has a place in the hash chain. */
export type Event = { [T in EventType]: EventOf<T> }[EventType]

/**
 * As stored: the hash covers the event and the previous hash.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const { runId } = await agent.run('read notes.txt')
 * for (const event of await agent.events(runId)) {
 *   if (event.type === 'gate.decided') console.log(event.data.decision) // allow
 * }
 * ```
 */
export type StoredEvent = Event & { hash: string }

/** Streamed, never stored. */
export function isEphemeral(type: EventType): boolean {
  return type === 'model.delta'
}
