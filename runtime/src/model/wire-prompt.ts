/** Converts messages, tools and calls to and from the types of the adapters. Cached: messages never change. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { Media } from '../protocol/media.ts'
import type { Message } from '../protocol/message.ts'
import { base64Of, type MediaBytes, withResultFiles } from './media-input.ts'
import type { ModelRequest, RawCall, ToolSpec } from './model.ts'

type AssistantParts = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

const SIGNATURES_KEPT = 512

export interface WirePrompt {
  promptOf(request: ModelRequest): LanguageModelV4Prompt
  callOf(part: LanguageModelV4ToolCall): RawCall
}

/** Anthropic caches what is before a mark; at most four are allowed. */
const MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Without `reasoning_content`: these providers do not know the field. `marks`: with marks for Anthropic's cache. */
export function wirePrompt({ marks }: { marks: boolean }): WirePrompt {
  const messages = new WeakMap<Message, LanguageModelV4Message>()
  // Gemini signs its calls and requires the signature with the same call. It is not journaled; after a restart the
  // adapter sends the placeholder that Google documents.
  const signatures = new Map<string, SharedV4ProviderOptions>()

  function convert(message: Message, files: MediaBytes | undefined): LanguageModelV4Message {
    switch (message.role) {
      case 'user': {
        const parts = (message.media ?? []).map((media) => filePart(media, files))
        return { role: 'user', content: [{ type: 'text', text: message.content }, ...parts] }
      }
      case 'tool':
        return {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: message.callId,
              toolName: message.tool,
              output: { type: 'text', value: message.content },
            },
          ],
        }
      case 'assistant':
        return { role: 'assistant', content: assistantParts(message) }
      default:
        return message satisfies never
    }
  }

  function assistantParts(message: Extract<Message, { role: 'assistant' }>): AssistantParts {
    const parts: AssistantParts = []
    // Anthropic rejects an empty text block.
    if (message.content !== '') parts.push({ type: 'text', text: message.content })
    for (const call of message.calls ?? []) {
      const signature = signatures.get(signatureKey(call.tool, JSON.stringify(call.args)))
      parts.push({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.tool,
        input: call.args,
        ...(signature && { providerOptions: signature }),
      })
    }
    return parts
  }

  return {
    promptOf(request) {
      const cache = marks ? request.cache : undefined
      const prompt: LanguageModelV4Prompt = systemOf(request.system, cache)
      for (const message of withResultFiles(request.messages)) {
        const converted = messages.get(message) ?? convert(message, request.media)
        messages.set(message, converted)
        if (converted.content.length === 0) continue
        const last = prompt.at(-1)
        // Gemini and Anthropic require the results of one reply's calls in one message.
        if (converted.role === 'tool' && last?.role === 'tool') {
          prompt[prompt.length - 1] = { role: 'tool', content: [...last.content, ...converted.content] }
        } else prompt.push(converted)
      }
      return cache === undefined ? prompt : withMarks(prompt)
    },
    callOf(part) {
      if (part.providerMetadata) {
        signatures.set(signatureKey(part.toolName, part.input), part.providerMetadata)
        const oldest = signatures.keys().next().value
        if (signatures.size > SIGNATURES_KEPT && oldest !== undefined) signatures.delete(oldest)
      }
      return rawCall(part)
    },
  }
}

function filePart(media: Media, files: MediaBytes | undefined): LanguageModelV4FilePart {
  const { type: mediaType, name: filename } = media
  return { type: 'file', mediaType, filename, data: { type: 'data', data: base64Of(media, files) } }
}

/** The stable part is marked by itself: the next turn has another rest. */
function systemOf(system: string, cache: ModelRequest['cache']): LanguageModelV4Prompt {
  if (system === '') return []
  if (cache === undefined) return [{ role: 'system', content: system }]
  const parts = [system.slice(0, cache.stable), system.slice(cache.stable).trimStart()]
  return parts
    .filter((content) => content !== '')
    .map((content) => ({ role: 'system', content, providerOptions: MARK }))
}

/** The end of this prompt, for the next step, and the end of the previous one, which is in the cache already. */
function withMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = prompt.length - 1
  const previous = prompt.findLastIndex(({ role }) => role === 'assistant') - 1
  return prompt.map((message, at) =>
    message.role !== 'system' && (at === last || at === previous) ? { ...message, providerOptions: MARK } : message,
  )
}

export function toolsOf(tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, schema }) => ({
    type: 'function',
    name,
    description,
    inputSchema: schema as LanguageModelV4FunctionTool['inputSchema'],
  }))
}

function signatureKey(tool: string, input: string): string {
  return `${tool} ${input}`
}

// Arguments of a tool without parameters are '' from some providers and '{}' from others.
function rawCall({ toolCallId: id, toolName: tool, input }: LanguageModelV4ToolCall): RawCall {
  if (input.trim() === '') return { id, tool, args: {} }
  try {
    return { id, tool, args: JSON.parse(input) }
  } catch {
    return { id, tool, rawArgs: input }
  }
}
