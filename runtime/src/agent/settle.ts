/** One call, from proposal to observation: gather facts, judge, ask for approval, execute under a writ, record it. */
import { setTimeout as delay } from 'node:timers/promises'
import { fingerprint } from '../base/hash.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { following, orAborted, whileEmitting } from '../base/wait.ts'
import { decide, judge } from '../gate/gate.ts'
import type { ToolInput } from '../gate/gate-input.ts'
import { reviewerAllows } from '../gate/review.ts'
import { rateWaitMs } from '../gate/stages/quota.ts'
import { drawsOnSoftQuota } from '../gate/stages/scope.ts'
import { mayRepeatUntrusted } from '../gate/untrusted-texts.ts'
import type { Writ } from '../gate/writ.ts'
import { messages as texts } from '../i18n/locale.ts'
import { needsInspection } from '../inspect/trust.ts'
import { isBroken } from '../journal/fold.ts'
import { hasRedaction } from '../journal/redact.ts'
import type { Event } from '../protocol/event.ts'
import type { Facts } from '../protocol/facts.ts'
import type { ToolCall } from '../protocol/message.ts'
import type { FailureCode, Observation } from '../protocol/observation.ts'
import type { Denial, Judgement, ShadowVerdict } from '../protocol/verdict.ts'
import { type ExecuteContext, execute } from '../tool/execute.ts'
import { gatherFacts } from '../tool/gather.ts'
import { aloneParts, outsidePart } from '../tool/sealed.ts'
import { type Asked, type AskedCall, askPerson } from './approval.ts'
import { note, type RunContext } from './context.ts'
import { limitSetting } from './limit-setting.ts'
import { fitObservation, observationLimit, readResult } from './long-results.ts'
import { mediaAccess } from './media.ts'
import { policyInForce } from './policy-in-force.ts'
import { recordBefore } from './recording.ts'
import { askReviewer } from './review.ts'
import { shadowVerdict } from './shadow.ts'
import { inspectedWith, SEVERITY, type Withheld, withhold } from './withhold.ts'

/**
 * `parked`: an approval is open in the journal, and the run waits for it. `edited`: a person changed the call, which is
 * settled next, as changed.
 */
export type Settled = 'settled' | 'parked' | 'edited'

export async function* settleCall(run: RunContext, pending: ToolCall): AsyncGenerator<Event, Settled> {
  let ctx = run
  const { state } = run
  const isResumable = ctx.registry.get(pending.tool)?.resumes === true
  if (state.running?.callId === pending.id && !state.running.idempotent && !isResumable) {
    yield note(ctx, 'run.interrupted', { callId: pending.id }, 'INTERRUPTED')
    const text = await ctx.recovered?.(pending)
    if (text === undefined) yield unsettled(ctx, pending, 'INTERRUPTED')
    else
      yield* inspected(ctx, pending, {
        facts: plainFacts(ctx, pending),
        observation: { outcome: 'ok', text, elapsedMs: 0 },
      })
    return 'settled'
  }
  const live = ctx.liveArgs.has(pending.id)
  if (!live && hasRedaction(pending.args)) {
    yield unsettled(ctx, pending, 'ARGS_REDACTED')
    return 'settled'
  }
  const call = live ? { ...pending, args: ctx.liveArgs.get(pending.id) } : pending
  const facts = await gatherFacts(call, ctx)
  let judgement = judge(gateInputOf(ctx, call, facts))
  // Remembered rules only allow, and only a denied call may have to wait.
  if (judgement.decision !== 'allow') {
    ctx = { ...run, policy: await policyInForce(run) }
    await awaitRate(ctx, gateInputOf(ctx, call, facts))
    judgement = judge(gateInputOf(ctx, call, facts))
  }
  const shadow = ctx.shadow && shadowVerdict(gateInputOf(ctx, call, facts), judgement, ctx.shadow)
  yield decided(ctx, call, facts, shadow === undefined ? judgement : { ...judgement, shadow })
  // Judged again, a refusal would count itself: the first of a budget would already be the last.
  if (judgement.decision === 'deny') {
    yield* refuse(ctx, call, { facts, denial: judgement.denial })
    return 'settled'
  }

  const asked: Asked = judgement.decision === 'ask' ? yield* askApproval(ctx, { call, facts, judgement }) : {}
  if (asked === 'parked') return 'parked'
  // The call is still pending, with other arguments: it comes here again.
  if (asked === 'edited') return 'edited'
  const { writ, denial } = decide(gateInputOf(ctx, call, facts), asked.answer)
  const verdict: Judgement = denial === undefined ? { decision: 'allow' } : { decision: 'deny', denial, objections: [] }
  // After an approval, or when the run's time was up between `judge` and `decide`.
  if (verdict.decision !== judgement.decision) yield decided(ctx, call, facts, verdict)
  if (denial !== undefined) yield* refuse(ctx, call, { facts, denial: { ...denial, ...asked.refusal } })
  else yield* act(ctx, call, { facts, writ })
  return 'settled'
}

