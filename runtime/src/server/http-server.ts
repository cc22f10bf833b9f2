/** The HTTP server below an application: time limits, and errors of listening. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'

/** Time limit for receiving a whole request. */
const ARRIVAL_MS = 30_000
const HEADERS_MS = 10_000

export function createHttpServer(
  app: Pick<Parameters<typeof createAdaptorServer>[0], 'fetch'>,
  arrivalMs = ARRIVAL_MS,
): Server {
  return createAdaptorServer({
    fetch: app.fetch,
    // Defends against clients that send a request very slowly.
    serverOptions: {
      headersTimeout: Math.min(HEADERS_MS, arrivalMs),
      requestTimeout: arrivalMs,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: Math.min(2000, arrivalMs),
      maxHeaderSize: 16_384,
    },
  }) as Server
}

export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new WritError('PORT_IN_USE', { port }, { cause: error })
    throw new WritError('HOST_UNUSABLE', { host, why: messageOf(error) }, { cause: error })
  })
}
