/**
 * The journal's vocabulary: one union, facts in the past tense, seed names verbatim.
 * Adding a type here breaks `fold`, `trace` and every other exhaustive reader until they say what it means.
 */
import type { AuthorizedAction, ContextField, IntentBatch, StructuredContext, SuggestedAction } from './action.ts'
import type { Facts, PathFact, Trust } from './facts.ts'
import type { TaskIntent, ToolFamily } from './intent.ts'
import type { Message, ModelPurpose, ModelReply, Told, Usage } from './message.ts'
import type { Observation } from './observation.ts'
import type { Autonomy, PolicyNarrowing } from './policy.ts'
import type { Mode, Profile } from './profile.ts'
import type { DecisionRoute, RiskLevel } from './risk.ts'
import type { ScoutAdvice } from './scout.ts'
import type { Stop, StopReason } from './stop.ts'
import type { Answer, ContentCode, Denial, DenialReason, Effect, Question, Stage } from './verdict.ts'

/** S1's setters: each takes the place of what the runtime would have found by itself. */
export interface GivenContext {
  history?: Message[]
  skill?: string
  identity?: string
  routine?: string
  /** Where the results among the history came from. */
  origins?: { callId: string; tool: string; trust: Trust; inspection: 'pass' | 'warn' | 'review' | 'block' }[]
  /** When each tool was called beside this run, for rate rules. */
  minted?: Record<string, number[]>
  /** What of the task is the user's own word, where the rest was only handed on. */
  own?: string
}

/** What the first phase of a turn decided (S1's RouteResult). */
export type SkillRoute =
  | { kind: 'skills'; skills: string[] }
  | { kind: 'direct' }
  | { kind: 'clarify'; question: string }

/** What the session had behind it when a run began. */
export interface EarlierTurns {
  turns: number
  /** Tokens of those turns' own runs; what their scouts took is counted apart. */
  tokens: number
  /** The last turn, counted from 1, that sent scouts. */
  scoutTurn?: number
  /** What the last turn was about, and how it ended. */
  last?: { intent: TaskIntent; stopReason: StopReason }
}

interface ScoutEventData {
  [key: string]: unknown
}

