/** The gateway over HTTP: every request has a token, and every client a session of its own. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import { preferredLang } from '../server/accept-language.ts'
import { checkNames, requireScope, securityHeaders } from '../server/auth.ts'
import { answerFailure, isFault } from '../server/failure.ts'
import { createHttpServer, listen } from '../server/http-server.ts'
import { openLimits } from '../server/limits.ts'
import type { Log } from '../server/log.ts'
import type { Caller, Keyring } from '../server/tokens.ts'
import type { Notice } from '../tool/mcp/link.ts'
import { ClientPool, type Held } from './client-pool.ts'
import { withoutDuplicates } from './open-requests.ts'
import { serverFor } from './protocol.ts'
import { type GatewayOptions, type GatewaySession, openGatewaySession } from './session.ts'

export interface HttpOptions {
  host: string
  port: number
  allowedHosts: readonly string[]
  keyring: Keyring
  log: Log
  lang: Lang
}

export interface GatewayServing {
  url: string
  stop(): Promise<void>
}

type Opened = Omit<Held, 'isValid'>

const MAX_BODY = 16 * 1024 * 1024

export async function serveOverHttp(options: GatewayOptions, http: HttpOptions): Promise<GatewayServing> {
  const { keyring, log, host } = http
  const clients = new ClientPool()
  const app = new Hono()
  app.use(async (c, next) => {
    c.set('lang', preferredLang(c.req.header('accept-language'), http.lang))
    await next()
  })
  app.use(securityHeaders)
  app.use(checkNames([...http.allowedHosts, host]))
  app.use(requireScope({ keyring, limits: openLimits(systemClock), log }, new Set())('run'))
  app.all('/mcp', async (c) => {
    const client = await clientOf(c)
    client.usedAt = Date.now()
    return client.fetch(c.req.raw)
  })
  app.notFound((c) => answerFailure(c, new WritError('NOT_FOUND')))
  app.onError((error, c) => {
    if (isFault(error)) log('error', 'internal', { path: c.req.path, error: messageOf(error) })
    return answerFailure(c, error)
  })

  /** In the older protocol a session is named by a header, in the newer one the token is the session. */
  async function clientOf(c: Context): Promise<Held> {
    const who: Caller = c.get('who')
    const named = c.req.header('mcp-session-id')
    if (named !== undefined) {
      const found = await clients.get(named)
      if (found === undefined || found.token !== who.id) throw new WritError('NOT_FOUND')
      return found
    }
    const isLegacy = await isLegacyRequest(c.req.raw, undefined, { maxRequestBodySize: MAX_BODY })
    const isValid: () => Promise<boolean> = c.get('isTokenValid')
    if (!isLegacy) return clients.open(who.id, async () => ({ ...(await openModern(options, who)), isValid }))
    // Only this opens a session, and with it the servers.
    const { method } = (await c.req.raw
      .clone()
      .json()
      .catch(() => ({}))) as { method?: unknown }
    if (method !== 'initialize') throw new WritError('INVALID_REQUEST.json')
    const key = randomUUID()
    const drop = () => void clients.drop(key)
    return clients.open(key, async () => ({ ...(await openLegacy(options, who, { key, drop })), isValid }))
  }

  const server = createHttpServer(app)
  await listen(server, { host, port: http.port })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      await clients.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function openSession(options: GatewayOptions, who: Caller, name: () => string | undefined): Promise<GatewaySession> {
  return openGatewaySession(options, { name, principal: who.principal, mayApprove: who.scopes.has('approve') })
}

/** The older protocol: a session that its header names. */
async function openLegacy(options: GatewayOptions, who: Caller, at: { key: string; drop(): void }): Promise<Opened> {
  const { lang } = options
  const session = await openSession(options, who, () => server.getClientVersion()?.name)
  const server = serverFor(session, { lang, announces: true })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => at.key,
    maxRequestBodySize: MAX_BODY,
    onsessionclosed: at.drop,
  })
  await server.connect(transport)
  const fetch = withoutDuplicates(transport, MAX_BODY)
  const close = async () => {
    await server.close()
    await session.close()
  }
  return { token: who.id, session, usedAt: Date.now(), close, fetch }
}

/** The newer protocol: every request stands for itself, and its token is the session. */
async function openModern(options: GatewayOptions, who: Caller): Promise<Opened> {
  const session = await openSession(options, who, () => who.name)
  const handler = createMcpHandler(() => serverFor(session, { lang: options.lang, announces: false }), {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY,
    onerror: (error) => options.warn(messageOf(error)),
  })
  const leave = session.catalogue.onNotice((notice) => announce(handler, notice))
  const close = async () => {
    leave()
    await handler.close()
    await session.close()
  }
  return { token: who.id, session, usedAt: Date.now(), close, fetch: (request) => handler.fetch(request) }
}

const EVENTS: Readonly<Record<string, ServerEvent['kind']>> = {
  'notifications/tools/list_changed': 'tools_list_changed',
  'notifications/resources/list_changed': 'resources_list_changed',
  'notifications/prompts/list_changed': 'prompts_list_changed',
}

function announce({ notify, bus }: McpHttpHandler, { method, params }: Notice): void {
  const kind = EVENTS[method]
  if (kind !== undefined) bus.publish({ kind } as ServerEvent)
  else if (method === 'notifications/resources/updated' && typeof params?.uri === 'string')
    notify.resourceUpdated(params.uri)
}
