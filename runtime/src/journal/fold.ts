/** State is what the journal says, and only that: live runs and restarted ones go through the same `apply`. */
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import { isAside, type Message, type Told } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { DenialReason } from '../protocol/verdict.ts'

/** A scout's report is its way out and costs nothing (C6). */
const REPORT_TOOL = 'report_findings'
const SUMMARY_MAX = 2000
const RATE_MEMORY = 64

/** What a session hands to the next run. */
export interface Inheritance {
  history: readonly Message[]
  origins?: readonly Origin[]
  recalled?: readonly Told[]
}

export function begin(started: EventOf<'run.started'>, inheritance: Inheritance): RunState {
  const { history, origins = [], recalled = [] } = inheritance
  const { data } = started
  return {
    runId: started.runId,
    sessionId: started.sessionId,
    turnId: started.turnId,
    ...(data.parentRunId === undefined ? {} : { parentRunId: data.parentRunId }),
    profile: data.profile,
    route: data.route,
    lang: data.lang,
    task: data.task,
    taskIntent: { label: 'general', confidence: 0, source: 'heuristic', reason: '' },
    startedAt: started.timestamp,
    steps: 0,
    toolCalls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    messages: [
      ...(data.given?.history ?? history),
      { role: 'user', content: data.task, ...(data.given?.own === undefined ? {} : { own: data.given.own }) },
    ],
    pending: [],
    malformed: 0,
    failures: 0,
    lastError: '',
    softCalls: 0,
    blocks: 0,
    hits: {},
    // Keyed by a stranger's words: an intent or a tool may be named `constructor`.
    approvedActions: Object.create(null),
    succeeded: Object.create(null),
    minted: Object.assign(Object.create(null), data.given?.minted),
    origins: [...(data.given?.origins ?? origins)],
    // Whoever gives the conversation leaves nothing of the earlier turns in it.
    recalled: data.given?.history === undefined ? [...recalled] : [],
    deeds: [],
    approvals: [...data.approvals],
    draft: '',
    lastStep: false,
    checked: {},
    given: data.given ?? {},
    ...(data.earlier === undefined ? {} : { earlier: data.earlier }),
  }
}

/** The whole run from its journal; events before `run.started` belong to the turn, not to the run. */
export function fold(events: readonly Event[], inheritance: Inheritance): RunState {
  let state: RunState | undefined
  for (const event of events) {
    if (event.type === 'run.started') state = begin(event, inheritance)
    else if (state !== undefined) apply(state, event)
  }
  if (state === undefined) throw new RangeError('a run begins with run.started')
  return state
}

