/**
 * The loop. A run asks its model, settles each call the model proposes, and stops for exactly one reason.
 * Every turn of it is decided by `nextMove` from the folded journal, so a run that died goes on from its journal
 * as if it had never stopped.
 */

import { setImmediate as breathe } from 'node:timers/promises'
import { messageOf, WritError } from '../base/errors.ts'
import type { Event } from '../protocol/event.ts'
import type { Stop, StopReason } from '../protocol/stop.ts'
import { askModel } from './ask.ts'
import { note, type RunContext } from './context.ts'
import { checkAfter, checkBefore } from './intent.ts'
import { nextMove } from './next.ts'
import { routeTask } from './route.ts'
import { settleCall, skipCall } from './settle.ts'
import { stopText } from './stop-text.ts'

export type RunEnd = Stop | 'parked'

export async function* run(ctx: RunContext): AsyncGenerator<Event, RunEnd> {
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
          yield* askModel(ctx)
          break
        case 'settle':
          // A reply may hold many calls; without a pause here the process would serve no one else until the last.
          await breathe()
          if ((yield* settleCall(ctx, move.call)) === 'parked') {
            await ctx.log.flush()
            return 'parked'
          }
          break
        case 'skip':
          yield skipCall(ctx, move.call)
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
      // What was known before the process was asked to end; the rest is found out when the run is resumed.
      await ctx.log.flush()
      throw error
    }
    // The journal itself refused: nothing more can be written, so nothing more may be done.
    if (error instanceof WritError && /^(RUN_TAKEN|JOURNAL_|STORE_)/.test(error.code)) throw error
    yield note(ctx, 'error.internal', { message: messageOf(error), where: 'run' }, 'internal_error')
    return yield* stop(ctx, 'internal_error')
  }
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
