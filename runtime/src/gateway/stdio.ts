/** The gateway for one client over standard input and output. Nothing else may be printed there. */
import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { LOCAL } from '../protocol/principal.ts'
import { serverFor } from './protocol.ts'
import { type GatewayOptions, type GatewaySession, openGatewaySession } from './session.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** Until the client leaves or the signal is aborted. */
export async function serveOverStdio(
  options: GatewayOptions,
  { input, output, signal }: { input: Readable; output: Writable; signal: AbortSignal },
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_BYTES })
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  let server: Server | undefined
  let session: GatewaySession | undefined
  const name = () => server?.getClientVersion()?.name
  // Opened before the client says anything: it waits for its first answer only so long.
  const opening = openGatewaySession(options, { name, principal: LOCAL, mayApprove: true })
  opening.catch(() => leave())
  const handle = serveStdio(
    async () => {
      session = await opening
      server = serverFor(session, { lang: options.lang, announces: true })
      return server
    },
    { transport, onerror: (error) => options.warn(error.message) },
  )
  for (const end of ['end', 'close', 'error']) input.once(end, () => leave())
  output.once('error', () => leave())
  signal.addEventListener('abort', () => leave(), { once: true })
  if (signal.aborted) leave()
  try {
    await left
  } finally {
    await handle.close().catch(() => {})
    await (await opening).close()
  }
}
