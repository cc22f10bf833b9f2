/** S3's dialect: one JSON value per reply, as text, for models without tool calls. */
import type { IdSource } from '../base/id.ts'
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Message, ModelReply } from '../protocol/message.ts'
import { faultOfArgs, kindOf } from './call-args.ts'
import { DEFAULT_EXAMPLES, RULES } from './dialect-json-text.ts'
import type { Completion, ToolSpec } from './model.ts'

const FORMS = '{"type":"action","tool":"<tool>","args":{…}} or {"type":"final","answer":"…"}'
const KEYS = { action: ['type', 'tool', 'args'], final: ['type', 'answer'] } as const

/**
 * The system prompt of S3 §15: the rules with the tool list, the `given` context of this work, the few-shot examples.
 * `examples` replaces the built-in ones.
 */
export function jsonInstructions(
  tools: readonly ToolSpec[],
  lang: Lang,
  { given = '', examples = DEFAULT_EXAMPLES[lang] }: { given?: string; examples?: string } = {},
): string {
  const { headings, ...rules } = RULES[lang]
  const list = tools.map((tool) => `- ${tool.name}: ${tool.description} ${JSON.stringify(tool.schema)}`)
  const parts: [string, string][] = [
    [headings.system, [rules.forms, '', rules.tools, ...(list.length > 0 ? list : [rules.noTools])].join('\n')],
    [headings.developer, given],
    [headings.examples, examples],
  ]
  return parts
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `${heading}\n${text}`)
    .join('\n\n')
}

const rendered: Record<Lang, WeakMap<Message, Message>> = { en: new WeakMap(), zh: new WeakMap() }

/**
 * Converts a conversation to one without tool roles: calls become the JSON that requested them, results become user
 * messages.
 */
export function renderForJson(messages: readonly Message[], lang: Lang): Message[] {
  return messages.map((message) => {
    const text = rendered[lang].get(message) ?? asText(message, lang)
    rendered[lang].set(message, text)
    return text
  })
}

function asText(message: Message, lang: Lang): Message {
  if (message.role === 'tool') {
    const content = `${RULES[lang].observation(message.tool)}\n${message.content}`
    return { role: 'user', content, ...present({ media: message.media }) }
  }
  if (message.role === 'user' || message.calls === undefined || message.calls.length === 0) return message
  const { calls, ...rest } = message
  return { ...rest, content: calls.map(({ tool, args }) => actionText(tool, args)).join('\n') }
}

function actionText(tool: string, args: unknown): string {
  return JSON.stringify({ type: 'action', tool, args })
}

/** The JSON form of a reply with calls; text that already follows the protocol is unchanged. */
export function speakJson({ text, calls }: Pick<Completion, 'text' | 'calls'>): string {
  if (calls.length > 0) {
    return calls.map((call) => actionText(call.tool, 'args' in call ? call.args : call.rawArgs)).join('\n')
  }
  return typeof readReply(text) === 'string' ? JSON.stringify({ type: 'final', answer: text }) : text
}

export function decodeJson(completion: Completion, newId: IdSource): ModelReply {
  const { text, reasoning_content } = completion
  const reasoning = present({ reasoning_content })
  const reply =
    completion.calls.length > 0 ? `Native tool calls are not available; reply with ${FORMS}.` : readReply(text)
  if (typeof reply === 'string') {
    const cut = completion.truncated ? ' The reply was cut at the output token limit; write a shorter one.' : ''
    return { kind: 'malformed', text, error: reply + cut }
  }
  if (reply.type === 'final') {
    return { kind: 'final', text: reply.answer, ...reasoning, ...(completion.truncated && { truncated: true }) }
  }
  return { kind: 'calls', calls: [{ id: newId('call'), tool: reply.tool, args: reply.args }], text: '', ...reasoning }
}

type JsonReply = { type: 'final'; answer: string } | { type: 'action'; tool: string; args: unknown }

/** The decoded reply, or an error message the model can act on. */
function readReply(text: string): JsonReply | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return faultOfText(text, error)
  }
  if (!isObject(value)) return `The reply must be one JSON object, not ${kindOf(value)}: ${FORMS}.`
  const { type } = value
  if (type !== 'action' && type !== 'final') {
    return `"type" must be "action" or "final", not ${clip(JSON.stringify(type) ?? 'missing', 40)}.`
  }
  const known: readonly string[] = KEYS[type]
  const extra = Object.keys(value).find((key) => !known.includes(key))
  if (extra !== undefined) return `"${clip(extra, 40)}" is not a key of "${type}"; only ${known.join(', ')} are.`
  if (type === 'final') {
    const { answer } = value
    return typeof answer === 'string' ? { type, answer } : `"answer" must be a string, not ${kindOf(answer)}.`
  }
  const { tool, args } = value
  if (typeof tool !== 'string' || tool === '') return `"tool" must be the name of a tool, not ${kindOf(tool)}.`
  const fault = faultOfArgs(args)
  return fault === undefined ? { type, tool, args } : `"args" of ${clip(tool, 80)} ${fault}.`
}

function faultOfText(text: string, error: unknown): string {
  const start = text.slice(0, 200).trimStart()
  if (start === '' && text.trim() === '') return `It was an empty reply; write ${FORMS}.`
  if (start.startsWith('```')) return 'The reply must be bare JSON, without a code fence around it.'
  if (!start.startsWith('{')) return `The reply must begin with "{": no words before the JSON. Write ${FORMS}.`
  const reason = error instanceof Error ? clip(error.message, 200).toWellFormed() : 'not JSON'
  return /after JSON/.test(reason)
    ? `The reply must be exactly one JSON object with nothing after it (${reason}).`
    : `The reply is not valid JSON: ${reason}.`
}
