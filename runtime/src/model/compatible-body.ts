/** The bodies of requests to a compatible server: each message is encoded once, although every step sends all of them. */
import { Buffer } from 'node:buffer'
import { kindOf, type Media } from '../protocol/media.ts'
import type { Message } from '../protocol/message.ts'
import { base64Of, type MediaBytes, withResultFiles } from './media-input.ts'
import type { ModelRequest, ToolSpec } from './model.ts'

/** The beginning of a conversation, encoded. */
interface Encoded {
  messages: readonly Message[]
  bytes: Buffer
  length: number
}

const SMALLEST = 4096
const END = Buffer.from('}')
const STREAMED = Buffer.from(',"stream":true,"stream_options":{"include_usage":true}}')

export function requestBodies(spec: {
  name: string
  maxOutputTokens: number
}): (request: ModelRequest) => Uint8Array<ArrayBuffer> {
  const toolLists = new WeakMap<readonly ToolSpec[], Uint8Array>()
  /** By the first message. */
  const conversations = new WeakMap<Message, Encoded>()
  let last = { system: '', bytes: new Uint8Array() }
  const head = Buffer.from(`{"model":${JSON.stringify(spec.name)},"messages":[`)

  // Bytes, because one character beyond Latin-1 would make a text of the whole conversation, to be encoded at each step.
  function conversationForm(messages: readonly Message[], files: MediaBytes | undefined): Uint8Array {
    const [first] = messages
    if (first === undefined) return new Uint8Array()
    const known = conversations.get(first)
    const goesOn = known?.messages.every((message, at) => message === messages[at]) === true
    let { bytes, length } = known !== undefined && goesOn ? known : { bytes: Buffer.alloc(SMALLEST), length: 0 }
    for (let at = goesOn ? (known?.messages.length ?? 0) : 0; at < messages.length; at++) {
      const form = Buffer.from(`,${JSON.stringify(onWire(messages[at] as Message, files))}`)
      if (length + form.length > bytes.length) bytes = Buffer.concat([bytes], 2 * (length + form.length))
      length += form.copy(bytes, length)
    }
    conversations.set(first, { messages: [...messages], bytes, length })
    return bytes.subarray(0, length)
  }

  function systemForm(system: string): Uint8Array {
    if (last.system !== system)
      last = { system, bytes: Buffer.from(`,${JSON.stringify({ role: 'system', content: system })}`) }
    return last.bytes
  }

  function toolsForm(tools: readonly ToolSpec[]): Uint8Array {
    const known = toolLists.get(tools)
    if (known !== undefined) return known
    const listed = tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    }))
    const bytes = Buffer.from(`,"tools":${JSON.stringify(listed)}`)
    toolLists.set(tools, bytes)
    return bytes
  }

  return (request) => {
    const { system, messages, media, tools = [], temperature, maxOutputTokens, stream } = request
    const parts: Uint8Array[] = [head]
    if (system !== '') parts.push(systemForm(system))
    parts.push(conversationForm(withResultFiles(messages), media))
    const [, first] = parts
    if (first !== undefined) parts[1] = first.subarray(1)
    const more = temperature === undefined ? '' : `,"temperature":${temperature}`
    parts.push(Buffer.from(`],"max_tokens":${maxOutputTokens ?? spec.maxOutputTokens}${more}`))
    if (tools.length > 0) parts.push(toolsForm(tools))
    parts.push(stream ? STREAMED : END)
    return Buffer.concat(parts)
  }
}

function onWire(message: Message, files: MediaBytes | undefined): object {
  switch (message.role) {
    case 'user': {
      const { content, media } = message
      if (media === undefined) return { role: 'user', content }
      return { role: 'user', content: [{ type: 'text', text: content }, ...media.map((one) => fileOnWire(one, files))] }
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
    case 'assistant': {
      const { content, calls = [], reasoning_content } = message
      return {
        role: 'assistant',
        content: content === '' && calls.length > 0 ? null : content,
        ...(reasoning_content ? { reasoning_content } : {}),
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOnWire) }),
      }
    }
    default:
      return message satisfies never
  }
}

function fileOnWire(media: Media, files: MediaBytes | undefined): object {
  const url = `data:${media.type};base64,${base64Of(media, files)}`
  return kindOf(media.type) === 'image'
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: media.name, file_data: url } }
}

function callOnWire({ id, tool, args }: { id: string; tool: string; args: unknown }): object {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }
}
