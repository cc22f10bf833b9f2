/** One step: the model is shown the conversation and says what it wants. */
import { deepFreeze } from '../base/json.ts'
import { window } from '../context/window.ts'
import { messages as texts } from '../i18n/locale.ts'
import { decodeJson, jsonInstructions, renderForJson, speakJson } from '../model/dialect-json.ts'
import { decodeNative } from '../model/dialect-native.ts'
import { ModelError, type ModelRequest } from '../model/model.ts'
import { askWithRetry, leave } from '../model/retry.ts'
import { refusedTools, takesTools } from '../model/tool-refusal.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'
import { mayAnswer } from './intent.ts'

export async function* askModel(ctx: RunContext): AsyncGenerator<Event> {
  const { state, log, model, purpose, clock } = ctx
  const given = await ctx.system()
  let request = requestFor(ctx, given)
  const dropped = state.messages.length - request.messages.length
  if (dropped > 0) yield note(ctx, 'window.trimmed', { dropped, kept: request.messages.length })

  const about = { purpose, model: model.id, messages: request.messages.length, tools: request.tools?.length ?? 0 }
  yield note(ctx, 'model.requested', { ...about, attempt: 1 })
  // What earlier calls did must be on disk before money is spent on what comes of it.
  await log.flush()

  // An answer that the completion check will refuse must not have been read by then.
  const isHeld = !mayAnswer(ctx)
  const startedAt = clock.now()
  const failures: Event[] = []
  const answer = askWithRetry(model, request, {
    signal: ctx.signal,
    maxAttempts: ctx.modelAttempts,
    instead(error) {
      if (request.tools === undefined || !refusedTools(model, error)) return undefined
      request = requestFor(ctx, given)
      return request
    },
    onFailed(attempt, error, retryInMs) {
      const status = error.status === undefined ? {} : { status: error.status }
      const again = retryInMs === undefined ? {} : { retryInMs }
      failures.push(note(ctx, 'model.failed', { purpose, message: error.message, attempt, ...status, ...again }))
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
        const decode = request.plain === undefined ? decodeNative : decodeJson
        const reply = decode(next.value, ctx.newId)
        if (reply.kind === 'calls') for (const call of reply.calls) ctx.liveArgs.set(call.id, deepFreeze(call.args))
        const elapsedMs = Math.max(0, clock.now() - startedAt)
        yield note(ctx, 'model.replied', { purpose, reply, usage: next.value.usage, elapsedMs })
        if (isHeld && reply.kind === 'calls' && reply.text !== '') {
          yield log.mention('model.delta', { text: reply.text })
        }
        if (reply.kind === 'malformed') yield* repair(ctx, reply)
        else if (reply.kind === 'final' && state.outcome === undefined) yield urge(ctx)
        return
      }
      // A watcher would read half of a JSON object.
      if (request.plain !== undefined || isHeld) continue
      yield log.mention('model.delta', 'restart' in next.value ? { text: '', restart: true } : next.value)
    }
  } catch (error) {
    yield* failures.splice(0)
    // A cancelled run stops by itself at the next move; a provider's failure is in the journal already.
    if (!ctx.signal.aborted && !(error instanceof ModelError)) throw error
  } finally {
    await leave(answer)
  }
}

/** Only a scout's words do not end its run. */
function urge(ctx: RunContext): Event {
  return note(ctx, 'protocol.repair', { hint: texts(ctx.state.lang).prompt.reportNow }, 'report_findings')
}

function* repair(ctx: RunContext, malformed: { text: string; error: string }): Generator<Event> {
  yield note(ctx, 'protocol.malformed', malformed)
  if (ctx.state.malformed > 1) return
  const hint = texts(ctx.state.lang).prompt.repair({ error: malformed.error })
  yield note(ctx, 'protocol.repair', { hint })
}

function requestFor(ctx: RunContext, given: string): ModelRequest {
  const { state } = ctx
  const shown = window(state.messages, state.profile.historyMessages)
  const tools = state.lastStep ? [] : ctx.registry.exposedTo(state.profile)
  const inText = state.profile.dialect === 'json' || !takesTools(ctx.model)
  const { examples } = ctx
  const system = [
    inText ? jsonInstructions(tools, state.lang, { given, ...(examples === undefined ? {} : { examples }) }) : given,
    ...(state.lastStep ? [texts(state.lang).prompt.answerNow] : []),
  ]
  return {
    purpose: ctx.purpose,
    system: system.join('\n\n'),
    messages: inText ? renderForJson(shown.map(inProtocol), state.lang) : shown,
    ...(inText ? { plain: { messages: shown, tools } } : tools.length === 0 ? {} : { tools }),
    ...(ctx.temperature === undefined ? {} : { temperature: ctx.temperature }),
    ...(ctx.maxOutputTokens === undefined ? {} : { maxOutputTokens: ctx.maxOutputTokens }),
    stream: ctx.stream,
  }
}

/** An earlier answer in plain words would teach the model to answer so; a reply that is being corrected stays as it was. */
function inProtocol(message: Message, at: number, all: readonly Message[]): Message {
  const next = all[at + 1]
  const corrected = next?.role === 'user' && next.by === 'runtime'
  if (message.role !== 'assistant' || message.calls !== undefined || corrected) return message
  return { ...message, content: speakJson({ text: message.content, calls: [] }) }
}