export interface EventData {
  'session.opened': { locale: string }
  'session.closed': Record<string, never>
  'config.loaded': { sources: string[]; fingerprint: string }
  'config.migrated': { file: string; keys: string[] }
  'turn.started': { input: string }
  'turn.committed': { reply: string; notices: string[]; stopReason: StopReason; runId: string }
  'run.started': {
    task: string
    profile: Profile
    model: string
    lang: 'en' | 'zh'
    route: DecisionRoute
    tools: string[]
    /** Messages of earlier turns this run began with, and approvals it inherited. */
    history: number
    approvals: string[]
    parentRunId?: string
    earlier?: EarlierTurns
    /** What the program that runs the agent put in by hand. */
    given?: GivenContext
    /** Where it is held to less than the configuration: a workflow node's own lists. */
    policy?: PolicyNarrowing
    /** What a server held new runs to when it began, in the shape of the configuration; whoever goes on with it is held to it. */
    overrides?: Record<string, unknown>
    /** Whom it works for; absent: the local user. */
    owner?: string
  }
  'run.parked': { callId: string }
  /** `awayMs`: how long nothing worked on it; its time limit stands still meanwhile. */
  'run.resumed': { steps: number; awayMs?: number }
  'run.interrupted': { callId?: string }
  /** `inner`: what went wrong did so in a run inside this one, and is counted there. */
  'run.stopped': { stop: Stop; steps: number; toolCalls: number; usage: Usage; inner?: true }
  'intent.detected': { intent: TaskIntent }
  'intent.checked': { phase: 'preflight' | 'completion'; ok: boolean; message: string }
  'route.decided': { route: SkillRoute; tools?: string[]; error?: string }
  /** Instructions read during the turn. `allowedTools`: what its author lists; absent: it works with all. */
  'skill.loaded': { callId: string; skill: string; allowedTools?: string[] }
  'model.requested': {
    purpose: ModelPurpose
    model: string
    messages: number
    tools: number
    attempt: number
    /** Of a prediction: the fields of the observed window that were sent. */
    fields?: ContextField[]
  }
  'model.replied': { purpose: ModelPurpose; reply: ModelReply; usage: Usage; elapsedMs: number }
  'model.failed': { purpose: ModelPurpose; message: string; status?: number; attempt: number; retryInMs?: number }
  'model.delta': { text: string; restart?: true }
  'protocol.malformed': { error: string; text: string }
  'protocol.repair': { hint: string }
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
  }
  'confirm.asked': { question: Question }
  /** `keys`: with `a`, what is allowed from now on in this session; with `n`, what no longer is. */
  'confirm.answered': { callId: string; answer: Answer; by: string; keys: string[] }
  'tool.call': {
    callId: string
    tool: string
    family: ToolFamily
    step: number
    args: unknown
    argsHash: string
    /** False: the gate refused, and the result that follows says why. */
    allowed: boolean
    /** True: it used up one of the few calls its family has under the task's intent (S0). */
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
    /** The tool broke and is tried once more: not yet the call's result. */
    retried?: true
  }
  'injection.flagged': {
    callId: string
    tool: string
    verdict: 'Block' | 'Review' | 'Warn'
    findings: { rule: string; at: number; weight: number }[]
  }
  /** A person let the model read what was withheld of a result. */
  'injection.released': { callId: string; tool: string; by: string }
  'memory.stored': { id: string; source: string }
  'memory.failed': { message: string }
  /** What stood in the prompt. */
  'memory.recalled': Told
  'window.trimmed': { dropped: number; kept: number }
  'context.prepared': { messages: number }
  'context.persisted': { messages: number }
  'batch.received': {
    windowId: string
    intents: number
    route: DecisionRoute
    reordered: boolean
    /** All of it, so that it can be judged again and learned from. `ordinals`: where each intent stood before. */
    input?: {
      batch: IntentBatch
      ordinals: number[]
      context: StructuredContext
      /** Where targets that are paths really led. */
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
    /** All of it, so that it can be taken up again; the fingerprint is of both as they were given, unmasked. */
    document?: Record<string, unknown>
    input?: Record<string, unknown>
    fingerprint?: string
  }
  /** One for each attempt; what is done in it stands in the journal of the run it names. */
  'node.started': { node: string; tool: string; runId?: string; attempt?: number }
  'node.finished': {
    node: string
    ok: boolean
    elapsedMs: number
    message?: string
    state?: 'done' | 'failed' | 'skipped'
    code?: string
    outputs?: Record<string, unknown>
    /** Which of the outputs is the main one. */
    primary?: string
    /** Which of the outputs stands for all of them where there is no main one. */
    main?: string
    /** Of external outputs: what of them is the author's or the caller's own word. */
    own?: Record<string, unknown>
    /** Whose words the outputs are: those of a stranger, or of a node that was fed with a stranger's, are external. */
    trust?: Trust
    inspection?: 'pass' | 'warn' | 'review' | 'block'
    /** Skipped because something before it failed, and nothing took care of that. */
    blocked?: true
  }
  'workflow.finished': { ok: boolean; elapsedMs: number }
  'error.internal': { message: string; where: string }
}

export type EventType = keyof EventData

/** Where an event belongs; S4's required fields on every one. */
export interface EventPlace {
  sessionId: string
  turnId: string
  runId: string
  scoutId: string | null
  mode: Mode
}

export type EventOf<T extends EventType> = EventPlace & {
  seq: number
  type: T
  /** Milliseconds since 1970. */
  timestamp: number
  /** Why it happened, in a word or a code; empty when the type says it all. */
  reason: string
  data: EventData[T]
}

/** Before the journal has given it a place in the chain. */
export type Event = { [T in EventType]: EventOf<T> }[EventType]

/** As it stands on disk: each hash covers the one before and the whole event. */
export type StoredEvent = Event & { hash: string }

/** Streamed, never stored. */
export function isEphemeral(type: EventType): boolean {
  return type === 'model.delta'
}
