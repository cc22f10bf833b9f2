/**
 * What another policy would have decided about recorded proposals. No model is asked and no tool runs: the facts of
 * each call are in the journal, and the gate is pure. Later proposals stay as recorded, although the model might have
 * continued differently.
 */

import { narrowedTo } from '../agent/narrowing.ts'
import { factsUnder, hidesTools, type OtherPolicy } from '../agent/other-policy.ts'
import { withRoutinePolicy } from '../agent/routine.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { judge } from '../gate/gate.ts'
import type { ActionInput, ToolInput } from '../gate/gate-input.ts'
import { drawsOnSoftQuota } from '../gate/stages/scope.ts'
import { apply, begin, type Inheritance } from '../journal/fold.ts'
import { isFirstDecision } from '../journal/tally.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import type { ActionFacts } from '../protocol/facts.ts'
import type { ActionProposal } from '../protocol/proposal.ts'
import type { DecidingRule } from '../protocol/rule.ts'
import type { RunState } from '../protocol/state.ts'
import type { ContentCode, Denial, DenialReason, Judgement } from '../protocol/verdict.ts'

export interface Ruling {
  decision: 'allow' | 'ask' | 'deny'
  reason?: DenialReason
  code?: ContentCode
  message?: string
  /** The rule that decided, when one matched. */
  rule?: DecidingRule
}

export interface Redecision {
  runId: string
  /** Of the recorded decision. */
  seq: number
  timestamp: number
  callId: string
  /** Or the type of an action, whose data is in `args`. */
  tool: string
  args: unknown
  before: Ruling
  after: Ruling
}

interface Judged {
  input: ToolInput
  judgement: Judgement
}

/** Every proposal of a run in order, with the recorded decision and the other policy's; reasons in `lang`, else the run's. */
export function* redecide(
  events: readonly Event[],
  other: OtherPolicy,
  inheritance: Inheritance,
  lang?: Lang,
): Generator<Redecision> {
  let state: RunState | undefined
  let narrowed = other
  const decided = new Set<string>()
  const open = new Map<string, Judged>()
  let batch: ActionProposal[] = []
  let context: ActionFacts | undefined
  for (const event of events) {
    const first = isFirstDecision(event, decided)
    if (event.type === 'routine.fired') narrowed = withRoutinePolicy(other, event.data)
    if (event.type === 'run.started') {
      state = { ...begin(event, inheritance), ...present({ lang }) }
      narrowed = { ...narrowed, policy: narrowedTo(narrowed.policy, event.data.policy) }
    } else if (state === undefined) continue
    else if (event.type === 'batch.received') {
      batch = proposalsOf(event)
      const { input } = event.data
      context = input && { ...input.context, ...(input.files && { files: input.files }) }
    } else if (event.type === 'action.authorized' || event.type === 'action.denied') {
      const proposal = batch.shift()
      if (proposal === undefined || context === undefined) apply(state, event)
      else yield actionRedecided(event, { proposal, facts: context, state, policy: narrowed.policy })
    } else if (event.type !== 'gate.decided') {
      const changed = underOther(event, open)
      if (changed !== undefined) apply(state, changed)
      if (event.type === 'tool.result' && !event.data.retried) open.delete(event.data.callId)
    } else if (first) {
      const input = gateInputOf(event, state, narrowed)
      const judgement = judge(input)
      open.set(event.data.callId, { input, judgement })
      const { runId, seq, timestamp, data } = event
      const { callId, tool, args } = data
      yield { runId, seq, timestamp, callId, tool, args, before: rulingOf(data), after: rulingBy(judgement) }
      apply(state, decidedAs(event, judgement))
    }
  }
}

/** Actions were judged in the order of their batch. Journals of earlier versions have no batch: nothing is judged. */
function proposalsOf({ runId, data }: EventOf<'batch.received'>): ActionProposal[] {
  const intents = data.input?.batch.intents ?? []
  return intents.flatMap(({ intent_id, intent_type, confidence, risk_level, suggested_actions }) =>
    suggested_actions.map((action, index) => ({
      kind: 'action',
      id: `${intent_id}#${index}`,
      runId,
      step: 1,
      route: data.route,
      intentId: intent_id,
      risk: risk_level,
      idle: intent_type === 'Idle',
      confidence,
      action,
    })),
  )
}

