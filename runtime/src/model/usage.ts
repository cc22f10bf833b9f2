import type { Usage } from '../protocol/message.ts'
import type { Completion, ModelRequest } from './model.ts'

const BYTES_PER_TOKEN = 4

/** For models that do not count: a budget that nothing is charged to would never bind. */
export function estimateUsage(request: ModelRequest, answer: Pick<Completion, 'text' | 'calls'>): Usage {
  let asked = Buffer.byteLength(request.system)
  for (const message of request.messages) asked += Buffer.byteLength(message.content)
  const said = Buffer.byteLength(answer.text) + answer.calls.reduce((sum, call) => sum + JSON.stringify(call).length, 0)
  return { inputTokens: Math.ceil(asked / BYTES_PER_TOKEN), outputTokens: Math.ceil(said / BYTES_PER_TOKEN) }
}
