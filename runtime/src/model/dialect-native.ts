/** S1's dialect: native tool calls of the provider. */
import type { IdSource } from '../base/id.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Message, ModelReply, ToolCall } from '../protocol/message.ts'
import { ownArgs } from './call-args.ts'
import { renderForJson } from './dialect-json.ts'
import type { Completion } from './model.ts'

const TAIL_SHOWN = 80

export function decodeNative(completion: Completion, newId: IdSource): ModelReply {
  const { text, reasoning_content } = completion
  const reasoning = present({ reasoning_content })
  if (completion.calls.length === 0) {
    if (text.trim() !== '')
      return { kind: 'final', text, ...reasoning, ...(completion.truncated && { truncated: true }) }
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

/** The common case, in one pass: each call is answered once, in order, right after its reply. */
function arePaired(messages: readonly Message[]): boolean {
  let calls: readonly ToolCall[] = []
  let answered = 0
  for (const message of messages) {
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
  return answered === calls.length
}

function withCalls(message: Message, answered: ToolCall[]): Message[] {
  if (message.role !== 'assistant' || message.calls === undefined || message.calls.length === answered.length) {
    return [message]
  }
  const { calls: _, ...rest } = message
  if (answered.length > 0) return [{ ...rest, calls: answered }]
  return message.content === '' ? [] : [rest]
}