/** The reviewer first, where there is one; a person unless it approves. */
async function* askApproval(
  ctx: RunContext,
  { call, facts, judgement }: Pick<AskedCall, 'call' | 'judgement'> & { facts: Facts },
): AsyncGenerator<Event, Asked> {
  const asked = { call, input: gateInputOf(ctx, call, facts), judgement }
  yield* askReviewer(ctx, asked)
  // The answer is in the state now: `decide` reads it there.
  return reviewerAllows(asked.input, judgement.objections) ? {} : yield* askPerson(ctx, asked)
}

/** Waits only where the rate is the sole objection, and the wait ends before the run does. */
async function awaitRate({ waitsForRate, clock, signal }: RunContext, input: ToolInput): Promise<void> {
  const waitMs = waitsForRate ? rateWaitMs(input) : 0
  const judgement = waitMs > 0 ? judge(input) : undefined
  if (judgement?.decision !== 'deny' || judgement.denial.all.some((reason) => reason !== 'RATE_LIMITED')) return
  const { startedAt, profile } = input.state
  const { runMs = Number.POSITIVE_INFINITY } = profile.limits
  if (clock.now() + waitMs >= startedAt + runMs) return
  // Timers can fire slightly early.
  await delay(waitMs + 1, undefined, { signal }).catch(() => {})
}

async function* act(
  ctx: RunContext,
  call: ToolCall,
  { facts, writ }: { facts: Facts; writ: Writ },
): AsyncGenerator<Event> {
  const { state, clock, model, media } = ctx
  if (!facts.readOnly) yield* recordBefore(ctx, call, facts)
  yield toolCall(ctx, call, { facts, allowed: true })
  // Stored before acting: after a crash in between, the journal shows a call without a result, and it is not repeated.
  if (!facts.readOnly || !isIdempotent(ctx, call)) await ctx.log.flush()
  const { runMs, callMs = Number.POSITIVE_INFINITY } = state.profile.limits
  const left = runMs === undefined ? Number.POSITIVE_INFINITY : Math.max(1, state.startedAt + runMs - clock.now())
  const { runId, sessionId, turnId } = state
  const attempt = (by: Writ) =>
    abortWhenAbandoned<Event, Observation>(ctx.signal, (emit, ending) =>
      execute(by, {
        registry: ctx.registry,
        world: ctx.world,
        policy: ctx.policy,
        readOnly: facts.readOnly,
        runId,
        sessionId,
        turnId,
        owner: ctx.owner,
        lang: state.lang,
        isHearsay: (text) => mayRepeatUntrusted(text, state, ctx.policy.security),
        resultOf: (id) => readResult(ctx, id),
        media: mediaAccess({ model, media, sessionId, runId, isRead: state.profile.mode !== 'workflow' }),
        emit,
        note: (type, data) => emit(note(ctx, type, data)),
        ending,
        callMs: Math.min(callMs ?? Number.POSITIVE_INFINITY, left),
        callSetting: limitSetting(state.profile, (callMs ?? Number.POSITIVE_INFINITY) < left ? 'call' : 'run'),
        maxLen: observationLimit(ctx),
        now: () => clock.now(),
        ...present({ basis: facts.basis, authored: ctx.authored, elicit: elicitBy(ctx) }),
      }),
    )
  let observation = yield* attempt(writ)
  if (shouldRetry(ctx, observation)) {
    yield toolResult(ctx, call, { facts, observation, retried: true })
    const again = decide(gateInputOf(ctx, call, facts))
    if (again.denial !== undefined) {
      yield decided(ctx, call, facts, { decision: 'deny', denial: again.denial, objections: [] })
      yield* refuse(ctx, call, { facts, denial: again.denial })
      return
    }
    yield toolCall(ctx, call, { facts, allowed: true })
    observation = yield* attempt(again.writ)
  }
  const isRead = call.tool === 'read_doc' && observation.outcome === 'ok'
  yield* inspected(ctx, call, { facts, observation: isRead ? observation : withLastCallHint(ctx, observation) })
}

