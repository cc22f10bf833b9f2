/** The state of a run is the fold of its journal: live and resumed runs use the same `apply`. */
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { whyText } from '../i18n/why.ts'
import type { Event, EventOf, EventType } from '../protocol/event.ts'
import { addUsage, isAside, type Message, type Told } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { DenialReason } from '../protocol/verdict.ts'
import { applyEdit, applyReview, approvalsAfter, forgetReview, rulesAfter } from './fold-answers.ts'
import { applyRoute, applySkill } from './fold-skills.ts'
import { countRepeat } from './repeated-calls.ts'
import { taskMessage } from './task-message.ts'

/** A scout's report does not count as a tool call (S4-101). */
const REPORT_TOOL = 'report_findings'
const SUMMARY_MAX = 2000
const RATE_MEMORY = 64

/** What a run inherits from its session. */
export interface Inheritance {
  history: readonly Message[]
  origins?: readonly Origin[]
  recalled?: readonly Told[]
  /** An earlier turn could not be recorded, and said so. */
  unrecorded?: true
}

export function begin(started: EventOf<'run.started'>, inheritance: Inheritance): RunState {
  const { history, origins = [], recalled = [] } = inheritance
  const { data } = started
  return {
    runId: started.runId,
    sessionId: started.sessionId,
    turnId: started.turnId,
    ...present({ parentRunId: data.parentRunId, earlier: data.earlier }),
    ...(inheritance.unrecorded === true ? { unrecorded: { isTold: true } } : {}),
    profile: data.profile,
    route: data.route,
    model: data.model,
    lang: data.lang,
    task: data.task,
    taskIntent: { label: 'general', confidence: 0, source: 'heuristic', reason: '' },
    startedAt: started.timestamp,
    steps: 0,
    toolCalls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    messages: [...(data.given?.history ?? history), taskMessage(data)],
    cuts: { shortened: 0 },
    pending: [],
    malformed: 0,
    failures: 0,
    lastError: '',
    softCalls: 0,
    blocks: 0,
    hits: {},
    // No prototype: keys come from untrusted text, and an intent or tool may be named `constructor`.
    approvedActions: Object.create(null),
    succeeded: Object.create(null),
    minted: Object.assign(Object.create(null), data.given?.minted),
    origins: [...(data.given?.origins ?? origins)],
    // A given history replaces that of earlier turns, with its memories.
    recalled: data.given?.history === undefined ? [...recalled] : [],
    deeds: [],
    approvals: [...data.approvals],
    ...present({ rules: data.rules }),
    draft: '',
    lastStep: false,
    checked: {},
    given: data.given ?? {},
  }
}

/** The state after all events of a run; events before `run.started` belong to the turn. */
export function fold(events: readonly Event[], inheritance: Inheritance): RunState {
  let state: RunState | undefined
  for (const event of events) {
    if (event.type === 'run.started') state = begin(event, inheritance)
    else if (state !== undefined) apply(state, event)
  }
  if (state === undefined) throw new RangeError('a run begins with run.started')
  return state
}

/** Types that this version does not know, from journals of other versions, change nothing. */
export function apply(state: RunState, event: Event): void {
  if (Object.hasOwn(CHANGES, event.type)) (CHANGES[event.type] as (state: RunState, event: Event) => void)(state, event)
}

const noChange = () => {}

