/** S1's dialect: native tool calls of the provider. */
import type { IdSource } from '../base/id.ts'
import { deepFreeze, isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Message, ModelReply, ToolCall } from '../protocol/message.ts'
import { ownArgs, tooDeep } from './call-args.ts'
import { renderForJson } from './dialect-json.ts'
import type { Completion, ToolSpec } from './model.ts'
import { jsonOr, type TextCall } from './text-call-forms.ts'
import { readTextCalls, type TextCalls } from './text-calls.ts'

const TAIL_SHOWN = 80

/** For replies that contain calls as text: the offered tools, and whether a text only repeats one the model has read. */
export interface TextCallSource {
  tools: readonly ToolSpec[]
  /** The answer must be JSON. */
  jsonAnswer?: boolean
  isQuoted(block: string, calls: readonly TextCall[]): boolean
}

export function decodeNative(completion: Completion, newId: IdSource, source?: TextCallSource): ModelReply {
  const { text, reasoning_content } = completion
  const reasoning = present({ reasoning_content })
  if (completion.calls.length === 0) {
    const written = source === undefined ? undefined : callsInText(text, source)
    if (written !== undefined && written !== 'quoted') {
      if (written.calls === undefined) return { kind: 'malformed', text, error: CALL_AS_TEXT }
      const calls = written.calls.map(({ tool, args }) => ({ id: newId('call'), tool, args: deepFreeze(args) }))
      return { kind: 'calls', calls, text: written.before, ...reasoning }
    }
    if (text.trim() !== '')
      return {
        kind: 'final',
        text,
        ...reasoning,
        ...(completion.truncated && { truncated: true }),
        ...(written === 'quoted' && { quotesCall: true }),
      }
    const why = completion.truncated
      ? 'The reply was cut at the output token limit before a word was said'
      : 'It was an empty reply'
    return { kind: 'malformed', text, error: `${why}. Call a tool or answer in plain text.` }
  }
  const calls: ToolCall[] = []
  const faults: string[] = []
  for (const { tool, ...call } of completion.calls) {
    const read = 'rawArgs' in call ? { fault: notJson(call.rawArgs, completion.truncated) } : ownArgs(call.args)
    if (tool.trim() === '') faults.push('A call names no tool.')
    else if ('fault' in read) faults.push(`The arguments of ${clip(tool, TAIL_SHOWN)} ${read.fault}.`)
    // Always a new id: some providers restart at call_0 in every reply, and results are matched by id.
    else calls.push({ id: newId('call'), tool, args: read.args })
  }
  if (faults.length > 0) return { kind: 'malformed', text, error: `${faults.join(' ')} Nothing was run; call again.` }
  return { kind: 'calls', calls, text, ...reasoning }
}

const CALL_AS_TEXT =
  'A tool call was written as text and could not be read. Nothing was run; call an available tool with a real tool call, or answer in plain text.'

function callsInText(
  text: string,
  { tools, jsonAnswer = false, isQuoted }: TextCallSource,
): Pick<TextCalls, 'before' | 'calls'> | 'quoted' | undefined {
  const specs = new Map(tools.map((tool) => [tool.name, tool]))
  const written = readTextCalls(text, { isTool: (name) => specs.has(name), jsonAnswer })
  if (written === undefined) return undefined
  if (isQuoted(written.block, written.calls ?? [])) return 'quoted'
  const calls = written.calls?.map((call) => typed(call, specs.get(call.tool)))
  const isSound = calls?.every(({ args }) => tooDeep(args) === undefined) === true
  return { before: written.before, calls: isSound ? calls : undefined }
}

/** Values that the schema does not describe as text are read as JSON. */
function typed(call: TextCall, spec: ToolSpec | undefined): TextCall {
  const properties = isObject(spec?.schema.properties) ? spec.schema.properties : {}
  if (call.untyped === undefined) return call
  const values = Object.entries(call.args).map(([key, value]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    const isText = !isObject(property) || property.type === 'string' || typeof value !== 'string'
    return [key, isText ? value : jsonOr(value, value)]
  })
  return { ...call, args: Object.fromEntries(values) }
}

function notJson(rawArgs: string, truncated: boolean): string {
  const cut = truncated ? ' (the reply was cut at the output token limit)' : ''
  return `are not JSON${cut}; they end with: ${JSON.stringify(tailOf(rawArgs))}`
}

function tailOf(text: string): string {
  return text.slice(-TAIL_SHOWN).toWellFormed()
}

/**
 * Providers refuse a result without its call, and a call without its result. Our own conversations have neither; one
 * that a program gave may. A result alone is told as text, a call alone is left out. Paired messages stay as they are.
 */
export function pairCalls(messages: readonly Message[], lang: Lang): readonly Message[] {
  if (arePaired(messages)) return messages
  const paired: Message[] = []
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as Message
    let end = at + 1
    while (messages[end]?.role === 'tool') end++
    const results = messages.slice(message.role === 'tool' ? at : at + 1, end)
    const calls = message.role === 'assistant' ? (message.calls ?? []) : []
    const answers = new Map<string, Message>()
    for (const result of results) {
      if (result.role === 'tool' && calls.some(({ id }) => id === result.callId)) answers.set(result.callId, result)
    }
    if (message.role !== 'tool')
      paired.push(
        ...withCalls(
          message,
          calls.filter(({ id }) => answers.has(id)),
        ),
      )
    paired.push(...answers.values())
    const alone = results.filter((result) => ![...answers.values()].includes(result))
    paired.push(...renderForJson(alone, lang))
    at = end
  }
  return paired.length === messages.length && paired.every((message, at) => message === messages[at])
    ? messages
    : paired
}

/** The last conversation with a result for every call: most prompts continue it. */
let lastPaired: readonly Message[] = []

/** The common case, in one pass: each call is answered once, in order, right after its reply. */
function arePaired(messages: readonly Message[]): boolean {
  let calls: readonly ToolCall[] = []
  let answered = 0
  const from = lastPaired.every((message, at) => message === messages[at]) ? lastPaired.length : 0
  for (let at = from; at < messages.length; at++) {
    const message = messages[at] as Message
    if (message.role === 'tool') {
      if (calls[answered]?.id !== message.callId) return false
      answered++
      continue
    }
    if (answered < calls.length) return false
    calls = message.role === 'assistant' ? (message.calls ?? []) : []
    if (calls.length > 1 && new Set(calls.map(({ id }) => id)).size < calls.length) return false
    answered = 0
  }
  if (answered < calls.length) return false
  lastPaired = messages
  return true
}

function withCalls(message: Message, answered: ToolCall[]): Message[] {
  if (message.role !== 'assistant' || message.calls === undefined || message.calls.length === answered.length) {
    return [message]
  }
  const { calls: _, ...rest } = message
  if (answered.length > 0) return [{ ...rest, calls: answered }]
  return message.content === '' ? [] : [rest]
}
