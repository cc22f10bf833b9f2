/** Asks a person about a call, and records the answer with what comes with it: a rule, a reason, a change. */
import { messageOf } from '../base/errors.ts'
import { deepFreeze, frozenCopy, isObject } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { ToolInput } from '../gate/gate-input.ts'
import { reviewOf } from '../gate/review.ts'
import { offersFor } from '../gate/rules/offers.ts'
import { approvalKeys } from '../gate/stages/human.ts'
import { gateTexts } from '../i18n/gate.ts'
import { hasRedaction } from '../journal/redact.ts'
import type { Event } from '../protocol/event.ts'
import type { Facts } from '../protocol/facts.ts'
import type { ToolCall } from '../protocol/message.ts'
import {
  type Answer,
  type Denial,
  type DenialReason,
  type Judgement,
  type Question,
  REASON_MAX,
  type Remembered,
  type Reply,
} from '../protocol/verdict.ts'
import { type Confirm, type DenialText, note, type RunContext } from './context.ts'
import { putQuestion } from './question.ts'

/** `edited`: the pending call has other arguments now and must be judged again. */
export type Asked = 'parked' | 'edited' | { answer?: Answer; refusal?: Partial<DenialText> }

export interface AskedCall {
  call: ToolCall
  input: ToolInput
  judgement: Judgement & { decision: 'ask' }
}

export async function* askPerson(ctx: RunContext, asked: AskedCall): AsyncGenerator<Event, Asked> {
  const { confirm, state } = ctx
  const { call, judgement } = asked
  if (confirm === undefined) return {}
  const question = questionOf(ctx, asked)
  const isSecret = hasRedaction(ctx.log.masked(call.args))
  const reply = yield* putQuestion(ctx, question, {
    confirm: isSecret ? notLater(confirm, state.lang) : confirm,
    reason: judgement.denial.reason,
  })
  if (reply === 'parked') return 'parked'
  if (reply === undefined) return {}
  assertFits(reply, question)
  const { by, edit } = reply
  if (edit !== undefined) {
    const args = frozenCopy(edit)
    ctx.liveArgs.set(call.id, args)
    yield note(ctx, 'confirm.edited', { callId: call.id, tool: call.tool, before: call.args, after: args, by })
    return 'edited'
  }
  return yield* recordAnswer(ctx, question, reply)
}

/** What comes with the answer holds from now on. */
export async function* recordAnswer(
  ctx: RunContext,
  question: Question,
  reply: Reply & { by: string; refusal?: DenialText },
): AsyncGenerator<Event, { answer: Answer; refusal?: Partial<DenialText> }> {
  const { state } = ctx
  const { callId } = question
  const { answer, by } = reply
  const reason = reply.reason?.trim() ? clip(reply.reason.trim(), REASON_MAX) : undefined
  const remembered = await remember(ctx, question, reply)
  const keys = answer === 'a' ? question.keys : []
  yield note(ctx, 'confirm.answered', { callId, answer, by, keys, ...present({ reason, remembered }) })
  const refusal = reason === undefined ? reply.refusal : { message: gateTexts(state.lang).userRejectedWhy(reason) }
  return { answer, ...present({ refusal }) }
}

/** A parked call is run from the journal, which masks secrets: one with a secret could never be run. */
function notLater(confirm: Confirm, lang: Lang): Confirm {
  return async (question, signal) => {
    const reply = await confirm(question, signal)
    return reply === 'later' ? { answer: 'n', by: 'journal', refusal: gateTexts(lang).secretCannotWait } : reply
  }
}

/** An answer that does not fit its question has no effect at all. */
export function assertFits({ answer, remember, reason, edit }: Reply, { offers = [], args }: Question): void {
  const extras = [remember, reason, edit].filter((extra) => extra !== undefined)
  if (extras.length > 1) throw new WritError('ANSWER_INVALID.several')
  if (remember !== undefined && (answer !== 'y' || offers[remember.offer] === undefined))
    throw new WritError('ANSWER_INVALID.offer', { count: offers.length })
  if (reason !== undefined && (answer !== 'n' || reason.length > REASON_MAX))
    throw new WritError('ANSWER_INVALID.reason', { most: REASON_MAX })
  if (edit !== undefined && (answer !== 'y' || args === undefined || !isObject(edit) || hasRedaction(edit)))
    throw new WritError('ANSWER_INVALID.edit')
}

async function remember(
  ctx: RunContext,
  { offers = [] }: Question,
  reply: Reply & { by: string },
): Promise<Remembered | undefined> {
  if (reply.remember === undefined) return undefined
  const { offer, scope } = reply.remember
  const { rules } = offers[offer] ?? { rules: [] }
  if (scope === 'session') return { scope, rules }
  try {
    if (ctx.remembered === undefined) throw new WritError('RULE_NOT_STORED')
    await ctx.remembered.add(rules, { scope, by: reply.by, at: ctx.clock.now() })
    return { scope, rules }
  } catch (error) {
    // The answer counts all the same; the person is told that the rule does not last.
    return { scope, rules, failed: messageOf(error) }
  }
}

function questionOf(ctx: RunContext, { call, input, judgement }: AskedCall): Question {
  const { facts } = input
  const { denial, objections } = judgement
  const { state, log } = ctx
  const reasons = new Set([denial, ...objections].filter(isSaid(denial)).map(({ message }) => message))
  // A rule with a secret would store it, and a masked one would never match.
  const offers = offersFor(input).filter((offer) => !hasRedaction(log.masked(offer)))
  return deepFreeze({
    callId: call.id,
    tool: call.tool,
    risk: facts.risk,
    reasons: denial.all,
    message: [...reasons].join(state.lang === 'zh' ? '；' : '; '),
    preview: previewOf(call, facts),
    keys: approvalKeys(input),
    targets: facts.targets ?? [],
    args: call.args,
    ...present({ basis: facts.basis, review: reviewOf(input) }),
    ...(state.edited?.callId === call.id ? { edited: true as const } : {}),
    ...(offers.length === 0 ? {} : { offers }),
  })
}

/** The limit of the configuration names the lower one and what is risky: the limit of the route would repeat it. */
function isSaid({ all }: Denial): (objection: { reason: DenialReason }) => boolean {
  return ({ reason }) => reason !== 'RiskExceedsCapability' || !all.includes('RiskExceedsConfig')
}

function previewOf({ args }: ToolCall, { preview }: Facts): string {
  return preview ?? JSON.stringify(args, undefined, 2)
}
