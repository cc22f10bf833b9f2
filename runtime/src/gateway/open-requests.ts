/**
 * The requests of one session that have no answer yet. The library finds the stream of an answer by its id: a second
 * request with the same id would take the answers of the first, and its questions, and leave it waiting.
 */
import { isJSONRPCRequest, type WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { isObject } from '../base/json.ts'

type Id = string | number

const INVALID = -32_600

export function withoutDuplicates(
  transport: WebStandardStreamableHTTPServerTransport,
  maxBytes: number,
): (request: Request) => Promise<Response> {
  const open = new Set<Id>()
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if ('id' in message && !('method' in message)) open.delete(message.id as Id)
    await send(message, options)
  }
  return async (request) => {
    // What cannot be read is refused by the library.
    const parsedBody = request.method === 'POST' ? await bodyOf(request.clone(), maxBytes) : undefined
    if (parsedBody === undefined) return transport.handleRequest(request)
    const messages = [parsedBody].flat()
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id)
    if (new Set(ids).size < ids.length || ids.some((id) => open.has(id))) return refused(ids)
    for (const id of ids) open.add(id)
    const response = await transport.handleRequest(request, { parsedBody })
    const gone = response.ok ? messages.flatMap(cancelled) : ids
    for (const id of gone) open.delete(id)
    return response
  }
}

/** A request that is cancelled has no answer. */
function cancelled(message: unknown): Id[] {
  const { method, params } = message as { method?: unknown; params?: { requestId?: Id } }
  return method === 'notifications/cancelled' && params?.requestId !== undefined ? [params.requestId] : []
}

function refused(ids: readonly Id[]): Response {
  const message = `Invalid Request: an id is in use by a request without an answer (${ids.join(', ').slice(0, 100)})`
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: INVALID, message } }, { status: 400 })
}

async function bodyOf(request: Request, maxBytes: number): Promise<object | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) return undefined
      chunks.push(chunk)
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return isObject(value) || Array.isArray(value) ? (value as object) : undefined
  } catch {
    return undefined
  }
}