export function apply(state: RunState, event: Event): void {
  switch (event.type) {
    case 'intent.detected':
      state.taskIntent = event.data.intent
      return
    case 'intent.checked': {
      const { phase, ok, message } = event.data
      state.checked[phase] = ok
      if (!ok) state.outcome = { reason: 'intent_execution_failed', text: message }
      return
    }
    case 'route.decided': {
      const { route, tools } = event.data
      state.skillRoute = route
      // A skill may only narrow what its turn can see.
      if (tools !== undefined) {
        const { exposure } = state.profile
        state.unnarrowed = exposure
        state.profile = { ...state.profile, exposure: { only: tools, hidden: exposure.hidden } }
      }
      if (route.kind === 'clarify') state.outcome = { reason: 'clarification', text: route.question }
      return
    }
    case 'skill.loaded':
      applySkill(state, event)
      return
    case 'model.replied':
      applyReply(state, event)
      return
    case 'model.failed': {
      const { purpose, retryInMs, message } = event.data
      if (!isAside(purpose) && retryInMs === undefined) state.outcome = { reason: 'provider_error', text: message }
      return
    }
    case 'protocol.repair':
      state.messages.push({ role: 'user', content: event.data.hint, by: 'runtime' })
      return
    case 'gate.decided':
      applyVerdict(state, event)
      return
    case 'confirm.asked':
      state.question = event.data.question
      return
    case 'confirm.answered':
      if (state.question?.callId === event.data.callId) delete state.question
      state.approvals = approvalsAfter(state.approvals, event.data)
      return
    case 'tool.call':
      if (event.data.allowed) applyCall(state, event)
      return
    case 'injection.flagged': {
      const { callId, tool, verdict } = event.data
      const inspection = verdict === 'Block' ? 'block' : verdict === 'Review' ? 'review' : 'warn'
      state.origins.push({ callId, tool, trust: 'external', inspection })
      return
    }
    case 'injection.released': {
      const origin = state.origins.findLast(({ callId }) => callId === event.data.callId)
      if (origin !== undefined) origin.inspection = 'review'
      return
    }
    case 'tool.result':
      applyResult(state, event)
      return
    case 'memory.recalled':
      state.recalled.push(event.data)
      return
    case 'run.resumed':
      state.startedAt += event.data.awayMs ?? 0
      return
    case 'run.stopped':
      state.stop = event.data.stop
      return
    case 'scout.policy':
      if (event.data.shouldRun) state.advice = event.data
      return
    case 'batch.received':
      // A decision is a run of one step with many proposals.
      state.steps++
      return
    case 'action.authorized':
      state.approvedActions[event.data.intent_id] = (state.approvedActions[event.data.intent_id] ?? 0) + 1
      return
    case 'session.opened':
    case 'session.closed':
    case 'config.loaded':
    case 'config.migrated':
    case 'turn.started':
    case 'turn.committed':
    case 'run.started':
    case 'run.parked':
    case 'run.interrupted':
    case 'model.requested':
    case 'model.delta':
    case 'protocol.malformed':
    case 'memory.stored':
    case 'memory.failed':
    case 'window.trimmed':
    case 'context.prepared':
    case 'context.persisted':
    case 'batch.decided':
    case 'action.denied':
    case 'action.executed':
    case 'action.failed':
    case 'SCOUT_TRIGGERED':
    case 'SCOUT_QUEUED':
    case 'SCOUT_SLOT_ACQUIRED':
    case 'SCOUT_STARTED':
    case 'SCOUT_TOOL_CALLED':
    case 'SCOUT_TOOL_ORDER_VIOLATION':
    case 'SCOUT_TOOL_LIMIT_REACHED':
    case 'SCOUT_FORCE_REPORT_REQUIRED':
    case 'SCOUT_COMPLETED':
    case 'SCOUT_FAILED':
    case 'SCOUT_TIMEOUT':
    case 'SCOUT_ABORTED':
    case 'SCOUT_SLOT_RELEASED':
    case 'scout.state':
    case 'routine.fired':
    case 'routine.skipped':
    case 'routine.finished':
    case 'workflow.started':
    case 'node.started':
    case 'node.finished':
    case 'workflow.finished':
    case 'error.internal':
      return
    default:
      event satisfies never
  }
}

/** A standing yes is given with `a` and taken back with an `n` that names its keys. */
export function approvalsAfter(
  approvals: readonly string[],
  { answer, keys }: EventOf<'confirm.answered'>['data'],
): string[] {
  if (answer === 'a') return [...new Set([...approvals, ...keys])]
  return approvals.filter((key) => answer !== 'n' || !keys.includes(key))
}

/** A skill that joins those of the route brings its tools, but none that the run did not have before the route. */
function applySkill(state: RunState, { data: { allowedTools } }: EventOf<'skill.loaded'>): void {
  const { unnarrowed, profile } = state
  if (unnarrowed === undefined) return
  if (allowedTools === undefined) {
    state.profile = { ...profile, exposure: unnarrowed }
    delete state.unnarrowed
    return
  }
  const { only = [], hidden } = profile.exposure
  const added = allowedTools.filter((tool) => unnarrowed.only?.includes(tool) ?? true)
  state.profile = { ...profile, exposure: { only: [...new Set([...only, ...added])], hidden } }
}

