/**
 * How many tokens a text has: o200k_base, the tokenizer of OpenAI's models. Other providers have their own; where theirs
 * counts more, their refusal corrects the limit. Loaded on first use (2.4 MB): most prompts need only `mostTokens`.
 */
import { Buffer } from 'node:buffer'
import type { Message } from '../protocol/message.ts'
import { mediaOf, mediaTokens } from './media-input.ts'
import type { ModelRequest, ToolSpec } from './model.ts'

export type CountTokens = (text: string) => number

/** The merge of a long run of letters or spaces takes quadratic time; cut, it has a few tokens more. */
const LONG_RUN = /\S{200}|\s{200}/
const PIECE = 200
/** Role and separators of a message on the wire, and the fields around a call. */
const PER_MESSAGE = 8
const PER_CALL = 16

let counting: Promise<CountTokens> | undefined

export function loadTokenizer(): Promise<CountTokens> {
  counting ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    // Text like "<|endoftext|>" is text here, never a control token.
    const plain = { disallowedSpecial: new Set<string>() }
    const count = (text: string) => countTokens(text, plain)
    return (text) => (LONG_RUN.test(text) ? piecesOf(text).reduce((sum, piece) => sum + count(piece), 0) : count(text))
  })
  return counting
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE)
    if (end < text.length && isLead(text.charCodeAt(end - 1))) end++
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

type Measured = Pick<ModelRequest, 'system' | 'messages' | 'tools'>

/** Never less than the tokens of any byte-level tokenizer: each token has at least one byte. */
export function mostTokens(request: Measured): number {
  return measure(request, BYTES)
}

export function requestTokens(request: Measured, count: CountTokens): number {
  let known = MEASURES.get(count)
  if (known === undefined) {
    known = newMeasure(count)
    MEASURES.set(count, known)
  }
  return measure(request, known)
}

interface Measure {
  of: CountTokens
  messages: WeakMap<Message, number>
  tools: WeakMap<readonly ToolSpec[], number>
  /** The last system prompt: it is the same for most requests of a run. */
  system: { text: string; size: number }
  /** The last conversation: most requests continue it. */
  last: { messages: readonly Message[]; size: number }
}

function newMeasure(of: CountTokens): Measure {
  const nothing = { system: { text: '', size: 0 }, last: { messages: [], size: 0 } }
  return { of, messages: new WeakMap(), tools: new WeakMap(), ...nothing }
}

const BYTES = newMeasure((text) => Buffer.byteLength(text))
const MEASURES = new WeakMap<CountTokens, Measure>()

function measure({ system, messages, tools }: Measured, by: Measure): number {
  if (by.system.text !== system) by.system = { text: system, size: by.of(system) }
  const size = by.system.size + conversationSize(messages, by)
  return tools === undefined ? size : size + toolsSize(tools, by)
}

function conversationSize(messages: readonly Message[], by: Measure): number {
  const { last } = by
  const goesOn = last.messages.every((message, at) => message === messages[at])
  let size = goesOn ? last.size : 0
  for (let at = goesOn ? last.messages.length : 0; at < messages.length; at++) {
    size += messageSize(messages[at] as Message, by)
  }
  by.last = { messages, size }
  return size
}

function messageSize(message: Message, by: Measure): number {
  const known = by.messages.get(message)
  if (known !== undefined) return known
  let size = PER_MESSAGE + by.of(message.content)
  for (const media of mediaOf(message)) size += mediaTokens(media)
  if (message.role === 'assistant') {
    if (message.reasoning_content !== undefined) size += by.of(message.reasoning_content)
    for (const { tool, args } of message.calls ?? []) size += PER_CALL + by.of(tool) + by.of(JSON.stringify(args) ?? '')
  }
  by.messages.set(message, size)
  return size
}

function toolsSize(tools: readonly ToolSpec[], by: Measure): number {
  const known = by.tools.get(tools)
  if (known !== undefined) return known
  const size = by.of(JSON.stringify(tools.map(({ name, description, schema }) => ({ name, description, schema }))))
  by.tools.set(tools, size)
  return size
}
