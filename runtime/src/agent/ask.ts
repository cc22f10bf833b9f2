/** One step: the model gets the conversation and replies with calls or an answer. */
import { journaledCopy } from '../base/json.ts'
import { present } from '../base/present.ts'
import { hasShortenedResults, promptMessages } from '../context/prompt-messages.ts'
import { messages as texts } from '../i18n/locale.ts'
import { why as whyOf, whyText } from '../i18n/why.ts'
import { type ContextRefusal, contextRefusal, learnedLimit } from '../model/context-window.ts'
import { decodeJson, jsonInstructions, renderForJson, speakJson } from '../model/dialect-json.ts'
import { decodeNative, pairCalls } from '../model/dialect-native.ts'
import { NO_CHARGE, prepaid } from '../model/meter.ts'
import { ModelError, type ModelRequest, OUTPUT_TOKENS } from '../model/model.ts'
import { askWithRetry, leave } from '../model/retry.ts'
import { loadTokenizer, requestTokens } from '../model/tokens.ts'
import { refusedTools, takesTools } from '../model/tool-refusal.ts'
import type { Event } from '../protocol/event.ts'
import { type Message, RESULT_TOOL } from '../protocol/message.ts'
import type { Cuts } from '../protocol/state.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { isBudgetError } from './budget.ts'
import { note, type RunContext, type SystemPrompt } from './context.ts'
import { outputTokens } from './context-room.ts'
import { fitContext, surelyFits } from './fit-context.ts'
import { mayAnswer } from './intent.ts'
import { canReadResults } from './long-results.ts'
import { loadMedia } from './media.ts'
import { quotesIn } from './quoted-calls.ts'
import { reserveCall, runMeter } from './run-payment.ts'

/** `parked`: the money budget needs an approval, and the run waits for it. */
export async function* askModel(ctx: RunContext): AsyncGenerator<Event, 'asked' | 'parked'> {
  const given = await ctx.system()
  const build = (cuts: Cuts) =>
    requestFor(cuts === ctx.state.cuts ? ctx : { ...ctx, state: { ...ctx.state, cuts } }, given)
  const whole = build(ctx.state.cuts)
  const fits = surelyFits(ctx, whole)
  if (!fits) yield* fitContext(ctx, build)
  const refused = yield* askOnce(ctx, given, { prompt: 'first', fitting: fits ? whole : undefined })
  if (refused === undefined) return 'asked'
  if (refused === 'parked') return 'parked'
  // The provider's window is smaller than we thought: one retry with a prompt that fits it.
  const tokens = learnedLimit(refused, requestTokens(build(ctx.state.cuts), await loadTokenizer()))
  yield note(ctx, 'context.limited', { tokens, message: refused.message })
  yield* fitContext(ctx, build)
  return (yield* askOnce(ctx, given, { prompt: 'smaller', fitting: undefined })) === 'parked' ? 'parked' : 'asked'
}

type Refused = ContextRefusal & { message: string }

