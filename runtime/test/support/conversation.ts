/** Conversations for tests of who named a target. */
import type { Message, Told } from '../../src/protocol/message.ts'
import type { Origin } from '../../src/protocol/state.ts'

export interface Given {
  recalled?: Told[]
  messages?: Message[]
  origins?: Origin[]
}

/** One tool result. */
export function result(
  tool: string,
  content: string,
  more: { trust?: Origin['trust']; told?: Told } = {},
): Required<Given> {
  const { trust = 'external', told } = more
  return {
    recalled: [],
    messages: [{ role: 'tool', callId: tool, tool, content, ...(told === undefined ? {} : { told }) }],
    origins: [{ callId: tool, tool, trust, inspection: 'pass' }],
  }
}