function applyReply(state: RunState, { data }: EventOf<'model.replied'>): void {
  state.usage = {
    inputTokens: state.usage.inputTokens + data.usage.inputTokens,
    outputTokens: state.usage.outputTokens + data.usage.outputTokens,
  }
  if (isAside(data.purpose)) return
  const { reply } = data
  const wasLastStep = state.lastStep
  // A repaired reply belongs to the step it repairs (C5).
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
  const thought = reply.reasoning_content === undefined ? {} : { reasoning_content: reply.reasoning_content }
  if (wasLastStep) {
    state.messages.push({ role: 'assistant', content: reply.text, ...thought })
    state.outcome = { reason: 'token_budget', text: reply.text }
    return
  }
  if (reply.kind === 'final') {
    state.messages.push({ role: 'assistant', content: reply.text, ...thought })
    // A scout speaks to nobody: prose is not its answer until it was told so once.
    if (state.profile.mode === 'scout' && state.urged === undefined) state.urged = true
    else state.outcome = { reason: 'final', text: reply.text, ...(reply.truncated && { truncated: true }) }
    return
  }
  state.pending = [...reply.calls]
  state.messages.push({ role: 'assistant', content: reply.text, calls: reply.calls, ...thought })
}

/** Denials that end the run do so by these stop reasons; RUN_OVER says only that the clock or a person did. */
const STOPS: Partial<Record<DenialReason, StopReason>> = {
  tool_policy_blocked: 'tool_policy_blocked',
  MAX_TOOL_CALLS: 'max_tool_calls',
}

function applyVerdict(state: RunState, { data }: EventOf<'gate.decided'>): void {
  const { deed, readOnly, targets = [] } = data.facts
  // A question comes before its answer, so the first verdict on a call tells whether a person was asked.
  if (data.decision !== 'deny' && deed !== undefined && !readOnly) {
    const { callId } = data
    if (!state.deeds.some((done) => done.callId === callId)) {
      const values = targets.map(({ value }) => value)
      state.deeds.push({ callId, deed, targets: values, asked: data.decision === 'ask' })
    }
  }
  if (data.decision !== 'deny') return
  if (data.all.includes('tool_policy_blocked')) state.blocks++
  if (isStuck(state)) state.outcome = { reason: 'max_tool_calls', text: data.message ?? '' }
  if (data.effect !== 'stop') return
  const reason = data.all.map((name) => STOPS[name]).find((stop) => stop !== undefined)
  if (reason !== undefined) state.outcome = { reason, text: data.message ?? '' }
}

/** Reading is closed by the limit and reporting by the order: after one refusal the run is over (C22). */
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
  delete state.running
  if (state.question?.callId === callId) delete state.question
  state.pending = state.pending.filter((call) => call.id !== callId)
  const { told } = observation
  state.messages.push({ role: 'tool', callId, tool, content: render(observation), ...(told && { told }) })
  // What the inspector said of this result stands just before it.
  const flagged = state.origins.at(-1)
  if (flagged?.callId === callId) flagged.family = family
  else {
    const isEcho = observation.outcome === 'denied' || (observation.outcome !== 'ok' && trust === 'internal')
    const refused = isEcho ? ({ refused: true } as const) : {}
    state.origins.push({ callId, tool, trust, inspection: 'pass', family, ...refused })
  }
  if (observation.outcome === 'ok') {
    state.failures = 0
    // A result that was withheld has shown the model nothing: it serves no intent and counts as no read.
    if (state.origins.at(-1)?.inspection !== 'block') {
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

/** The tool could not do its work at all; that it has nothing for the question is an answer, not a fault (C14). */
export function isBroken({ outcome, code }: Observation): boolean {
  return outcome === 'error' && code !== 'INTERRUPTED' && code !== 'ARGS_REDACTED' && code !== 'SKIPPED'
}

function isSkip(observation: Observation): boolean {
  return observation.code === 'SKIPPED'
}
