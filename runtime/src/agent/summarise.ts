/** A summary of the earlier part of a conversation, written by the model of the run. */
import { clip } from '../base/text.ts'
import { promptMessages } from '../context/prompt-messages.ts'
import { isTask } from '../context/window.ts'
import { messages as texts } from '../i18n/locale.ts'
import type { CountTokens } from '../model/tokens.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import type { RunState } from '../protocol/state.ts'
import type { RunContext } from './context.ts'
import { canReadResults } from './long-results.ts'
import { askSideQuestion } from './side-question.ts'

export const SUMMARY_TOKENS = 1_500
const SUMMARY_CHARS = 6_000
const SUMMARY_MS = 120_000
/** Of the room in the context window, for the text to summarize. */
const TRANSCRIPT_SHARE = 0.6
const ENTRY_MAX = 1_500
const TASK_MAX = 4_000

/** Empty when the model gives none: then the part is left out. Undefined when the run was ended meanwhile. */
export async function* summarise(
  ctx: RunContext,
  { before, count, room }: { before: number; count: CountTokens; room: number },
): AsyncGenerator<Event, string | undefined> {
  const { state } = ctx
  const events: Event[] = []
  const most = room * TRANSCRIPT_SHARE
  const content = transcript(state, { before, canRead: canReadResults(ctx), fits: (text) => count(text) <= most })
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(SUMMARY_MS)])
  const system = texts(state.lang).prompt.summarise
  const question = { purpose: 'summary', system, messages: [{ role: 'user', content }], signal } as const
  const limit = { maxOutputTokens: SUMMARY_TOKENS }
  const text = await askSideQuestion(ctx, { ...question, ...limit }, events).catch(() => '')
  yield* events
  return ctx.signal.aborted ? undefined : clip(text.trim(), SUMMARY_CHARS)
}

interface Part {
  before: number
  canRead: boolean
  fits(text: string): boolean
}

/** The newest entries that fit, after the task and the earlier summary. */
function transcript(state: RunState, { before, canRead, fits }: Part): string {
  const { messages, cuts, lang, task } = state
  const { summaryParts } = texts(lang).prompt
  const start = cuts.summary?.before ?? 0
  const taskAt = messages.findLastIndex(isTask)
  const all = { messages, cuts: { shortened: before }, lang, profile: { ...state.profile, historyMessages: 1e9 } }
  const entries = promptMessages(all, { canRead })
    .slice(start, before)
    .flatMap((message, at) => (start + at === taskAt ? [] : [entryOf(message, summaryParts)]))
  const head = [`${summaryParts.task}\n${clip(task, TASK_MAX)}`]
  const earlier = cuts.summary?.text ?? ''
  if (earlier !== '') head.push(`${summaryParts.earlier}\n${earlier}`)
  let from = 0
  const written = () => {
    const cut = from === 0 ? [] : [summaryParts.leftOut]
    return [...head, ...cut, ...entries.slice(from)].join('\n\n')
  }
  while (from < entries.length && !fits(written())) from += Math.max(1, Math.ceil((entries.length - from) / 8))
  return written()
}

function entryOf(message: Message, parts: ReturnType<typeof texts>['prompt']['summaryParts']): string {
  const content = clip(message.content, ENTRY_MAX)
  if (message.role === 'user') return `${parts.user}: ${content}`
  if (message.role === 'tool') return `${parts.result({ tool: message.tool })}: ${content}`
  const calls = (message.calls ?? []).map(({ tool, args }) => `${tool} ${clip(JSON.stringify(args) ?? '', ENTRY_MAX)}`)
  return `${parts.agent}: ${[content, ...calls].filter((line) => line !== '').join('\n')}`
}
