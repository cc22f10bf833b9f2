/** A stub provider with a context window: it counts with our tokenizer and refuses longer prompts with a 400. */
import { loadTokenizer } from '../../src/model/tokens.ts'
import type { StubReply, StubRequest } from './stub-model.ts'

export const tokensIn = async ({ body }: Pick<StubRequest, 'body'>): Promise<number> => {
  const count = await loadTokenizer()
  return count(JSON.stringify(body.messages)) + count(JSON.stringify(body.tools ?? []))
}

export function withWindow(
  max: number,
  reply: (request: StubRequest) => StubReply,
): (request: StubRequest) => Promise<StubReply> {
  return async (request) => {
    const tokens = await tokensIn(request)
    if (tokens <= max) return reply(request)
    const text = `This model's maximum context length is ${max} tokens. However, your messages resulted in ${tokens} tokens.`
    return { status: 400, text }
  }
}

/** Undefined where every result follows its call and every call has its result, as providers require. */
export function orphanIn({ body }: Pick<StubRequest, 'body'>): string | undefined {
  const messages = body.messages as { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[]
  let open: string[] = []
  for (const { role, tool_call_id = '', tool_calls = [] } of messages) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) return `result ${tool_call_id} without its call`
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    if (open.length > 0) return `call ${open.join()} without its result`
    open = tool_calls.map(({ id }) => id)
  }
  return open.length > 0 ? `call ${open.join()} without its result` : undefined
}
