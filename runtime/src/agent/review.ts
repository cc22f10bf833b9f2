/** Asks the reviewer about a call, if one is configured and may answer. Whatever goes wrong means: ask a person. */
import { fingerprint } from '../base/hash.ts'
import { isObject, unfenced } from '../base/json.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { orAborted } from '../base/wait.ts'
import { isReviewable } from '../gate/review.ts'
import type { Event } from '../protocol/event.ts'
import type { ReviewCase } from '../protocol/review.ts'
import type { RunState } from '../protocol/state.ts'
import type { Review, ReviewFailure } from '../protocol/verdict.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { AskedCall } from './approval.ts'
import { isBudgetError } from './budget.ts'
import { note, type RunContext } from './context.ts'
import { reviewCase } from './review-case.ts'
import { REVIEW_SYSTEM } from './review-prompt.ts'
import { askSideQuestion } from './side-question.ts'

const REASON_MAX = 200
const OUTPUT_TOKENS = 2048

/** The answer is in the state then. A recorded one is not asked for again. */
export async function* askReviewer(ctx: RunContext, { call, input, judgement }: AskedCall): AsyncGenerator<Event> {
  const { reviewer, state, log, signal } = ctx
  if (reviewer === undefined || signal.aborted) return
  if (state.reviews?.some(({ callId }) => callId === call.id) || !isReviewable(input, judgement.objections)) return
  const seen = log.masked(reviewCase(input, judgement))
  const events: Event[] = []
  const answer = await answerTo(seen, { ctx, reviewer, events })
  // An aborted run has no answer; what was noted of the attempt is still shown.
  yield* events
  if (signal.aborted) return
  const review: Review = { model: reviewer.model.id, ...answer }
  const { basis } = input.facts
  const about = { callId: call.id, tool: call.tool, argsHash: fingerprint(call.args), ...present({ basis }) }
  yield note(ctx, 'call.reviewed', { ...about, ...review, seen }, review.failed ?? review.decision)
}

interface Asking {
  ctx: RunContext
  reviewer: NonNullable<RunContext['reviewer']>
  events: Event[]
}

async function answerTo(seen: ReviewCase, { ctx, reviewer, events }: Asking): Promise<Omit<Review, 'model'>> {
  const failed = (why: ReviewFailure) => ({ decision: 'ask', failed: why }) as const
  if (isSpent(ctx.state)) return failed('over_budget')
  const { lang } = ctx.state
  const late = AbortSignal.timeout(reviewer.timeoutMs)
  const signal = AbortSignal.any([ctx.signal, late])
  const question = {
    purpose: 'review',
    system: REVIEW_SYSTEM[lang],
    messages: [{ role: 'user', content: JSON.stringify(seen) }],
    signal,
    maxOutputTokens: OUTPUT_TOKENS,
  } as const
  try {
    const reply = await orAborted(askSideQuestion({ ...ctx, model: reviewer.model }, question, events), signal)
    return parseReview(reply) ?? failed('unparsable')
  } catch (error) {
    if (isBudgetError(error)) return failed('over_budget')
    return failed(late.aborted ? 'late' : 'unreachable')
  }
}

/** The run ends before its next step; a review would only spend more. */
function isSpent({ profile, usage }: RunState): boolean {
  const { tokens } = profile.limits
  return tokens !== undefined && tokens.budget > 0 && usage.inputTokens + usage.outputTokens >= tokens.budget
}

/** Exactly one object with one of the two words: anything else is no answer. */
export function parseReview(reply: string): Pick<Review, 'decision' | 'reason'> | undefined {
  let value: unknown
  try {
    value = JSON.parse(unfenced(reply))
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { decision, reason } = value
  if (decision !== 'allow' && decision !== 'ask') return undefined
  if (reason !== undefined && typeof reason !== 'string') return undefined
  return { decision, ...(reason ? { reason: clip(oneLine(reason), REASON_MAX) } : {}) }
}