/** The effect of each event type on the state. The compiler requires an entry for every type. */
const CHANGES: { readonly [T in EventType]: (state: RunState, event: EventOf<T>) => void } = {
  'intent.detected': (state, { data }) => {
    state.taskIntent = data.intent
  },
  'intent.checked': (state, { data: { phase, ok, message } }) => {
    state.checked[phase] = ok
    if (!ok) state.outcome = { reason: 'intent_execution_failed', text: message }
  },
  'route.decided': applyRoute,
  'skill.loaded': applySkill,
  'model.requested': (state, { data }) => {
    if (data.reservedUsd !== undefined) budgetOf(state).metered = true
  },
  'model.replied': applyReply,
  'model.failed': (state, { data: { purpose, retryInMs, message, why = message } }) => {
    if (isAside(purpose) || retryInMs !== undefined) return
    state.outcome = { reason: 'provider_error', text: whyText(why, state.lang) }
  },
  'call.proposed': (state, { data: { call } }) => {
    state.steps++
    state.pending = [...state.pending, call]
    state.messages.push({ role: 'assistant', content: '', calls: [call] })
  },
  'protocol.repair': (state, { data }) => {
    state.messages.push({ role: 'user', content: data.hint, by: 'runtime' })
  },
  'output.checked': (state, { data: { ok, text, errors } }) => {
    if (ok) {
      state.checked.output = 'ok'
      state.outcome = { reason: 'final', text }
    } else if (state.checked.output === 'retried') {
      state.outcome = { reason: 'invalid_result', text: errors.join('; ') }
    } else {
      state.checked.output = 'retried'
      state.outcome = undefined
    }
  },
  'gate.decided': applyVerdict,
  'call.reviewed': applyReview,
  'confirm.asked': (state, { data }) => {
    state.question = data.question
  },
  'confirm.answered': (state, { data }) => {
    if (state.question?.callId === data.callId) {
      const { budget } = state.question
      if (budget !== undefined && data.answer !== 'n') budgetOf(state).approved.push(budget)
      state.question = undefined
    }
    state.approvals = approvalsAfter(state.approvals, data)
    if (data.remembered !== undefined || data.revoked !== undefined) state.rules = rulesAfter(state.rules ?? [], data)
    if (data.reason !== undefined) state.said = [...(state.said ?? []), { text: data.reason }]
  },
  'budget.warned': (state, { data: { scope, limit, text } }) => {
    budgetOf(state).warned.push({ scope, limit, text })
  },
  'budget.stopped': (state, { data }) => {
    state.outcome = { reason: 'money_budget', text: data.text }
  },
  'confirm.edited': applyEdit,
  'tool.call': (state, event) => {
    if (event.data.allowed) applyCall(state, event)
  },
  'injection.flagged': (state, { data: { callId, tool, verdict } }) => {
    const inspection = verdict === 'Block' ? 'block' : verdict === 'Review' ? 'review' : 'warn'
    state.origins.push({ callId, tool, trust: 'external', inspection })
  },
  'injection.released': (state, { data }) => {
    const origin = state.origins.findLast(({ callId }) => callId === data.callId)
    if (origin !== undefined) origin.inspection = 'review'
  },
  'tool.result': applyResult,
  'memory.recalled': (state, { data }) => {
    state.recalled.push(data)
  },
  'run.resumed': (state, { data }) => {
    state.startedAt += data.awayMs ?? 0
  },
  'run.stopped': (state, { data }) => {
    state.stop = data.stop
  },
  'scout.policy': (state, { data }) => {
    if (data.shouldRun) state.advice = data
  },
  // A decision is a run of one step with many proposals.
  'batch.received': (state) => {
    state.steps++
  },
  'action.authorized': (state, { data: { intent_id } }) => {
    state.approvedActions[intent_id] = (state.approvedActions[intent_id] ?? 0) + 1
  },
  'workspace.recorded': (state, { data: { phase, tree, record } }) => {
    state.recording = { tree, record, isOpen: phase === 'before' }
  },
  'workspace.unrecorded': (state, { data }) => {
    state.unrecorded = { ...data, isTold: state.unrecorded?.isTold ?? false }
  },
  'workspace.restored': noChange,
  'context.limited': (state, { data }) => {
    state.cuts = { ...state.cuts, limit: data.tokens }
  },
  'context.shortened': (state, { data }) => {
    state.cuts = { ...state.cuts, shortened: data.before }
  },
  'context.summarised': (state, { data: { before, text } }) => {
    state.cuts = { ...state.cuts, summary: { before, text } }
  },
  'session.opened': noChange,
  'turn.started': noChange,
  'turn.committed': noChange,
  'run.started': noChange,
  'run.parked': noChange,
  'run.interrupted': noChange,
  'model.delta': noChange,
  'protocol.malformed': noChange,
  'memory.stored': noChange,
  'memory.failed': noChange,
  'window.trimmed': noChange,
  'context.prepared': noChange,
  'context.persisted': noChange,
  'batch.decided': noChange,
  'action.denied': noChange,
  'action.executed': noChange,
  'action.failed': noChange,
  SCOUT_TRIGGERED: noChange,
  SCOUT_QUEUED: noChange,
  SCOUT_SLOT_ACQUIRED: noChange,
  SCOUT_STARTED: noChange,
  SCOUT_TOOL_CALLED: noChange,
  SCOUT_TOOL_ORDER_VIOLATION: noChange,
  SCOUT_TOOL_LIMIT_REACHED: noChange,
  SCOUT_FORCE_REPORT_REQUIRED: noChange,
  SCOUT_COMPLETED: noChange,
  SCOUT_FAILED: noChange,
  SCOUT_TIMEOUT: noChange,
  SCOUT_ABORTED: noChange,
  SCOUT_SLOT_RELEASED: noChange,
  'scout.state': noChange,
  'routine.fired': noChange,
  'routine.skipped': noChange,
  'routine.finished': noChange,
  'workflow.started': noChange,
  'node.started': noChange,
  'node.finished': noChange,
  'workflow.finished': noChange,
  'error.internal': noChange,
}

