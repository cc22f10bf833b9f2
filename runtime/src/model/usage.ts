import type { Usage } from '../protocol/message.ts'
import type { Completion, ModelRequest } from './model.ts'

const BYTES_PER_TOKEN = 4

/** For models that report no usage: otherwise a budget would never be reached. */
export function estimateUsage(request: ModelRequest, answer: Pick<Completion, 'text' | 'calls'>): Usage {
  let inputBytes = Buffer.byteLength(request.system)
  for (const message of request.messages) inputBytes += Buffer.byteLength(message.content)
  const outputBytes =
    Buffer.byteLength(answer.text) + answer.calls.reduce((sum, call) => sum + JSON.stringify(call).length, 0)
  return {
    inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN),
    outputTokens: Math.ceil(outputBytes / BYTES_PER_TOKEN),
  }
}
