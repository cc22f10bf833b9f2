/** A server reached over HTTP. The user configured its address, so exactly that host and port are open. */
import { type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Dispatcher, fetch as undiciFetch } from 'undici'
import { present } from '../../base/present.ts'
import { guardedAgent } from '../guard/connect.ts'
import { hostOf, portOf } from '../guard/hosts.ts'

const MAX_STREAM_BYTES = 32 * 1024 * 1024

export interface HttpLink {
  transport: StreamableHTTPClientTransport
  release(): Promise<void>
}

export function httpLink(
  address: string,
  headers: Readonly<Record<string, string>>,
  login?: OAuthClientProvider,
): HttpLink {
  const url = new URL(address)
  const agent = guardedAgent([`${hostOf(url)}:${portOf(url)}`])
  const dispatcher = agent.compose(withoutTimeouts)
  const transport = new StreamableHTTPClientTransport(url, {
    ...present({ authProvider: login }),
    requestInit: { headers: { ...headers } },
    // The global fetch and the dispatcher must come from the same library.
    fetch: async (input, init) =>
      limited((await undiciFetch(input, { ...(init as object), dispatcher })) as unknown as Response),
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      reconnectionDelayGrowFactor: 2,
      maxReconnectionDelay: 10_000,
      maxRetries: 3,
    },
  })
  return { transport, release: () => agent.destroy() }
}

/** A tool may stay silent for long: the call has a limit of its own. */
const withoutTimeouts: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)

function limited(response: Response): Response {
  if (response.body === null) return response
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MAX_STREAM_BYTES) controller.error(new Error(`more than ${MAX_STREAM_BYTES} bytes in one answer`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers: [...headers] })
}