function budgetOf(state: RunState): NonNullable<RunState['budget']> {
  state.budget ??= { approved: [], warned: [], metered: false }
  return state.budget
}

function applyReply(state: RunState, { data }: EventOf<'model.replied'>): void {
  state.usage = addUsage(state.usage, data.usage)
  if (isAside(data.purpose)) return
  const { reply } = data
  const wasLastStep = state.lastStep
  // A repaired reply belongs to the step it repairs (S3-106).
  if (state.malformed === 0) state.steps++
  const { tokens } = state.profile.limits
  const spent = state.usage.inputTokens + state.usage.outputTokens
  if (tokens !== undefined && tokens.mode === 'soft' && tokens.budget > 0 && spent >= tokens.budget)
    state.lastStep = true

  if (reply.kind === 'malformed') {
    state.malformed++
    state.lastError = reply.error
    state.messages.push({ role: 'assistant', content: reply.text })
    return
  }
  state.malformed = 0
  if (reply.text !== '') state.draft = reply.text
  const reasoning = present({ reasoning_content: reply.reasoning_content })
  if (wasLastStep) {
    state.messages.push({ role: 'assistant', content: reply.text, ...reasoning })
    state.outcome = { reason: 'token_budget', text: reply.text }
    return
  }
  if (reply.kind === 'final') {
    state.messages.push({ role: 'assistant', content: reply.text, ...reasoning })
    // A scout has no reader: it is reminded once that only a report counts. Prose after that is its answer.
    if (state.profile.mode === 'scout' && state.urged === undefined) state.urged = true
    else {
      const { text, truncated, quotesCall } = reply
      state.outcome = { reason: 'final', text, ...present({ truncated, quotesCall }) }
    }
    return
  }
  state.pending = [...reply.calls]
  state.messages.push({ role: 'assistant', content: reply.text, calls: reply.calls, ...reasoning })
}

/** Stop reasons of denials that end the run. RUN_OVER has none: the run already has a reason. */
const STOPS: Partial<Record<DenialReason, StopReason>> = {
  tool_policy_blocked: 'tool_policy_blocked',
  MAX_TOOL_CALLS: 'max_tool_calls',
}

function applyVerdict(state: RunState, { data }: EventOf<'gate.decided'>): void {
  const { deed, readOnly, targets = [] } = data.facts
  // The first verdict on a call shows whether a person was asked.
  if (data.decision !== 'deny' && deed !== undefined && !readOnly) {
    const { callId } = data
    if (!state.deeds.some((done) => done.callId === callId)) {
      const values = targets.map(({ value }) => value)
      state.deeds.push({ callId, deed, targets: values, asked: data.decision === 'ask' })
    }
  }
  if (data.decision === 'allow' && !readOnly) state.changing = data.callId
  if (data.decision !== 'deny') return
  if (data.all.includes('tool_policy_blocked')) state.blocks++
  if (isStuck(state)) state.outcome = { reason: 'max_tool_calls', text: data.message ?? '' }
  if (data.effect !== 'stop') return
  const reason = data.all.map((name) => STOPS[name]).find((stop) => stop !== undefined)
  if (reason !== undefined) state.outcome = { reason, text: data.message ?? '' }
}