/** Only where the run has a person. */
function elicitBy({ state, confirm, signal }: RunContext): ExecuteContext['elicit'] {
  const ask = state.profile.human ? confirm?.elicit : undefined
  return ask && ((form) => ask(form, signal))
}

/**
 * When the consumer leaves the generator, the work is aborted and awaited: otherwise it would still run while another
 * worker already holds the session. Work that has finished is not aborted.
 */
async function* abortWhenAbandoned<E, T>(
  signal: AbortSignal,
  work: (emit: (item: E) => void, ending: AbortController) => Promise<T>,
): AsyncGenerator<E, T> {
  const { controller, leave } = following(signal)
  let working: Promise<T> | undefined
  let isDone = false
  try {
    const result = yield* whileEmitting<E, T>((emit) => {
      working = work(emit, controller)
      return working
    })
    isDone = true
    return result
  } finally {
    if (!isDone) controller.abort()
    await working?.catch(() => {})
    leave()
  }
}

/** S4: a failed tool is retried once. A cancelled one did not fail. */
function shouldRetry({ state, signal }: RunContext, observation: Observation): boolean {
  return state.profile.onToolFailure === 'retry_once_then_fail' && isBroken(observation) && !signal.aborted
}

/** A scout that spends its last call on anything but a read could never report. */
function withLastCallHint({ state }: RunContext, observation: Observation): Observation {
  const { profile, toolCalls, succeeded, lang } = state
  const isReady = profile.atToolLimit !== 'report' || profile.reportNeedsRead !== true || (succeeded.read_doc ?? 0) > 0
  if (isReady || toolCalls + 1 !== profile.limits.maxToolCalls) return observation
  return { ...observation, hint: texts(lang).prompt.lastCallReads }
}

/** How much of changed arguments the model is shown. */
const EDIT_MAX = 4000

/** S1: external results are inspected before the model reads them; at Block it gets what is left after cutting. */
export async function* inspected(
  ctx: RunContext,
  call: ToolCall,
  { facts, observation }: { facts: PlainFacts; observation: Observation },
): AsyncGenerator<Event> {
  const shown = async (given: Observation) =>
    toolResult(ctx, call, { facts, observation: await fitObservation(ctx, call, given) })
  if (ctx.inspect === undefined || !needsInspection({ name: call.tool, trust: facts.trust })) {
    yield await shown(observation)
    return
  }
  const tool = ctx.registry.get(call.tool)
  const whole = [observation.text, observation.partial ?? '']
  const read = whole.map((text) => outsidePart(tool, text)).join('\n')
  const alone = aloneParts(tool, observation.text)
  const { verdict, findings } = await inspectedWith(ctx.inspect, { read, alone, tool: call.tool })
  if (verdict !== 'pass') {
    const flagged = { callId: call.id, tool: call.tool, verdict: SEVERITY[verdict], findings }
    yield note(ctx, 'injection.flagged', flagged, SEVERITY[verdict])
  }
  if (verdict !== 'block') {
    yield await shown(observation)
    return
  }
  const isOwnPart = read !== whole.join('\n')
  const withheld = await withhold(observation, { ctx, tool: call.tool, isOwnPart, alone, findings })
  const isReleased = yield* released(ctx, call, withheld)
  yield await shown(isReleased ? observation : withLastCallHint(ctx, withheld.shown))
}

/** A person at the terminal may release the withheld text. It stays the text of an untrusted source. */
async function* released(
  ctx: RunContext,
  { id: callId, tool }: ToolCall,
  { text, lines }: Withheld,
): AsyncGenerator<Event, boolean> {
  const ask = ctx.state.profile.human ? ctx.confirm?.release : undefined
  if (ask === undefined) return false
  await ctx.log.flush()
  const withheld = { callId, tool, text, ...present({ lines }) }
  const isYes = await orAborted(ask(withheld, ctx.signal), ctx.signal).catch((error: unknown) => {
    if (!ctx.signal.aborted) throw error
    return false
  })
  if (isYes !== true || ctx.signal.aborted) return false
  yield note(ctx, 'injection.released', { callId, tool, by: 'user' })
  return true
}

function* refuse(
  ctx: RunContext,
  call: ToolCall,
  { facts, denial }: { facts: Facts; denial: Denial },
): Generator<Event> {
  yield toolCall(ctx, call, { facts, allowed: false })
  const code = denial.code === undefined ? denial.reason : `${denial.reason}/${denial.code}`
  const observation: Observation = {
    outcome: 'denied',
    text: clip(denial.message, ctx.state.profile.observationMaxLen),
    code,
    recoverable: denial.effect !== 'stop',
    ...present({ hint: denial.hint }),
    elapsedMs: 0,
  }
  yield toolResult(ctx, call, { facts, observation, denial })
}

