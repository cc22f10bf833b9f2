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
import { answerFailure, isFault, Refusal } from '../server/failure.ts'
import { createHttpServer, listen } from '../server/http-server.ts'
import { openLimits } from '../server/limits.ts'
import type { Log } from '../server/log.ts'
import type { Caller, Keyring } from '../server/tokens.ts'
import type { Notice } from '../tool/mcp/link.ts'
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

/** A client that is there, or was a while ago. */
interface Held {
  /** The token that opened it: no other one can use it. */
  token: string
  session: GatewaySession
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
  usedAt: number
}

/** Each has servers of its own. The one that was not used for longest makes room. */
const MOST_SESSIONS = 64
const IDLE_MS = 3_600_000
const LOOK_MS = 60_000
const MAX_BODY = 16 * 1024 * 1024

export async function serveOverHttp(options: GatewayOptions, http: HttpOptions): Promise<GatewayServing> {
  const { keyring, log, host } = http
  const held = new Map<string, Promise<Held>>()
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
      const found = await held.get(named)?.catch(() => undefined)
      if (found === undefined || found.token !== who.id) throw new WritError('NOT_FOUND')
      return found
    }
    const isLegacy = await isLegacyRequest(c.req.raw, undefined, { maxRequestBodySize: MAX_BODY })
    if (!isLegacy) return remember(who.id, () => openModern(who))
    // Only this opens a session, and with it the servers.
    const { method } = (await c.req.raw
      .clone()
      .json()
      .catch(() => ({}))) as { method?: unknown }
    if (method !== 'initialize') throw new WritError('INVALID_REQUEST.json')
    return remember(randomUUID(), (key) => openLegacy(who, key))
  }

  async function remember(key: string, open: (key: string) => Promise<Held>): Promise<Held> {
    const known = held.get(key)
    if (known !== undefined) return known
    await makeRoom()
    const opening = open(key)
    held.set(key, opening)
    opening.catch(() => held.delete(key))
    return opening
  }

  function openSession(who: Caller, name: () => string | undefined): Promise<GatewaySession> {
    return openGatewaySession(options, { name, principal: who.principal, mayApprove: who.scopes.has('approve') })
  }

  async function openLegacy(who: Caller, key: string): Promise<Held> {
    const session = await openSession(who, () => server.getClientVersion()?.name)
    const server = serverFor(session, { lang: http.lang, announces: true })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => key,
      maxRequestBodySize: MAX_BODY,
      onsessionclosed: () => void drop(key),
    })
    await server.connect(transport)
    const close = async () => {
      await server.close()
      await session.close()
    }
    return { token: who.id, session, usedAt: Date.now(), close, fetch: (request) => transport.handleRequest(request) }
  }

  async function openModern(who: Caller): Promise<Held> {
    const session = await openSession(who, () => who.name)
    const handler = createMcpHandler(() => serverFor(session, { lang: http.lang, announces: false }), {
      legacy: 'reject',
      maxRequestBodySize: MAX_BODY,
      onerror: (error) => log('warn', 'mcp', { error: messageOf(error) }),
    })
    const leave = session.catalogue.onNotice((notice) => announce(handler, notice))
    const close = async () => {
      leave()
      await handler.close()
      await session.close()
    }
    return { token: who.id, session, usedAt: Date.now(), close, fetch: (request) => handler.fetch(request) }
  }

  async function drop(key: string): Promise<void> {
    const found = held.get(key)
    held.delete(key)
    await (await found?.catch(() => undefined))?.close().catch(() => {})
  }

  async function makeRoom(): Promise<void> {
    if (held.size < MOST_SESSIONS) return
    const idle = (await idleSessions()).toSorted((a, b) => a.usedAt - b.usedAt)[0]
    if (idle === undefined) throw new Refusal('MCP_CLIENTS', { max: MOST_SESSIONS }, { retryAfterS: 5 })
    await drop(idle.key)
  }

  async function idleSessions(): Promise<(Held & { key: string })[]> {
    const all = [...held].map(async ([key, opening]) => ({ key, ...(await opening.catch(() => undefined)) }))
    return (await Promise.all(all)).filter((each): each is Held & { key: string } => each.session?.isBusy() === false)
  }

  const timer = setInterval(async () => {
    for (const { key, usedAt } of await idleSessions()) if (Date.now() - usedAt > IDLE_MS) await drop(key)
  }, LOOK_MS).unref()

  const server = createHttpServer(app)
  await listen(server, { host, port: http.port })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    async stop() {
      clearInterval(timer)
      const closed = once(server, 'close')
      server.close()
      await Promise.all([...held.keys()].map(drop))
      server.closeAllConnections()
      await closed
    },
  }
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
