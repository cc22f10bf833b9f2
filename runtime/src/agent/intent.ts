/** S0 around the loop: what is the task about, can it be served here, and was it? */
import { clip } from '../base/text.ts'
import { messages as texts } from '../i18n/locale.ts'
import { detectIntent } from '../intent/detect-model.ts'
import { completion, type GuardResult, preflight } from '../intent/guard.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { askAside } from './aside.ts'
import { note, type RunContext } from './context.ts'

/** Before the first model call of the loop, so that a task that cannot be served costs none (S0-74). */
export async function* checkBefore(ctx: RunContext): AsyncGenerator<Event> {
  const { state, policy, signal } = ctx
  const events: Event[] = []
  const { intent, fellBack } = await detectIntent({
    task: state.task,
    last: state.earlier?.last,
    before: state.messages.slice(0, -1).filter(isSpoken).slice(-SHOWN),
    detector: policy.intentGuard.enabled ? ctx.detector.kind : 'heuristic',
    timeoutMs: ctx.detector.timeoutMs,
    signal,
    lang: state.lang,
    ask: ({ system, user, signal: until }) =>
      askAside(ctx, { purpose: 'detect', system, messages: [{ role: 'user', content: user }], signal: until }, events),
  })
  yield* events
  yield note(ctx, 'intent.detected', { intent }, fellBack ?? intent.label)
  const families = ctx.registry.exposedTo(state.profile).map((tool) => tool.family)
  yield checked(ctx, 'preflight', preflight(guarded(ctx), families))
}

/** Earlier messages that the detector sees: an answer means little without its question. */
const SHOWN = 4

function isSpoken(message: Message): boolean {
  return message.role === 'assistant' ? message.content !== '' : message.role === 'user' && message.by === undefined
}

/** Before a final answer counts: a task that was claimed and not done is not delivered as done. */
export function checkAfter(ctx: RunContext): Event {
  const result = completion(guarded(ctx), ctx.state.hits)
  return checked(ctx, 'completion', result.ok ? result : { ...result, message: withFailure(ctx, result.message) })
}

/** Why it was not done is mostly what its tool said last. */
function withFailure({ state }: RunContext, message: string): string {
  const { lastError, lang } = state
  if (lastError === '') return message
  return `${message} ${texts(lang).intent.lastFailure({ error: clip(lastError, FAILURE_MAX) })}`
}

const FAILURE_MAX = 500

/** False while an answer would not count, because what the task asks for has not been done. */
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
