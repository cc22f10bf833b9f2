/** The neutral messages that workflow nodes hand to each other: what `messages_json` holds, whatever the provider. */
import { messageOf } from '../../base/errors.ts'
import { canonical, isObject, type JsonObject } from '../../base/json.ts'
import { clip, nearest } from '../../base/text.ts'
import type { Lang } from '../../i18n/locale.ts'
import type { Message } from '../../protocol/message.ts'
import type { ArgProblem } from '../../tool/tool.ts'
import { invalidInput, nodeTexts } from './texts.ts'

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const

export interface NeutralMessage {
  role: (typeof ROLES)[number]
  content: string
  /** Of a tool's result: the call it answers, and the tool. */
  tool_call_id?: string
  name?: string
  /** Of a user's message that contains untrusted text: the part the user wrote. */
  own?: string
}

/** JSON Schema 2020-12 of one message and of the list. */
export const MESSAGE_SCHEMA = {
  type: 'object',
  properties: {
    role: { type: 'string', enum: [...ROLES], description: 'Who speaks.' },
    content: { type: 'string', description: 'What is said, as text.' },
    tool_call_id: { type: 'string', description: "Of a tool's result: the call it answers." },
    name: { type: 'string', description: "Of a tool's result: the tool." },
    own: { type: 'string', description: "Of a user's message: what of it is the user's; the rest was handed on." },
  },
  required: ['role', 'content'],
  additionalProperties: false,
} as const satisfies JsonObject

export const MESSAGES_SCHEMA = { type: 'array', items: MESSAGE_SCHEMA } as const satisfies JsonObject

const KEYS = Object.keys(MESSAGE_SCHEMA.properties)

/** Takes the list or its JSON text. What is wrong is said with its place: `messages_json[2].role`. */
export function readMessages(given: unknown): NeutralMessage[] {
  const { list, problems } = examineMessages(given, 'en')
  if (problems.length > 0) {
    throw invalidInput((lang) => {
      const [first] = examineMessages(given, lang).problems
      return first === undefined ? [] : [`${first.key}: ${first.message}`]
    })
  }
  return list as NeutralMessage[]
}

/** Every problem of the messages; `list` is absent where there is no list at all. */
export function examineMessages(given: unknown, lang: Lang): { list?: unknown[]; problems: ArgProblem[] } {
  const refused = (message: string) => ({ problems: [{ key: 'messages_json', message }] })
  let list = given
  try {
    if (typeof given === 'string') list = JSON.parse(given)
  } catch (error) {
    return refused(nodeTexts(lang).notJson({ why: clip(messageOf(error), 200).toWellFormed() }))
  }
  if (!Array.isArray(list)) return refused(nodeTexts(lang).notAList)
  return { list, problems: list.flatMap((message, at) => [...problemsOf(message, `messages_json[${at}]`, lang)]) }
}

function* problemsOf(message: unknown, place: string, lang: Lang): Generator<ArgProblem> {
  const texts = nodeTexts(lang)
  if (!isObject(message)) {
    yield { key: place, message: texts.notAMessage }
    return
  }
  for (const unknown of Object.keys(message).filter((key) => !KEYS.includes(key))) {
    const meant = nearest(unknown, KEYS)
    yield { key: `${place}.${clip(unknown, 40)}`, message: texts.unknownKey(meant === undefined ? {} : { meant }) }
  }
  const { role } = message
  if (!isRole(role)) yield { key: `${place}.role`, message: texts.role({ roles: ROLES }) }
  for (const key of KEYS.filter((one) => one !== 'role')) {
    const isGiven = key === 'content' || message[key] !== undefined
    if (isGiven && typeof message[key] !== 'string') yield { key: `${place}.${key}`, message: texts.notText }
  }
}

function isRole(role: unknown): role is NeutralMessage['role'] {
  return ROLES.some((known) => known === role)
}

/** Why a conversation asks nothing: it is empty, or its last message is not a user's. */
export function nothingAsked(list: readonly unknown[], lang: Lang): string | undefined {
  const roles = list.map((message) => (isObject(message) ? message.role : undefined))
  const last = roles.findLast((role) => role !== 'system')
  if (roles.every((role) => role === 'system')) return nodeTexts(lang).noInput
  return isRole(last) && last !== 'user' ? nodeTexts(lang).lastNotUser({ role: last }) : undefined
}

/** A text that another node's output went into is its author's only in part. */
export function ownPart(text: string, authored: unknown): { own?: string } {
  return authored === text ? {} : { own: typeof authored === 'string' ? authored : '' }
}

/** The messages, each with what of it is the author's or the caller's: `authored` is the list as they gave it. */
export function whoseAre(messages: readonly NeutralMessage[], authored: unknown): NeutralMessage[] {
  const list = typeof authored === 'string' ? parsed(authored) : authored
  return messages.map((message, at) => whoseIs(message, { authored: Array.isArray(list) ? list[at] : undefined, at }))
}

/** A passed-on message could claim to be the system's, or name a trusted tool or a call that is yet to be made. */
function whoseIs(message: NeutralMessage, { authored, at }: { authored: unknown; at: number }): NeutralMessage {
  if (canonical(authored) === canonical(message)) return message
  const { role, content } = message
  if (role === 'assistant') return { role, content }
  if (role === 'tool') return { role, content, name: 'input', tool_call_id: `input_${at}` }
  const own = isObject(authored) && authored.role === 'user' ? (authored.own ?? authored.content) : ''
  return { role: 'user', content, own: typeof own === 'string' ? own : '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The conversation as a run has it; what `system` messages say is for its prompt. */
export function conversationOf(messages: readonly NeutralMessage[]): { system: string[]; history: Message[] } {
  const system: string[] = []
  const history: Message[] = []
  for (const [at, { role, content, tool_call_id, name, own }] of messages.entries()) {
    if (role === 'system') system.push(content)
    else if (role === 'tool')
      history.push({ role, callId: tool_call_id ?? `message_${at}`, tool: name ?? 'tool', content })
    else history.push(role === 'user' && own !== undefined ? { role, content, own } : { role, content })
  }
  return { system, history }
}
