import type { Usage } from '../protocol/message.ts'
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

/** For the built-in rules and for scripts, which cost nothing: loading the tokenizer would be most of their run. */
export function estimateUsage(request: ModelRequest, answer: Answer): Usage {
  let inputBytes = Buffer.byteLength(request.system)
  for (const message of request.messages) inputBytes += Buffer.byteLength(message.content)
  const outputBytes =
    Buffer.byteLength(answer.text) + answer.calls.reduce((sum, call) => sum + JSON.stringify(call).length, 0)
  return {
    inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN),
    outputTokens: Math.ceil(outputBytes / BYTES_PER_TOKEN),
  }
}
