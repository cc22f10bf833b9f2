/** S0 around the loop: what the task is about, whether the tools here can do it, and whether it was done. */
import { clip } from '../base/text.ts'
import { messages as texts } from '../i18n/locale.ts'
import { detectIntent } from '../intent/detect-model.ts'
import { completion, type GuardResult, preflight } from '../intent/guard.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'
import { askSideQuestion } from './side-question.ts'

/** Runs before the first model call of the loop: a task that no tool here can do costs nothing (S0-74). */
export async function* checkBefore(ctx: RunContext): AsyncGenerator<Event> {
  const { state, policy, signal } = ctx
  const events: Event[] = []
  const { intent, fellBack } = await detectIntent({
    task: state.task,
    last: state.earlier?.last,
    before: state.messages.slice(0, -1).filter(isSpoken).slice(-DETECTOR_MESSAGES),
    detector: policy.intentGuard.enabled ? ctx.detector.kind : 'heuristic',
    timeoutMs: ctx.detector.timeoutMs,
    signal,
    lang: state.lang,
    ask: ({ system, user, signal: until }) =>
      askSideQuestion(
        ctx,
        { purpose: 'detect', system, messages: [{ role: 'user', content: user }], signal: until },
        events,
      ),
  })
  yield* events
  yield note(ctx, 'intent.detected', { intent }, fellBack ?? intent.label)
  const families = ctx.registry.exposedTo(state.profile).map((tool) => tool.family)
  yield checked(ctx, 'preflight', preflight(guarded(ctx), families))
}

/** Earlier messages the detector sees: an answer means little without its question. */
const DETECTOR_MESSAGES = 4

function isSpoken(message: Message): boolean {
  return message.role === 'assistant' ? message.content !== '' : message.role === 'user' && message.by === undefined
}

/** Runs before a final answer counts: a task claimed as done but not done is not delivered as done. */
export function checkAfter(ctx: RunContext): Event {
  const result = completion(guarded(ctx), ctx.state.hits)
  return checked(ctx, 'completion', result.ok ? result : { ...result, message: withFailure(ctx, result.message) })
}

/** The last error of a tool usually explains why the task was not done. */
function withFailure({ state }: RunContext, message: string): string {
  const { lastError, lang } = state
  if (lastError === '') return message
  return `${message} ${texts(lang).intent.lastFailure({ error: clip(lastError, FAILURE_MAX) })}`
}

const FAILURE_MAX = 500

/** False while the completion check would refuse an answer: what the task asks for has not been done. */
export function mayAnswer(ctx: RunContext): boolean {
  return completion(guarded(ctx), ctx.state.hits).ok
}

function guarded({ state, policy }: RunContext) {
  return { label: state.taskIntent.label, policy: policy.intentGuard, lang: state.lang }
}

function checked(ctx: RunContext, phase: 'preflight' | 'completion', result: GuardResult): Event {
  const message = result.ok ? '' : result.message
  return note(ctx, 'intent.checked', { phase, ok: result.ok, message }, ctx.state.taskIntent.label)
}
