/** The money budget of one run: a call that passes a limit warns, asks a person, or ends the run. */
import { deepFreeze } from '../base/json.ts'
import { messages as texts } from '../i18n/locale.ts'
import type { Charge, Meter } from '../model/meter.ts'
import { type ModelRequest, OUTPUT_TOKENS } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { Question } from '../protocol/verdict.ts'
import { assertFits } from './approval.ts'
import { approvalOf, isBudgetError, meterFor } from './budget.ts'
import { note, type RunContext } from './context.ts'
import { putQuestion } from './question.ts'

/** Warnings are recorded and added to `events`. */
export function runMeter(ctx: RunContext, events: Event[]): Meter {
  const { state, budget, owner, model, clock, maxOutputTokens = OUTPUT_TOKENS } = ctx
  const { runId, parentRunId, usage, lang } = state
  const { approved = [], warned = [], metered = false } = state.budget ?? {}
  return meterFor({
    budget,
    owner,
    model,
    maxOutputTokens,
    lang,
    now: () => clock.now(),
    run: { runId, parentRunId, usage, metered, approved, warned: warned.map(({ scope }) => scope) },
    warn: (warning) => events.push(note(ctx, 'budget.warned', warning, warning.scope)),
  })
}

/** `stopped`: the run has an outcome. `parked`: the question is open in the journal. */
export async function* reserveCall(
  ctx: RunContext,
  request: ModelRequest,
): AsyncGenerator<Event, Charge | 'stopped' | 'parked'> {
  for (;;) {
    const events: Event[] = []
    try {
      const charge = await runMeter(ctx, events).reserve(request)
      yield* events
      return charge
    } catch (error) {
      yield* events
      if (!isBudgetError(error)) throw error
      const { confirm, state } = ctx
      const mayAsk = error.key === 'PRICE_UNKNOWN' || error.values.level === 'ask'
      if (mayAsk && state.profile.human && confirm !== undefined) {
        const question = questionOf(ctx, error)
        const reply = yield* putQuestion(ctx, question, { confirm, reason: error.code })
        if (reply === 'parked') return 'parked'
        if (reply === undefined) return 'stopped'
        assertFits(reply, question)
        const { answer, by } = reply
        yield note(ctx, 'confirm.answered', { callId: question.callId, answer, by, keys: [] })
        if (answer !== 'n') continue
      }
      const { message: fact, hint } = error.textIn(state.lang)
      const text = texts(state.lang).stop.moneyBudget({ fact, hint })
      yield note(ctx, 'budget.stopped', { code: error.code, model: ctx.model.id, text }, error.code)
      return 'stopped'
    }
  }
}

/**
 * The amounts change while a run waits, so only the message has them: an approval covers the limit. High risk: `--yes`
 * does not spend money that a person wanted to be asked about.
 */
function questionOf({ state, model }: RunContext, error: Parameters<typeof approvalOf>[0]): Question {
  const { confirm } = texts(state.lang)
  const budget = approvalOf(error)
  const preview = error.key === 'PRICE_UNKNOWN' ? confirm.unpriced(error.values) : confirm.budget(error.values)
  return deepFreeze({
    callId: `budget:${state.runId}:${budget}`,
    tool: model.id,
    risk: 'High',
    reasons: [],
    message: error.textIn(state.lang).message,
    preview,
    keys: [],
    targets: [],
    budget,
  })
}