function actionRedecided(
  event: EventOf<'action.authorized'> | EventOf<'action.denied'>,
  about: Omit<ActionInput, 'now' | 'aborted' | 'state'> & { state: RunState },
): Redecision {
  const { runId, seq, timestamp } = event
  const { id: callId, intentId: intent_id, action } = about.proposal
  const denial = event.type === 'action.denied' ? event.data.denial : undefined
  const judgement = judge({ ...about, now: timestamp, aborted: denial?.reason === 'RUN_OVER' })
  if (judgement.decision === 'allow') {
    apply(about.state, {
      ...event,
      type: 'action.authorized',
      data: { intent_id, action, authorized_at_ms: timestamp },
    })
  }
  const before: Ruling = denial === undefined ? { decision: 'allow' } : rulingOf({ ...denial, decision: 'deny' })
  return { runId, seq, timestamp, callId, tool: action.action_type, args: action, before, after: rulingBy(judgement) }
}

/** Compares decisions, not reasons: denied for another reason is no difference. */
export function differs({ before, after }: Redecision): boolean {
  return before.decision !== after.decision
}

/** `deny PRE_VALIDATE_REJECTED/PATH_BLOCKED` */
export function spelled({ decision, reason, code }: Ruling): string {
  return `${decision}${reason === undefined ? '' : ` ${reason}`}${code === undefined ? '' : `/${code}`}`
}

function gateInputOf(
  event: EventOf<'gate.decided'>,
  state: RunState,
  { policy, disabledTools }: OtherPolicy,
): ToolInput {
  const { callId, tool, args, route, confidence, facts, reason } = event.data
  const { runMs } = state.profile.limits
  // Whether the run was over does not depend on policy. The event is recorded a moment after the judgement, so its
  // time is capped at the run's limit.
  const aborted = reason === 'RUN_OVER'
  const latest = aborted || runMs === undefined ? Number.POSITIVE_INFINITY : state.startedAt + runMs - 1
  return {
    proposal: {
      kind: 'tool',
      id: callId,
      runId: state.runId,
      step: state.steps,
      route,
      ...present({ confidence }),
      tool,
      args,
    },
    facts: factsUnder(facts, { tool, policy, hidden: hidesTools(state) && disabledTools.includes(tool) }),
    state,
    policy,
    now: Math.min(event.timestamp, latest),
    aborted,
  }
}

/**
 * The event under the other policy: a denied call did not run, used no quota and returned nothing. An approval's answer
 * is unknown, so a call that needs one ends as recorded.
 */
function underOther(event: Event, open: ReadonlyMap<string, Judged>): Event | undefined {
  const isOutcome =
    event.type === 'injection.flagged' || event.type === 'injection.released' || event.type === 'skill.loaded'
  if (event.type !== 'tool.call' && event.type !== 'tool.result' && !isOutcome) return event
  const judged = open.get(event.data.callId)
  if (judged === undefined) return event
  const { input, judgement } = judged
  const refused = judgement.decision === 'deny'
  if (isOutcome) return refused ? undefined : event
  if (event.type === 'tool.call') {
    const allowed = judgement.decision === 'allow' || (!refused && event.data.allowed)
    return { ...event, data: { ...event.data, allowed, soft: allowed && drawsOnSoftQuota(input) } }
  }
  if (!refused || event.data.observation.outcome === 'denied') return event
  const { reason, message } = judgement.denial
  const observation = { outcome: 'denied', code: reason, text: message, elapsedMs: 0 } as const
  return { ...event, data: { ...event.data, observation, denial: judgement.denial } }
}

function decidedAs(event: EventOf<'gate.decided'>, judgement: Judgement): Event {
  const { callId, tool, args, argsHash, route, facts } = event.data
  const denial: Partial<Denial> & Pick<Denial, 'all'> = judgement.decision === 'allow' ? { all: [] } : judgement.denial
  return { ...event, data: { callId, tool, args, argsHash, route, facts, decision: judgement.decision, ...denial } }
}

function rulingBy(judgement: Judgement): Ruling {
  const { rule } = judgement
  if (judgement.decision === 'allow') return { decision: 'allow', ...present({ rule }) }
  return rulingOf({ ...judgement.denial, ...judgement })
}

function rulingOf({ decision, reason, code, message, rule }: Ruling): Ruling {
  return { decision, ...present({ reason, code, message, rule }) }
}
