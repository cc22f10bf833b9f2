/** The bodies of requests to a compatible server: each message is encoded once, although every step sends all of them. */
import { Buffer } from 'node:buffer'
import { kindOf, type Media } from '../protocol/media.ts'
import type { Message } from '../protocol/message.ts'
import { base64Of, type MediaBytes, withResultFiles } from './media-input.ts'
import type { ModelRequest, ToolSpec } from './model.ts'

/** The beginning of a conversation, encoded. */
interface Encoded {
  system: string
  messages: readonly Message[]
  bytes: Buffer
  length: number
}

const SMALLEST = 4096
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3
const END = Buffer.from('}')
const STREAMED = Buffer.from(',"stream":true,"stream_options":{"include_usage":true}}')

export function requestBodies(spec: {
  name: string
  maxOutputTokens: number
}): (request: ModelRequest) => Uint8Array<ArrayBuffer> {
  const toolLists = new WeakMap<readonly ToolSpec[], Uint8Array>()
  /** By the first message. */
  const conversations = new WeakMap<Message, Encoded>()
  const head = Buffer.from(`{"model":${JSON.stringify(spec.name)},"messages":[`)

  // Bytes, because one character beyond Latin-1 would make a text of the whole conversation, to be encoded at each step.
  function conversationForm({ system, messages: given, media }: ModelRequest): Uint8Array {
    const messages = withResultFiles(given)
    const [first] = messages
    const known = first && conversations.get(first)
    const goesOn = known?.system === system && known.messages.every((message, at) => message === messages[at])
    const encoded = goesOn ? known : { system, messages: [], bytes: Buffer.alloc(SMALLEST), length: 0 }
    let { bytes, length } = encoded
    const add = (message: object) => {
      const form = `${length === 0 ? '' : ','}${JSON.stringify(message)}`
      const most = length + form.length * MOST_BYTES
      if (most > bytes.length) bytes = Buffer.concat([bytes], 2 * most)
      length += bytes.write(form, length)
    }
    if (!goesOn && system !== '') add({ role: 'system', content: system })
    for (const message of messages.slice(encoded.messages.length)) add(onWire(message, media))
    if (first !== undefined) conversations.set(first, { system, messages: [...messages], bytes, length })
    return bytes.subarray(0, length)
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
    const { tools = [], temperature, maxOutputTokens, stream } = request
    const more = temperature === undefined ? '' : `,"temperature":${temperature}`
    const limit = Buffer.from(`],"max_tokens":${maxOutputTokens ?? spec.maxOutputTokens}${more}`)
    const parts = [head, conversationForm(request), limit]
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
