/** The HTTP server below an application: time limits, and errors of listening. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'

/** Time limit for receiving a whole request. */
const ARRIVAL_MS = 30_000
const HEADERS_MS = 10_000
/** Lower ones are for root. */
const FIRST_FREE_PORT = 1024

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
    throw listenFailure(error, { host, port })
  })
}

export function listenFailure(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): WritError {
  if (error.code === 'EADDRINUSE') return new WritError('PORT_IN_USE', { port }, { cause: error })
  const isPrivileged = error.code === 'EACCES' && port > 0 && port < FIRST_FREE_PORT
  if (isPrivileged) return new WritError('PORT_PRIVILEGED', { port }, { cause: error })
  return new WritError('HOST_UNUSABLE', { host, why: messageOf(error) }, { cause: error })
}
