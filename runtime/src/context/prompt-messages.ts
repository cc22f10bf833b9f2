/** The messages of a prompt, computed from the run's state alone: a resumed run sends the same ones. */
import { clip } from '../base/text.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import type { Message } from '../protocol/message.ts'
import type { RunState } from '../protocol/state.ts'
import { isTask, window } from './window.ts'

/** Shorter results stay as they are. */
const SHORTENED_FROM = 1_200
const HEAD = 400
const TAIL = 200
/** Longer strings in the arguments of old calls are cut to `ARG_HEAD`. */
const ARG_MAX = 1_000
const ARG_HEAD = 200

export type Conversation = Pick<RunState, 'messages' | 'cuts' | 'profile' | 'lang'>

/** `canRead`: the run can read shortened results again, so they are shown with their id. */
export function promptMessages(
  { messages, cuts, profile, lang }: Conversation,
  { canRead }: { canRead: boolean },
): readonly Message[] {
  const shown = cuts.shortened === 0 ? [...messages] : withShortForms({ messages, cuts, lang }, canRead)
  const { summary } = cuts
  if (summary === undefined) return window(shown, profile.historyMessages)
  const task = shown.findLastIndex(isTask)
  const kept = shown.filter((_, at) => at >= summary.before || at === task)
  const [first, ...rest] = window(kept, profile.historyMessages)
  if (first === undefined) return []
  const replaced = messages.slice(0, summary.before).filter((_, at) => at !== task)
  const results = replaced.filter(({ role }) => role === 'tool').length
  const about = { text: summary.text, messages: replaced.length, ...(canRead && results > 0 && { results }) }
  return [summarised(first, summary, texts(lang).prompt.summarised(about)), ...rest]
}

function withShortForms(
  { messages, cuts, lang }: Pick<Conversation, 'messages' | 'cuts' | 'lang'>,
  canRead: boolean,
): readonly Message[] {
  const ids = idsOf(messages)
  return messages.map((message, at) =>
    at < cuts.shortened ? shortForm(message, { id: canRead ? ids[at] : undefined, lang }) : message,
  )
}

const SUMMARISED = new WeakMap<object, { first: Message; merged: Message }>()

/** In front of the first message, which is the user's: some providers refuse two messages of one role in a row. */
function summarised(first: Message, summary: object, text: string): Message {
  const known = SUMMARISED.get(summary)
  if (known?.first === first) return known.merged
  const merged = { ...first, content: `${text}\n\n${first.content}` }
  SUMMARISED.set(summary, { first, merged })
  return merged
}

/** The id of a result: its number among the results of the conversation. */
export function resultId(n: number): string {
  return `r${n}`
}

function idsOf(messages: readonly Message[]): (string | undefined)[] {
  let n = 0
  return messages.map(({ role }) => (role === 'tool' ? resultId(++n) : undefined))
}

/** The id that the next result of this conversation gets. */
export function nextResultId(messages: readonly Message[]): string {
  return resultId(messages.filter(({ role }) => role === 'tool').length + 1)
}

export function resultWithId(messages: readonly Message[], id: string): Extract<Message, { role: 'tool' }> | undefined {
  const at = idsOf(messages).indexOf(id)
  const found = messages[at]
  return found?.role === 'tool' ? found : undefined
}

/** True when a result in the prompt is not shown completely. */
export function hasShortenedResults({ messages, cuts }: Conversation): boolean {
  return messages.some(
    (message, at) =>
      message.role === 'tool' &&
      (message.full !== undefined ||
        at < (cuts.summary?.before ?? 0) ||
        (at < cuts.shortened && message.content.length > SHORTENED_FROM)),
  )
}

const FORMS = new WeakMap<Message, { key: string; form: Message }>()

function shortForm(message: Message, { id, lang }: { id: string | undefined; lang: Lang }): Message {
  const key = `${id} ${lang}`
  const known = FORMS.get(message)
  if (known?.key === key) return known.form
  const form = shortened(message, { id, lang })
  FORMS.set(message, { key, form })
  return form
}

function shortened(message: Message, { id, lang }: { id: string | undefined; lang: Lang }): Message {
  if (message.role === 'tool') {
    const { content, full } = message
    if (content.length <= SHORTENED_FROM) return message
    const chars = full?.chars ?? content.length
    return { ...message, content: headAndTail(content, { head: HEAD, tail: TAIL, mark: markOf({ id, chars, lang }) }) }
  }
  if (message.role !== 'assistant' || message.calls === undefined) return message
  const calls = message.calls.map((call) => ({ ...call, args: shortArgs(call.args) }))
  return { ...message, calls }
}

function shortArgs(value: unknown): unknown {
  if (typeof value === 'string') return value.length > ARG_MAX ? clip(value, ARG_HEAD) : value
  if (Array.isArray(value)) return value.map(shortArgs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortArgs(item)]))
}

/** The line between head and tail: how long the text is, and how to read the rest. */
export function markOf({ id, chars, lang }: { id: string | undefined; chars: number; lang: Lang }): string {
  const { prompt } = texts(lang)
  const length = chars.toLocaleString('en-US')
  return id === undefined ? prompt.shortened({ chars: length }) : prompt.shortenedResult({ id, chars: length })
}

/** Never splits a character. */
export function headAndTail(text: string, { head, tail, mark }: { head: number; tail: number; mark: string }): string {
  const start = text.slice(0, head)
  const end = tail === 0 ? '' : text.slice(-tail)
  return `${withoutHalf(start)}\n${mark}\n${withoutHalf(end)}`
}

function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