/** For the remaining calls of a reply after one of them ended the run. */
export function skipCall(ctx: RunContext, call: ToolCall): Event {
  return unsettled(ctx, call, 'SKIPPED')
}

function gateInputOf(ctx: RunContext, { id, tool, args }: ToolCall, facts: Facts): ToolInput {
  const { state, policy, clock, signal } = ctx
  const { runId, steps: step, route } = state
  const proposal = { kind: 'tool', id, tool, args, runId, step, route } as const
  return { proposal, facts, state, policy, now: clock.now(), aborted: signal.aborted }
}

/** The hash of the arguments is in both events of a call. */
const HASHES = new WeakMap<object, string>()

function argsHash({ args }: ToolCall): string {
  // Only what is frozen cannot change between the two.
  if (typeof args !== 'object' || args === null || !Object.isFrozen(args)) return fingerprint(args)
  const known = HASHES.get(args) ?? fingerprint(args)
  HASHES.set(args, known)
  return known
}

function decided(
  ctx: RunContext,
  call: ToolCall,
  facts: Facts,
  judgement: Judgement & { shadow?: ShadowVerdict },
): Event {
  const denial = judgement.decision === 'allow' ? { all: [] } : judgement.denial
  return note(
    ctx,
    'gate.decided',
    {
      callId: call.id,
      tool: call.tool,
      args: call.args,
      argsHash: argsHash(call),
      route: ctx.state.route,
      facts,
      decision: judgement.decision,
      ...denial,
      ...present({ rule: judgement.rule, shadow: judgement.shadow }),
    },
    'reason' in denial ? denial.reason : '',
  )
}

function toolCall(ctx: RunContext, call: ToolCall, { facts, allowed }: { facts: Facts; allowed: boolean }): Event {
  return note(ctx, 'tool.call', {
    callId: call.id,
    tool: call.tool,
    family: facts.family,
    step: ctx.state.steps,
    args: call.args,
    argsHash: argsHash(call),
    allowed,
    soft: allowed && drawsOnSoftQuota(gateInputOf(ctx, call, facts)),
    idempotent: isIdempotent(ctx, call),
  })
}

function isIdempotent({ registry }: RunContext, call: ToolCall): boolean {
  return registry.get(call.tool)?.idempotent ?? false
}

type PlainFacts = Pick<Facts, 'family' | 'trust'>

/** Facts of a call that is not judged again: what its tool declares. */
export function plainFacts({ registry }: Pick<RunContext, 'registry'>, call: ToolCall): PlainFacts {
  const tool = registry.get(call.tool)
  return { family: tool?.family ?? 'unknown', trust: tool?.trust ?? 'external' }
}

interface ToolEnd {
  facts: PlainFacts
  observation: Observation
  denial?: Denial
  retried?: true
}

function toolResult(ctx: RunContext, call: ToolCall, { facts, denial, retried, ...end }: ToolEnd): Event {
  if (retried === undefined) ctx.liveArgs.delete(call.id)
  const observation = retried === undefined ? withEdit(ctx, call, end.observation) : end.observation
  const { family } = facts
  const trust = observation.told === undefined ? facts.trust : 'external'
  const common = { callId: call.id, tool: call.tool, family, trust, step: ctx.state.steps, observation }
  const data = { ...common, ...present({ denial, retried }) }
  return note(ctx, 'tool.result', data, observation.code ?? '')
}

/** The model proposed something else, and must know what was done instead. */
function withEdit({ state }: RunContext, call: ToolCall, observation: Observation): Observation {
  if (state.edited?.callId !== call.id) return observation
  const edited = texts(state.lang).prompt.editedCall({ args: clip(JSON.stringify(call.args), EDIT_MAX) })
  return { ...observation, hint: observation.hint === undefined ? edited : `${observation.hint}\n${edited}` }
}

function unsettled(ctx: RunContext, call: ToolCall, code: FailureCode): Event {
  const { lang } = ctx.state
  const say = texts(lang).stop
  const text =
    code === 'INTERRUPTED'
      ? say.interruptedCall({ tool: call.tool })
      : code === 'ARGS_REDACTED'
        ? say.argsRedacted({ tool: call.tool })
        : say.skippedCall({ tool: call.tool })
  return toolResult(ctx, call, {
    facts: plainFacts(ctx, call),
    observation: { outcome: 'error', code, text, elapsedMs: 0 },
  })
}