/**
 * The limit forbids reading and the order forbids reporting, so the run ends after one denial; see
 * docs/decisions/2026-11-15-a-scout-ends-with-its-report.md.
 */
function isStuck({ profile, toolCalls, succeeded }: RunState): boolean {
  const { atToolLimit, reportNeedsRead = false, limits } = profile
  const spent = atToolLimit === 'report' && toolCalls >= (limits.maxToolCalls ?? Number.POSITIVE_INFINITY)
  return spent && reportNeedsRead && (succeeded.read_doc ?? 0) === 0
}

function applyCall(state: RunState, { data, timestamp }: EventOf<'tool.call'>): void {
  const again = state.running?.callId === data.callId
  state.running = { callId: data.callId, idempotent: data.idempotent }
  if (again) return
  if (data.tool !== REPORT_TOOL) state.toolCalls++
  if (data.soft) state.softCalls++
  state.minted[data.tool] = [...(state.minted[data.tool] ?? []), timestamp].slice(-RATE_MEMORY)
}

function applyResult(state: RunState, { data }: EventOf<'tool.result'>): void {
  const { callId, tool, family, trust, observation, retried } = data
  if (retried) return
  const call = state.pending.find(({ id }) => id === callId)
  state.running = undefined
  if (state.question?.callId === callId) state.question = undefined
  state.pending = state.pending.filter((call) => call.id !== callId)
  if (call !== undefined && !isSkip(observation)) countRepeat(state, call, observation)
  const { told, full, media } = observation
  const { said } = state
  state.messages.push({
    role: 'tool',
    callId,
    tool,
    content: render(observation),
    ...present({ told, full, said, media }),
  })
  state.said = undefined
  state.edited = undefined
  forgetReview(state, callId)
  // The inspection of this result came before it; other calls may have ended in between.
  const flagged = state.origins.findLast((origin) => origin.inspection !== 'pass' && origin.callId === callId)
  if (flagged !== undefined) flagged.family = family
  else {
    const isEcho = observation.outcome === 'denied' || (observation.outcome !== 'ok' && trust === 'internal')
    const refused = isEcho ? ({ refused: true } as const) : {}
    state.origins.push({ callId, tool, trust, inspection: 'pass', family, ...refused })
  }
  if (observation.outcome === 'ok') {
    state.failures = 0
    if (state.changing === callId) state.changed = true
    // The model has not read a withheld result: it fulfils no intent and is not a read.
    if (flagged?.inspection !== 'block') {
      state.hits[family] = (state.hits[family] ?? 0) + 1
      state.succeeded[tool] = (state.succeeded[tool] ?? 0) + 1
    }
    if (tool === REPORT_TOOL && state.profile.mode === 'scout') {
      state.outcome = { reason: 'reported', text: summaryIn(call?.args) }
    }
  } else if (!isSkip(observation)) {
    state.failures++
    state.lastError = observation.text
    const broken = state.profile.onToolFailure === 'retry_once_then_fail' && isBroken(observation)
    if (broken) state.outcome = { reason: 'tool_error', text: '' }
    if (observation.code === 'PROTECTED_CHANGED')
      state.outcome = { reason: 'protected_changed', text: observation.text }
  }
}

function summaryIn(args: unknown): string {
  return isObject(args) && typeof args.summary === 'string' ? clip(args.summary, SUMMARY_MAX) : ''
}

/** The tool itself failed: the call was not merely skipped, interrupted or redacted. */
export function isBroken({ outcome, code }: Observation): boolean {
  return outcome === 'error' && code !== 'INTERRUPTED' && code !== 'ARGS_REDACTED' && code !== 'SKIPPED'
}

function isSkip(observation: Observation): boolean {
  return observation.code === 'SKIPPED'
}
