/**
 * What another policy would have said to recorded proposals. No model is asked and no tool is run: the facts each
 * call was judged by are in the journal, and the gate is pure. What the model proposed next stays as recorded, though
 * it might have gone on differently.
 */

import { judge } from '../gate/gate.ts'
import type { ActionMatter, ToolMatter } from '../gate/matter.ts'
import { drawsOnSoftQuota } from '../gate/stages/scope.ts'
import { apply, begin, type Inheritance } from '../journal/fold.ts'
import { firstDecisions } from '../journal/replay.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import type { ActionFacts, Facts } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { ActionProposal } from '../protocol/proposal.ts'
import type { RunState } from '../protocol/state.ts'
import type { ContentCode, Denial, DenialReason, Judgement } from '../protocol/verdict.ts'
import { hostAllowed } from '../tool/guard/hosts.ts'
import { narrowedTo } from './narrowing.ts'
import { heldTo } from './routine.ts'

export interface OtherPolicy {
  policy: Policy
  /** `agent.tools.disabled` of the other configuration. */
  disabledTools: readonly string[]
}

export interface Ruling {
  decision: 'allow' | 'ask' | 'deny'
  reason?: DenialReason
  code?: ContentCode
  message?: string
}

export interface Redecision {
  runId: string
  /** Of the recorded decision. */
  seq: number
  timestamp: number
  callId: string
  /** Or the kind of action, which then stands in `args`. */
  tool: string
  args: unknown
  before: Ruling
  after: Ruling
}

/** Their risk is Low where the policy names the host, and so is no fact of the recorded call alone. */
const RISK_BY_HOST = ['http_request', 'browser_open']

interface Judged {
  matter: ToolMatter
  judgement: Judgement
}

/** Every proposal of a run in order, each with what was said and what would have been. */
export function* redecide(
  events: readonly Event[],
  other: OtherPolicy,
  inheritance: Inheritance,
): Generator<Redecision> {
  let state: RunState | undefined
  let held = other
  const isFirst = firstDecisions()
  const open = new Map<string, Judged>()
  let batch: ActionProposal[] = []
  let context: ActionFacts | undefined
  for (const event of events) {
    const first = isFirst(event)
    if (event.type === 'routine.fired') held = heldTo(other, event.data)
    if (event.type === 'run.started') {
      state = begin(event, inheritance)
      held = { ...held, policy: narrowedTo(held.policy, event.data.policy) }
    } else if (state === undefined) continue
    else if (event.type === 'batch.received') {
      batch = proposalsOf(event)
      const { input } = event.data
      context = input && { ...input.context, ...(input.files && { files: input.files }) }
    } else if (event.type === 'action.authorized' || event.type === 'action.denied') {
      const proposal = batch.shift()
      if (proposal === undefined || context === undefined) apply(state, event)
      else yield actionRedecided(event, { proposal, facts: context, state, policy: held.policy })
    } else if (event.type !== 'gate.decided') {
      const changed = underOther(event, open)
      if (changed !== undefined) apply(state, changed)
      if (event.type === 'tool.result' && !event.data.retried) open.delete(event.data.callId)
    } else if (first) {
      const matter = matterOf(event, state, held)
      const judgement = judge(matter)
      open.set(event.data.callId, { matter, judgement })
      const { runId, seq, timestamp, data } = event
      const { callId, tool, args } = data
      yield { runId, seq, timestamp, callId, tool, args, before: rulingOf(data), after: rulingBy(judgement) }
      apply(state, decidedAs(event, judgement))
    }
  }
}

/** Actions were judged in the order of their batch, which is in the journal whole; before it was, they stay. */
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
  about: Omit<ActionMatter, 'now' | 'aborted' | 'state'> & { state: RunState },
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

/** True when something else would have happened: what is denied both times, for whatever reason, is denied. */
export function differs({ before, after }: Redecision): boolean {
  return before.decision !== after.decision
}

/** `deny PRE_VALIDATE_REJECTED/PATH_BLOCKED` */
export function spelled({ decision, reason, code }: Ruling): string {
  return `${decision}${reason === undefined ? '' : ` ${reason}`}${code === undefined ? '' : `/${code}`}`
}

function matterOf(event: EventOf<'gate.decided'>, state: RunState, { policy, disabledTools }: OtherPolicy): ToolMatter {
  const { callId, tool, args, route, confidence, facts, reason } = event.data
  const { runMs } = state.profile.limits
  // That a run was over is nobody's policy. Written down a moment after it was judged, a call may look too late.
  const aborted = reason === 'RUN_OVER'
  const latest = aborted || runMs === undefined ? Number.POSITIVE_INFINITY : state.startedAt + runMs - 1
  return {
    proposal: {
      kind: 'tool',
      id: callId,
      runId: state.runId,
      step: state.steps,
      route,
      ...(confidence === undefined ? {} : { confidence }),
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

/** The list of disabled tools speaks of a person's own runs; nodes and scouts have lists of their own. */
function hidesTools({ profile: { mode } }: RunState): boolean {
  return mode === 'chat' || mode === 'routine'
}

/** A tool can be hidden in retrospect, never shown: nobody asked it then what the call would touch. */
function factsUnder(facts: Facts, by: { tool: string; policy: Policy; hidden: boolean }): Facts {
  const exposed = facts.exposed && !by.hidden
  const { hosts = [], readOnly } = facts
  if (!RISK_BY_HOST.includes(by.tool) || !readOnly || hosts.length === 0) return { ...facts, exposed }
  const named = hosts.every(({ host, port }) => hostAllowed(host, port, by.policy.security.allowedHosts))
  return { ...facts, exposed, risk: named ? 'Low' : 'Medium' }
}

/**
 * The event as the other policy would have let it happen: what it refuses was not run, spent no quota and returned
 * nothing to be seen. Nobody knows what a person would have answered, so a question ends as the call did.
 */
function underOther(event: Event, open: ReadonlyMap<string, Judged>): Event | undefined {
  const isOutcome =
    event.type === 'injection.flagged' || event.type === 'injection.released' || event.type === 'skill.loaded'
  if (event.type !== 'tool.call' && event.type !== 'tool.result' && !isOutcome) return event
  const judged = open.get(event.data.callId)
  if (judged === undefined) return event
  const { matter, judgement } = judged
  const refused = judgement.decision === 'deny'
  if (isOutcome) return refused ? undefined : event
  if (event.type === 'tool.call') {
    const allowed = judgement.decision === 'allow' || (!refused && event.data.allowed)
    return { ...event, data: { ...event.data, allowed, soft: allowed && drawsOnSoftQuota(matter) } }
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
  return judgement.decision === 'allow' ? { decision: 'allow' } : rulingOf({ ...judgement.denial, ...judgement })
}

function rulingOf({ decision, reason, code, message }: Ruling): Ruling {
  return {
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  }
}
