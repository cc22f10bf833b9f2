import { isObject } from '../base/json.ts'
import type { Usage } from '../protocol/message.ts'
import { mediaOf, mediaTokens } from './media-input.ts'
import type { Completion, ModelRequest } from './model.ts'
import { loadTokenizer, requestTokens } from './tokens.ts'

type Answer = Pick<Completion, 'text' | 'calls'>

/** For providers that report no usage: otherwise a budget would never be reached. */
export async function countUsage(request: ModelRequest, answer: Answer): Promise<Usage> {
  const count = await loadTokenizer()
  const calls = answer.calls.reduce((sum, call) => sum + count(JSON.stringify(call)), 0)
  return { inputTokens: requestTokens(request, count), outputTokens: count(answer.text) + calls }
}

const BYTES_PER_TOKEN = 4
/** Smaller, so that code and Chinese are not underestimated. */
const RESERVED_BYTES_PER_TOKEN = 3

/** For the built-in rules and for scripts, which cost nothing: loading the tokenizer would be most of their run. */
export function estimateUsage(request: ModelRequest, answer: Answer): Usage {
  let inputBytes = Buffer.byteLength(request.system)
  for (const message of request.messages) inputBytes += Buffer.byteLength(message.content)
  const shown = shownTokens(request)
  const outputBytes =
    Buffer.byteLength(answer.text) + answer.calls.reduce((sum, call) => sum + JSON.stringify(call).length, 0)
  return {
    inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN) + shown,
    outputTokens: Math.ceil(outputBytes / BYTES_PER_TOKEN),
  }
}

/** The prompt of a request, tools and earlier calls included, before it is sent. */
export function estimatePrompt(request: ModelRequest): number {
  const { system, messages, tools = [] } = request
  const bytes = Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify([messages, tools]))
  return Math.ceil(bytes / RESERVED_BYTES_PER_TOKEN) + shownTokens(request)
}

function shownTokens({ messages }: ModelRequest): number {
  return messages.flatMap(mediaOf).reduce((sum, media) => sum + mediaTokens(media), 0)
}

/** Usage as servers with OpenAI's API report it; undefined when it cannot be counts of tokens. */
export function readUsage(reported: Record<string, unknown>): Usage | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = reported
  if (!isCount(input) || !isCount(output)) return undefined
  // DeepSeek has its own name for it.
  const cached = isObject(details) ? details.cached_tokens : reported.prompt_cache_hit_tokens
  return { inputTokens: input, outputTokens: output, ...cachedPart(input, { read: cached }) }
}

/** No more than the input: a cached token is cheaper, so a wrong count would hide cost. */
export function cachedPart(
  input: number,
  { read, written }: { read?: unknown; written?: unknown },
): Pick<Usage, 'cachedInputTokens' | 'cacheWriteTokens'> {
  const cached = isCount(read) ? Math.min(read, input) : 0
  const stored = isCount(written) ? Math.min(written, input - cached) : 0
  return { ...(cached > 0 && { cachedInputTokens: cached }), ...(stored > 0 && { cacheWriteTokens: stored }) }
}

/** A negative number would give money back. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
