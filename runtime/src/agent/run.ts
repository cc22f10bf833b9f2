/**
 * The loop. A run asks its model, settles each call the model proposes, and stops for exactly one reason.
 * `nextMove` decides every step from the folded journal, so an interrupted run resumes from its journal as if it had
 * never stopped.
 */

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Event } from '../protocol/event.ts'
import type { Stop, StopReason } from '../protocol/stop.ts'
import { askModel } from './ask.ts'
import { note, type RunContext } from './context.ts'
import { checkAfter, checkBefore } from './intent.ts'
import { nextMove } from './next.ts'
import { checkOutput } from './output.ts'
import { routeTask } from './route.ts'
import { settleCall, skipCall } from './settle.ts'
import { stopText } from './stop-text.ts'

export type RunEnd = Stop | 'parked'

export async function* run(ctx: RunContext): AsyncGenerator<Event, RunEnd> {
  // The process has served others while it waited for the model.
  let hasPaused = true
  try {
    for (;;) {
      const move = nextMove(ctx.state, { now: ctx.clock.now(), ...cutBy(ctx.signal) })
      switch (move.do) {
        case 'check-before':
          yield* checkBefore(ctx)
          break
        case 'route':
          yield* routeTask(ctx)
          break
        case 'ask':
          hasPaused = true
          if ((yield* askModel(ctx)) === 'parked') {
            await ctx.log.flush()
            return 'parked'
          }
          break
        case 'settle':
          // A reply may hold many calls; without a pause the process would serve no other request until the last.
          if (!hasPaused) await yieldToOthers()
          hasPaused = false
          if ((yield* settleCall(ctx, move.call)) === 'parked') {
            await ctx.log.flush()
            return 'parked'
          }
          break
        case 'skip':
          yield skipCall(ctx, move.call)
          break
        case 'check-output':
          yield* checkOutput(ctx)
          break
        case 'check-after':
          yield checkAfter(ctx)
          break
        case 'stop':
          return yield* stop(ctx, move.reason, move.text)
      }
    }
  } catch (error) {
    if (error instanceof WritError && error.code === 'RUN_INTERRUPTED') {
      // Stores what was known before the process was asked to end.
      await ctx.log.flush()
      throw error
    }
    if (error instanceof WritError && error.code === 'MEDIA_GONE') {
      const { message, hint } = error.textIn(ctx.state.lang)
      return yield* stop(ctx, 'invalid_input', `${message}. ${hint}`)
    }
    // Nothing more can be recorded, so nothing more may be done.
    if (isStoreFailure(error)) throw error
    yield note(ctx, 'error.internal', { message: messageOf(error), where: 'run' }, 'internal_error')
    return yield* stop(ctx, 'internal_error')
  }
}

/** Only errors of the store are private. RUN_TAKEN: another worker continued this run. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof WritError && (error.traits.private === true || error.code === 'RUN_TAKEN')
}

function cutBy({ aborted, reason }: AbortSignal): { cut?: 'aborted' | 'timeout' } {
  if (!aborted) return {}
  return { cut: reason instanceof DOMException && reason.name === 'TimeoutError' ? 'timeout' : 'aborted' }
}

function* stop(ctx: RunContext, reason: StopReason, text = ''): Generator<Event, Stop> {
  const end = { reason, text: stopText(ctx, reason, text) }
  const { steps, toolCalls, usage } = ctx.state
  yield note(ctx, 'run.stopped', { stop: end, steps, toolCalls, usage }, reason)
  return end
}