/** Returns the refusal of a prompt that was too long, the first time. */
async function* askOnce(
  ctx: RunContext,
  given: SystemPrompt,
  { prompt, fitting }: { prompt: 'first' | 'smaller'; fitting: ModelRequest | undefined },
): AsyncGenerator<Event, Refused | 'parked' | undefined> {
  const { state, log, model, purpose, clock } = ctx
  let request = fitting ?? requestFor(ctx, given)
  const media = await loadMedia(ctx, request.messages)
  if (media.size > 0) request = { ...request, media }
  const dropped = state.messages.length - request.messages.length
  if (dropped > 0) yield note(ctx, 'window.trimmed', { dropped, kept: request.messages.length })

  const charge = ctx.budget === undefined ? NO_CHARGE : yield* reserveCall(ctx, request)
  if (charge === 'parked') return 'parked'
  if (charge === 'stopped') return undefined

  const about = { purpose, model: model.id, messages: request.messages.length, tools: request.tools?.length ?? 0 }
  yield note(ctx, 'model.requested', {
    ...about,
    attempt: prompt === 'first' ? 1 : 2,
    ...present({ reservedUsd: charge.usd }),
  })
  // What earlier calls did must be on disk before the next paid request.
  await log.flush()

  // Not streamed: a check may refuse this answer, and a watcher must not have read it by then.
  const isBuffered = !mayAnswer(ctx) || state.given.outputSchema !== undefined
  const startedAt = clock.now()
  const failures: Event[] = []
  let refused: Refused | undefined
  const answer = askWithRetry(model, request, {
    signal: ctx.signal,
    meter: prepaid(charge, runMeter(ctx, failures)),
    maxAttempts: ctx.modelAttempts,
    instead(error) {
      if (request.tools === undefined || !refusedTools(model, error)) return undefined
      request = { ...requestFor(ctx, given), ...(media.size > 0 && { media }) }
      return request
    },
    onFailed(attempt, error, wait) {
      const { status } = error
      const tooLong = wait === undefined ? contextRefusal(error) : undefined
      const refusal = prompt === 'first' ? tooLong : undefined
      if (refusal !== undefined) refused = { ...refusal, message: error.message }
      const retryInMs = refusal === undefined ? wait : 0
      // The smaller prompt has little more than the task, which is never cut.
      const why = tooLong !== undefined && prompt === 'smaller' ? whyOf('stillTooLong', { why: error.why }) : error.why
      const message = whyText(why, 'en')
      failures.push(note(ctx, 'model.failed', { purpose, message, why, attempt, ...present({ status, retryInMs }) }))
      if (wait !== undefined) failures.push(note(ctx, 'model.requested', { ...about, attempt: attempt + 1 }))
    },
  })
  let isOver = false
  try {
    for (;;) {
      const next = await answer.next()
      for (const failure of failures.splice(0)) yield failure
      if (next.done) {
        isOver = true
        const { plain, tools } = request
        const jsonAnswer = state.given.outputSchema !== undefined
        const source = tools === undefined ? undefined : { tools, jsonAnswer, isQuoted: quotesIn(ctx) }
        const reply =
          plain === undefined ? decodeNative(next.value, ctx.newId, source) : decodeJson(next.value, ctx.newId)
        if (reply.kind === 'calls') {
          for (const call of reply.calls) {
            // In the model's own order of keys, the prompts after a crash would differ from those before.
            call.args = journaledCopy(call.args)
            ctx.liveArgs.set(call.id, call.args)
          }
        }
        const elapsedMs = Math.max(0, clock.now() - startedAt)
        yield note(ctx, 'model.replied', { purpose, reply, usage: next.value.usage, elapsedMs })
        if (isBuffered && reply.kind === 'calls' && reply.text !== '') {
          yield log.mention('model.delta', { text: reply.text })
        }
        if (reply.kind === 'malformed') yield* repair(ctx, reply)
        else if (reply.kind === 'final' && state.outcome === undefined) yield remindToReport(ctx)
        return undefined
      }
      // In the JSON dialect the stream would be half a JSON object.
      if (request.plain !== undefined || isBuffered) continue
      yield log.mention('model.delta', 'restart' in next.value ? { text: '', restart: true } : next.value)
    }
  } catch (error) {
    yield* failures.splice(0)
    // A cancelled run stops at the next move; a provider's failure is in the journal already. A retry that the budget
    // does not cover is asked for at the next move.
    if (!ctx.signal.aborted && !(error instanceof ModelError) && !isBudgetError(error)) throw error
    return ctx.signal.aborted ? undefined : refused
  } finally {
    if (!isOver) await leave(answer)
  }
}

/** Only a scout's final text does not end its run: it has to call report_findings. */
function remindToReport(ctx: RunContext): Event {
  return note(ctx, 'protocol.repair', { hint: texts(ctx.state.lang).prompt.reportNow }, 'report_findings')
}

function* repair(ctx: RunContext, malformed: { text: string; error: string }): Generator<Event> {
  yield note(ctx, 'protocol.malformed', malformed)
  if (ctx.state.malformed > 1) return
  const hint = texts(ctx.state.lang).prompt.repair({ error: malformed.error })
  yield note(ctx, 'protocol.repair', { hint })
}

function requestFor(ctx: RunContext, given: SystemPrompt): ModelRequest {
  const { state, examples, temperature } = ctx
  const shown = promptMessages(state, { canRead: canReadResults(ctx) })
  const tools = state.lastStep ? [] : offeredTools(ctx)
  const inText = state.profile.dialect === 'json' || !takesTools(ctx.model)
  const { whole } = given
  const instructions = inText ? jsonInstructions(tools, state.lang, present({ given: whole, examples })) : whole
  const system = state.lastStep ? `${instructions}\n\n${texts(state.lang).prompt.answerNow}` : instructions
  const most = outputTokens(ctx)
  const maxOutputTokens = most < OUTPUT_TOKENS ? most : ctx.maxOutputTokens
  return {
    purpose: ctx.purpose,
    system,
    messages: inText ? renderForJson(shown.map(inProtocol), state.lang) : pairCalls(shown, state.lang),
    cache: { key: state.sessionId, stable: system.indexOf(given.stable) + given.stable.length },
    stream: ctx.stream,
    ...(inText ? { plain: { messages: shown, tools } } : tools.length === 0 ? {} : { tools }),
    ...present({ temperature, maxOutputTokens }),
  }
}

const WITHOUT_READING = new WeakMap<readonly ToolDescription[], readonly ToolDescription[]>()

/** `result_read` only once there is something to read again. The same array each time: adapters cache by it. */
function offeredTools({ registry, state }: RunContext): readonly ToolDescription[] {
  const all = registry.exposedTo(state.profile)
  if (hasShortenedResults(state)) return all
  const known = WITHOUT_READING.get(all) ?? all.filter(({ name }) => name !== RESULT_TOOL)
  WITHOUT_READING.set(all, known)
  return known
}

/** Shows earlier plain answers as JSON: a model imitates its own replies. A reply under correction stays as it was. */
function inProtocol(message: Message, at: number, all: readonly Message[]): Message {
  const next = all[at + 1]
  const corrected = next?.role === 'user' && next.by === 'runtime'
  if (message.role !== 'assistant' || message.calls !== undefined || corrected) return message
  return { ...message, content: speakJson({ text: message.content, calls: [] }) }
}
