/** One attempt at a node: a run of its own, without a loop. Its one proposal passes the same gate as any other call. */

import { joinedPrompt, note, type RunContext } from '../agent/context.ts'
import { narrowedTo, narrowingOf } from '../agent/narrowing.ts'
import { PROFILES } from '../agent/profile.ts'
import { settleCall } from '../agent/settle.ts'
import type { Engine } from '../agent/turn.ts'
import { messageOf } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import { begin, fold } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import { beginRun, continueLog } from '../journal/run-lifecycle.ts'
import type { Event, EventOf, StoredEvent } from '../protocol/event.ts'
import type { Trust } from '../protocol/facts.ts'
import type { ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { Origin } from '../protocol/state.ts'
import { gatherFacts } from '../tool/gather.ts'
import { objectIn, plainOutputs } from '../tool/outputs.ts'
import { outputsIn } from '../tool/sealed.ts'
import type { Outputs, ToolDescription } from '../tool/tool.ts'
import { type Authored, authority, conversationOf, hasUntrustedInput, untrustedTargets } from './authority.ts'
import type { WorkflowNode } from './document.ts'
import { workflowTexts } from './texts.ts'
import { at } from './variables.ts'

/** Other nodes use the outputs, so they are kept whole up to this length. */
const OUTPUT_MAX = 1_000_000
const LONGEST_MS = 600_000

export interface Attempt extends Authored {
  runId: string
  owner: Principal
  place: { sessionId: string; turnId: string; workflowRunId: string }
  args: JsonObject
  /** When the workflow called each tool before. */
  minted: Record<string, number[]>
  disabledTools: readonly string[]
  signal: AbortSignal
  /** The events of an earlier, interrupted attempt. */
  earlier?: readonly StoredEvent[]
}

export interface AttemptEnd {
  outputs?: JsonObject
  primary?: string
  main?: string
  /** The outputs without untrusted text, where the tool can tell them apart. */
  own?: JsonObject
  error?: { code: string; message: string }
  trust: Trust
  inspection: Origin['inspection']
  /** The gate denied it, so nothing was done; `rate`: only because the rate was exceeded. */
  refused: false | true | 'rate'
  /** It is safe to repeat. */
  repeatable: boolean
}

export async function attemptNode(engine: Engine, attempt: Attempt, emit: (event: Event) => void): Promise<AttemptEnd> {
  const own: Event[] = [...(attempt.earlier ?? [])]
  const see = (event: Event) => {
    if (event.runId === attempt.runId) own.push(event)
    emit(event)
  }
  const call: ToolCall = { id: `call_${attempt.runId}`, tool: attempt.node.tool, args: attempt.args }
  const ctx = await contextFor(engine, attempt, { call, see })
  let failure: string | undefined
  try {
    if (!own.some(({ type }) => type === 'tool.result')) for await (const event of settleCall(ctx, call)) see(event)
  } catch (error) {
    if (error instanceof WritError && /^(RUN_TAKEN|JOURNAL_|STORE_)/.test(error.code)) throw error
    failure = messageOf(error)
    see(note(ctx, 'error.internal', { message: failure, where: 'workflow' }, 'internal_error'))
  }
  const end = endOf(own, { attempt, failure, ctx })
  if (ctx.state.stop === undefined) see(stopped(ctx, end))
  await ctx.log.flush()
  return end
}

function stopped(ctx: RunContext, { error }: AttemptEnd): Event {
  const { steps, toolCalls, usage } = ctx.state
  const reason =
    error === undefined
      ? 'final'
      : ctx.signal.aborted
        ? 'aborted'
        : error.code === 'INTERRUPTED'
          ? 'interrupted'
          : error.code === 'internal_error'
            ? 'internal_error'
            : 'tool_error'
  const inner = error?.code === 'NO_FINAL_ANSWER' ? ({ inner: true } as const) : {}
  return note(ctx, 'run.stopped', { stop: { reason, text: '' }, steps, toolCalls, usage, ...inner }, reason)
}

async function contextFor(
  engine: Engine,
  attempt: Attempt,
  { call, see }: { call: ToolCall; see: (event: Event) => void },
): Promise<RunContext> {
  const { node, runId, owner, signal, earlier = [] } = attempt
  const { sessionId, turnId } = attempt.place
  const policy = policyFor(engine.policy, node)
  const last = earlier.at(-1)
  const log =
    last === undefined
      ? new RunLog(engine, { sessionId, turnId, runId, scoutId: null, mode: 'workflow' })
      : continueLog(engine, last, earlier)
  const profile = profileFor(engine.registry.get(node.tool), attempt)
  const state =
    last === undefined
      ? begin(await started(engine, attempt, { log, policy, profile, call, see }), { history: [] })
      : fold(earlier, { history: [] })
  const liveArgs = new Map([[call.id, call.args]])
  const system = async () => joinedPrompt('')
  const unasked = { purpose: 'main', system, stream: false, confirm: undefined } as const
  return { ...engine, ...unasked, policy, log, state, owner, signal, liveArgs, authored: attempt.authored }
}

type Opening = Pick<RunContext, 'log' | 'policy'> & {
  profile: Profile
  call: ToolCall
  see: (event: Event) => void
}

async function started(engine: Engine, attempt: Attempt, opening: Opening): Promise<EventOf<'run.started'>> {
  const { node, inputs, minted, place, owner } = attempt
  const { log, policy, profile, call, see } = opening
  const { registry, world } = engine
  const facts = await gatherFacts(call, { registry, world, state: { sessionId: place.sessionId, profile }, owner })
  const { task, approvals, deeds } = authority(attempt, facts, policy)
  const event = beginRun(log, {
    profile,
    model: 'workflow',
    lang: engine.lang,
    // The call comes from the document, not from a model.
    route: 'RuleBased',
    tools: [node.tool],
    history: inputs.length,
    task,
    approvals,
    parentRunId: place.workflowRunId,
    given: { ...conversationOf(inputs), minted, deeds },
    policy: narrowingOf(policy),
    owner,
  })
  see(event)
  return event
}

function policyFor(policy: Policy, { allowed_domains, allowed_methods, rate_limit }: WorkflowNode): Policy {
  return narrowedTo(policy, {
    ...(allowed_domains === undefined ? {} : { allowedDomains: allowed_domains }),
    ...(allowed_methods === undefined ? {} : { allowedMethods: allowed_methods }),
    rateLimit: { perSecond: rate_limit.per_second, burst: rate_limit.burst },
  })
}

function profileFor(tool: ToolDescription | undefined, { node, disabledTools }: Attempt): Profile {
  const ownMs = tool?.callMs === undefined ? { callMs: LONGEST_MS } : {}
  return {
    ...PROFILES.workflow,
    limits: { maxSteps: 1, ...(node.timeout === undefined ? ownMs : { callMs: Math.round(node.timeout * 1000) }) },
    exposure: { only: [node.tool], hidden: [...disabledTools] },
    // The author has approved it in advance; no person can be asked now: see `authority`.
    human: true,
    onToolFailure: 'record',
    atToolLimit: 'none',
    observationMaxLen: OUTPUT_MAX,
    historyMessages: 0,
  }
}

const INSPECTIONS = ['pass', 'warn', 'review', 'block'] as const
const FLAGS = { Block: 'block', Review: 'review', Warn: 'warn' } as const

function endOf(
  events: readonly Event[],
  { attempt, failure, ctx }: { attempt: Attempt; failure: string | undefined; ctx: RunContext },
): AttemptEnd {
  const texts = workflowTexts(ctx.state.lang)
  const { inputs, node } = attempt
  const tool = ctx.registry.get(node.tool)
  const result = events.findLast((event) => event.type === 'tool.result')
  const flag = events.findLast((event) => event.type === 'injection.flagged')
  const decided = events.findLast((event) => event.type === 'gate.decided')
  const flagged = flag === undefined ? 'pass' : FLAGS[flag.data.verdict]
  const trust = result?.data.trust === 'external' || hasUntrustedInput(inputs) ? 'external' : 'internal'
  const inspection = worst([flagged, ...inputs.map((one) => one.inspection)])
  const said = { trust, inspection, refused: false, repeatable: false } as const
  if (result === undefined) {
    const message = texts.internal({ message: failure ?? '' })
    return { ...said, error: { code: 'internal_error', message } }
  }
  const { observation, denial } = result.data
  if (observation.outcome === 'ok') {
    if (flagged === 'block')
      return { ...said, error: { code: 'OUTPUT_WITHHELD', message: texts.withheld({ tool: node.tool }) } }
    const own = objectIn(observation.told?.own)
    const outputs = outputsIn(tool, observation.text) ?? plainOutputs(observation.text)
    return { ...said, ...(own && { own }), ...shown(outputs, attempt, ctx) }
  }
  const code = observation.code ?? 'TOOL_FAILED'
  const message =
    code === 'NO_CONFIRM_CHANNEL' ? uncovered(events, attempt, ctx) : hinted(observation.text, observation.hint)
  const left = leftIn(tool, observation.partial)
  return {
    ...said,
    ...(left === undefined ? {} : shown(left, attempt, ctx)),
    error: { code, message },
    refused: denial?.reason === 'RATE_LIMITED' && denial.all.length === 1 ? 'rate' : denial !== undefined,
    repeatable:
      denial === undefined &&
      (observation.notDone === true || isHarmless(ctx, node.tool, decided?.data.facts.readOnly)),
  }
}

/** Safe to repeat: what the tool declares idempotent, and reads of a tool that can also change things. */
function isHarmless({ registry }: RunContext, name: string, reads: boolean | undefined): boolean {
  const tool = registry.get(name)
  return tool?.idempotent === true || (tool?.readOnly === false && reads === true)
}

function hinted(text: string, hint: string | undefined): string {
  return hint === undefined ? text : `${text} ${hint}`
}

/** Why naming the tool in the document was not enough. */
function uncovered(events: readonly Event[], attempt: Attempt, { policy, state }: RunContext): string {
  const texts = workflowTexts(state.lang)
  const asked = events.find((event) => event.type === 'gate.decided' && event.data.decision === 'ask')
  if (asked?.type !== 'gate.decided') return ''
  const { facts, message = '' } = asked.data
  const [target] = untrustedTargets(attempt, facts, policy)
  return target === undefined ? texts.needsPerson({ why: message }) : texts.untrustedTarget({ target })
}

function worst(inspections: readonly Origin['inspection'][]): Origin['inspection'] {
  return INSPECTIONS.findLast((level) => inspections.includes(level)) ?? 'pass'
}

/** What a failed call still returned: the body of a 404, the trace of an agent. */
function leftIn(tool: ToolDescription | undefined, partial: string | undefined): Outputs | undefined {
  if (partial === undefined) return undefined
  const values = objectIn(partial)
  return outputsIn(tool, partial) ?? (values && { values })
}

/** With `primary_output`, a tool is told which of its outputs is the main one. */
function shown(
  { values: outputs, main }: Outputs,
  { node, args }: Attempt,
  { registry }: RunContext,
): Pick<AttemptEnd, 'outputs' | 'primary' | 'main'> {
  const taken = at(registry.get(node.tool)?.schema, ['properties', 'primary_output'])
  const primary = taken === undefined ? undefined : (args.primary_output ?? at(taken, ['default']))
  return { outputs, ...(main && { main }), ...(typeof primary === 'string' ? { primary } : {}) }
}
