/** Puts a question to a person, by the same rules for a tool call and for money. */
import { orAborted } from '../base/wait.ts'
import { isSameQuestion } from '../journal/questions.ts'
import type { Event } from '../protocol/event.ts'
import type { Question, Reply } from '../protocol/verdict.ts'
import { type Confirm, type DenialText, note, type RunContext } from './context.ts'

type Given = Reply & { by: string; refusal?: DenialText }

/**
 * `parked`: the question stays open in the journal, and the run waits for it. Undefined: the run was aborted first. The
 * caller records the answer.
 */
export async function* putQuestion(
  ctx: RunContext,
  question: Question,
  { confirm, reason }: { confirm: Confirm; reason: string },
): AsyncGenerator<Event, Given | 'parked' | undefined> {
  // While the run waited, what it would do may have changed: then the question is asked again.
  if (!isSameQuestion(ctx.state.question, ctx.log.masked(question))) {
    yield note(ctx, 'confirm.asked', { question }, reason)
  }
  await ctx.log.flush()
  // When the run is aborted, its question has no answer, whatever `confirm` returns then.
  const reply = await orAborted(confirm(question, ctx.signal), ctx.signal).catch((error: unknown) => {
    if (!ctx.signal.aborted) throw error
  })
  if (reply === 'later') {
    yield note(ctx, 'run.parked', { callId: question.callId })
    return 'parked'
  }
  if (reply === undefined || ctx.signal.aborted) return undefined
  return typeof reply === 'string' ? { answer: reply, by: 'user' } : reply
}
