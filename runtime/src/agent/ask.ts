/** One step: the model gets the conversation and replies with calls or an answer. */
import { deepFreeze } from '../base/json.ts'
import { present } from '../base/present.ts'
import { window } from '../context/window.ts'
import { messages as texts } from '../i18n/locale.ts'
import { decodeJson, jsonInstructions, renderForJson, speakJson } from '../model/dialect-json.ts'
import { decodeNative } from '../model/dialect-native.ts'
import { prepaid } from '../model/meter.ts'
import { ModelError, type ModelRequest } from '../model/model.ts'
import { askWithRetry, leave } from '../model/retry.ts'
import { refusedTools, takesTools } from '../model/tool-refusal.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { isBudgetError } from './budget.ts'
import { note, type RunContext } from './context.ts'
import { mayAnswer } from './intent.ts'
import { quotesIn } from './quoted-calls.ts'
import { reserveCall, runMeter } from './run-payment.ts'

/** `parked`: the money budget needs an approval, and the run waits for it. */
export async function* askModel(ctx: RunContext): AsyncGenerator<Event, 'asked' | 'parked'> {
  const { state, log, model, purpose, clock } = ctx
  const given = await ctx.system()
  let request = requestFor(ctx, given)
  const dropped = state.messages.length - request.messages.length
  if (dropped > 0) yield note(ctx, 'window.trimmed', { dropped, kept: request.messages.length })

  const charge = yield* reserveCall(ctx, request)
  if (charge === 'parked') return 'parked'
  if (charge === 'stopped') return 'asked'

  const about = { purpose, model: model.id, messages: request.messages.length, tools: request.tools?.length ?? 0 }
  yield note(ctx, 'model.requested', { ...about, attempt: 1, ...present({ reservedUsd: charge.usd }) })
  // What earlier calls did must be on disk before the next paid request.
  await log.flush()

  // Not streamed: a check may refuse this answer, and a watcher must not have read it by then.
  const isBuffered = !mayAnswer(ctx) || state.given.outputSchema !== undefined
  const startedAt = clock.now()
  const failures: Event[] = []
  const answer = askWithRetry(model, request, {
    signal: ctx.signal,
    meter: prepaid(charge, runMeter(ctx, failures)),
    maxAttempts: ctx.modelAttempts,
    instead(error) {
      if (request.tools === undefined || !refusedTools(model, error)) return undefined
      request = requestFor(ctx, given)
      return request
    },
    onFailed(attempt, error, retryInMs) {
      const { status } = error
      const message = error.messageIn(state.lang)
      failures.push(note(ctx, 'model.failed', { purpose, message, attempt, ...present({ status, retryInMs }) }))
      if (retryInMs !== undefined) {
        failures.push(note(ctx, 'model.requested', { ...about, attempt: attempt + 1 }))
      }
    },
  })
  try {
    for (;;) {
      const next = await answer.next()
      yield* failures.splice(0)
      if (next.done) {
        const { plain, tools } = request
        const source = tools === undefined ? undefined : { tools, isQuoted: quotesIn(ctx) }
        const reply =
          plain === undefined ? decodeNative(next.value, ctx.newId, source) : decodeJson(next.value, ctx.newId)
        if (reply.kind === 'calls') for (const call of reply.calls) ctx.liveArgs.set(call.id, deepFreeze(call.args))
        const elapsedMs = Math.max(0, clock.now() - startedAt)
        yield note(ctx, 'model.replied', { purpose, reply, usage: next.value.usage, elapsedMs })
        if (isBuffered && reply.kind === 'calls' && reply.text !== '') {
          yield log.mention('model.delta', { text: reply.text })
        }
        if (reply.kind === 'malformed') yield* repair(ctx, reply)
        else if (reply.kind === 'final' && state.outcome === undefined) yield remindToReport(ctx)
        return 'asked'
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
    return 'asked'
  } finally {
    await leave(answer)
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

function requestFor(ctx: RunContext, given: string): ModelRequest {
  const { state, examples, temperature, maxOutputTokens } = ctx
  const shown = window(state.messages, state.profile.historyMessages)
  const tools = state.lastStep ? [] : ctx.registry.exposedTo(state.profile)
  const inText = state.profile.dialect === 'json' || !takesTools(ctx.model)
  const system = [
    inText ? jsonInstructions(tools, state.lang, present({ given, examples })) : given,
    ...(state.lastStep ? [texts(state.lang).prompt.answerNow] : []),
  ]
  return {
    purpose: ctx.purpose,
    system: system.join('\n\n'),
    messages: inText ? renderForJson(shown.map(inProtocol), state.lang) : shown,
    ...(inText ? { plain: { messages: shown, tools } } : tools.length === 0 ? {} : { tools }),
    ...present({ temperature, maxOutputTokens }),
    stream: ctx.stream,
  }
}

/** Shows earlier plain answers as JSON: a model imitates its own replies. A reply under correction stays as it was. */
function inProtocol(message: Message, at: number, all: readonly Message[]): Message {
  const next = all[at + 1]
  const corrected = next?.role === 'user' && next.by === 'runtime'
  if (message.role !== 'assistant' || message.calls !== undefined || corrected) return message
  return { ...message, content: speakJson({ text: message.content, calls: [] }) }
}
