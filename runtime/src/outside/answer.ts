/** A person answers the open question of an outside agent's run, while the agent is not waiting. */
import { assertFits, recordAnswer } from '../agent/approval.ts'
import type { Confirm } from '../agent/context.ts'
import { putQuestion } from '../agent/question.ts'
import type { Engine, TurnResult } from '../agent/turn.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { messages } from '../i18n/locale.ts'
import { fold } from '../journal/fold.ts'
import { closeInterrupted, continueLog } from '../journal/run-lifecycle.ts'
import { firstBreach } from '../journal/verify.ts'
import type { Event } from '../protocol/event.ts'
import { continuing } from './agents.ts'
import { endOutsideRun, outsideContext } from './run.ts'

/**
 * The answer ends the run; a yes lets the same call of the same session run once (`grants.ts`). A run without an open
 * question was cut off and is closed: its agent goes on by itself.
 */
export async function* answerOutside(
  engine: Engine,
  { runId, signal, confirm }: { runId: string; signal: AbortSignal; confirm: Confirm | undefined },
): AsyncGenerator<Event, TurnResult> {
  const events = await engine.store.readRun(runId)
  const last = events.at(-1)
  if (last === undefined) throw new WritError('RUN_UNKNOWN', { run: runId })
  const breach = firstBreach(events)
  if (breach !== undefined) throw new WritError('RUN_NOT_RESUMABLE.damaged', { run: runId, seq: breach.seq })
  const state = fold(events, { history: [] })
  if (state.stop !== undefined) throw new WritError('RUN_ENDED', { run: runId, reason: state.stop.reason })
  const { question, sessionId } = state
  if (question === undefined) {
    await closeInterrupted(engine, runId)
    throw new WritError('RUN_ENDED.guard', { run: runId })
  }
  if (confirm === undefined) throw new WritError('ANSWER_NO_TERMINAL', { run: runId })
  const log = continueLog(engine, last)
  const owner = await engine.ownerOf(sessionId)
  const ctx = outsideContext(engine, { log, state, owner, signal, confirm })
  // The agent makes the call, so it cannot be another one: no edit is offered.
  const { args: _, ...unchangeable } = question
  const ask: Confirm = (_question, ending) => confirm(unchangeable, ending)
  const reply = yield* putQuestion(ctx, question, { confirm: ask, reason: question.reasons[0] ?? '' })
  const result = { notices: [], sessionId, runId, state }
  if (reply === 'parked' || reply === undefined) {
    await log.flush()
    return { ...result, reply: '', stopReason: 'parked' }
  }
  assertFits(reply, unchangeable)
  const { answer } = yield* recordAnswer(ctx, question, reply)
  const text = messages(state.lang).stop.outsideAnswered({
    tool: question.tool,
    yes: answer !== 'n',
    ...present({ continues: continuesOf(events) }),
  })
  endOutsideRun(ctx, { reason: 'final', text })
  await log.flush()
  return { ...result, reply: text, stopReason: 'final' }
}

function continuesOf(events: readonly Event[]): string | undefined {
  const outside = events.find((event) => event.type === 'run.started')?.data.outside
  return outside && continuing(outside.agent, outside.id)
}
