/** The messages of a prompt, computed from the run's state alone: a resumed run sends the same ones. */
import { clip } from '../base/text.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import { type Media, PROMPT_MEDIA } from '../protocol/media.ts'
import type { Message } from '../protocol/message.ts'
import type { Cuts, RunState } from '../protocol/state.ts'
import { isTask, window } from './window.ts'

/** Shorter results stay as they are. */
const SHORTENED_FROM = 1_200
const HEAD = 400
const TAIL = 200
/** Longer strings in the arguments of old calls are cut to `ARG_HEAD`. */
const ARG_MAX = 1_000
const ARG_HEAD = 200

type ResultMessage = Extract<Message, { role: 'tool' }>
type UserMessage = Extract<Message, { role: 'user' }>

export type Conversation = Pick<RunState, 'messages' | 'cuts' | 'profile' | 'lang'>

/** `canRead`: the run can read shortened results again, so they are shown with their id. */
export function promptMessages(
  { messages, cuts, profile, lang }: Conversation,
  { canRead }: { canRead: boolean },
): readonly Message[] {
  const shown = isComplete(messages, cuts) ? [...messages] : withShortForms({ messages, cuts, lang }, canRead)
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

/** The common case, without a pass over the conversation for the ids. */
function isComplete(messages: readonly Message[], { shortened }: Cuts): boolean {
  return shortened === 0 && !messages.some(hasMedia)
}

function hasMedia(message: Message): boolean {
  return message.role !== 'assistant' && message.media !== undefined
}

function withShortForms(
  { messages, cuts, lang }: Pick<Conversation, 'messages' | 'cuts' | 'lang'>,
  canRead: boolean,
): readonly Message[] {
  const ids = idsOf(messages)
  const last = messages.findLastIndex(isTask)
  const isHidden = hiddenFiles(messages, cuts, last)
  return messages.map((message, at) => {
    const id = canRead ? ids[at] : undefined
    if (at < cuts.shortened && at !== last) return shortForm(message, { id, lang })
    return isHidden(at) ? fileNotes(message, { id, lang }) : message
  })
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

/** A message of the user with files. */
function hasAttachments(message: Message): message is UserMessage {
  return message.role === 'user' && message.attached === true
}

/** The id of a result: its number among the results of the conversation. */
export function resultId(n: number): string {
  return `r${n}`
}

function idsOf(messages: readonly Message[]): (string | undefined)[] {
  let n = 0
  let files = 0
  return messages.map((message) => {
    if (message.role === 'tool') return resultId(++n)
    return hasAttachments(message) ? `a${++files}` : undefined
  })
}

/** The id that the next result of this conversation gets. */
export function nextResultId(messages: readonly Message[]): string {
  return resultId(messages.filter(({ role }) => role === 'tool').length + 1)
}

/** The id that the attachments of the next message get. */
export function nextAttachmentId(messages: readonly Message[]): string {
  return `a${messages.filter(hasAttachments).length + 1}`
}

export function resultWithId(messages: readonly Message[], id: string): ResultMessage | UserMessage | undefined {
  const found = messages[idsOf(messages).indexOf(id)]
  return found?.role === 'assistant' ? undefined : found
}

/** True when a result in the prompt is not shown completely. */
export function hasShortenedResults({ messages, cuts }: Conversation): boolean {
  const isHidden = hiddenFiles(messages, cuts, messages.findLastIndex(isTask))
  return messages.some(
    (message, at) =>
      isHidden(at) ||
      (message.role !== 'assistant' && message.full !== undefined) ||
      (message.role === 'tool' &&
        (at < (cuts.summary?.before ?? 0) || (at < cuts.shortened && message.content.length > SHORTENED_FROM))),
  )
}

/** Files that are named instead of shown: those of shortened messages, and old ones above the limit of a prompt. */
function hiddenFiles(messages: readonly Message[], cuts: Cuts, task: number): (at: number) => boolean {
  if (!messages.some(hasMedia)) return () => false
  const hidden = new Set<number>()
  let left = { ...PROMPT_MEDIA } as { files: number; bytes: number }
  const newestFirst = [...messages.keys()].toReversed().filter((at) => mediaIn(messages[at]).length > 0)
  for (const at of newestFirst.toSorted((one, other) => Number(other === task) - Number(one === task))) {
    const media = mediaIn(messages[at])
    const after = {
      files: left.files - media.length,
      bytes: left.bytes - media.reduce((sum, { bytes }) => sum + bytes, 0),
    }
    const isShown = at === task || (at >= cuts.shortened && after.files >= 0 && after.bytes >= 0)
    if (isShown) left = after
    else hidden.add(at)
  }
  return (at) => hidden.has(at)
}

function mediaIn(message: Message | undefined): readonly Media[] {
  return message === undefined || message.role === 'assistant' ? [] : (message.media ?? [])
}

const FORMS = new WeakMap<Message, { key: string; form: Message }>()
const NOTES = new WeakMap<Message, { key: string; form: Message }>()

/** The message with a note in place of its files. */
function fileNotes(message: Message, { id, lang }: { id: string | undefined; lang: Lang }): Message {
  const files = mediaIn(message)
  if (message.role === 'assistant' || files.length === 0) return message
  const key = `${id} ${lang}`
  const known = NOTES.get(message)
  if (known?.key === key) return known.form
  const { media: _, ...rest } = message
  const names = files.map(({ name }) => name).join(', ')
  const note = texts(lang).prompt.filesHidden({ names, ...(id !== undefined && { id }) })
  const form = { ...rest, content: `${message.content}\n${note}` }
  NOTES.set(message, { key, form })
  return form
}

function shortForm(message: Message, { id, lang }: { id: string | undefined; lang: Lang }): Message {
  const key = `${id} ${lang}`
  const known = FORMS.get(message)
  if (known?.key === key) return known.form
  const form = shortened(message, { id, lang })
  FORMS.set(message, { key, form })
  return form
}

function shortened(message: Message, { id, lang }: { id: string | undefined; lang: Lang }): Message {
  if (message.role === 'tool' || hasAttachments(message)) {
    const { content, full } = message
    if (content.length <= SHORTENED_FROM) return fileNotes(message, { id, lang })
    const chars = full?.chars ?? content.length
    const mark = markOf({ id, chars, lang })
    const short = { ...message, content: headAndTail(content, { head: HEAD, tail: TAIL, mark }) }
    return fileNotes(short, { id, lang })
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
