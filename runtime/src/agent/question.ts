/** Asks a person for approval, by the same rules for a tool call and for money. */
import { orAborted } from '../base/wait.ts'
import { isSameQuestion } from '../journal/questions.ts'
import type { Event } from '../protocol/event.ts'
import type { Answer, Question } from '../protocol/verdict.ts'
import { type Confirm, type DenialText, note, type RunContext } from './context.ts'

export interface Replied {
  /** Undefined when the run was aborted first. */
  answer: Answer | undefined
  refusal?: DenialText | undefined
}

/** `parked`: the question stays open in the journal, and the run waits for it. */
export async function* askPerson(
  ctx: RunContext,
  question: Question,
  { confirm, reason }: { confirm: Confirm; reason: string },
): AsyncGenerator<Event, Replied | 'parked'> {
  const { callId } = question
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
    yield note(ctx, 'run.parked', { callId })
    return 'parked'
  }
  if (reply === undefined || ctx.signal.aborted) return { answer: undefined }
  const { by, answer, refusal } =
    typeof reply === 'string' ? { answer: reply, by: 'user', refusal: undefined } : { refusal: undefined, ...reply }
  yield note(ctx, 'confirm.answered', { callId, answer, by, keys: answer === 'a' ? question.keys : [] })
  return { answer, refusal }
}
