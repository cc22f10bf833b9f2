/**
 * The browser's only way to the network. A name is resolved once, all its addresses are checked, and the connection
 * uses a checked address. Redirects, sub-requests, websockets and DNS rebinding all meet this check.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { messageOf } from '../../base/errors.ts'
import type { RefusedRequest } from '../../errors/browser.ts'
import { WritError } from '../../errors/writ-error.ts'
import { matchesDomain } from '../../gate/domain.ts'
import { classifyAddress, hostOf, isOpen, portOf } from '../guard/hosts.ts'

const CONNECT_MS = 10_000
/** A page may request closed hosts in a loop; the list must not grow with it. */
const FAILURES_KEPT = 50

/** Background requests of Chromium: captive portal check, form autofill. */
const CHROMIUM_REQUESTS = new Set(['connectivitycheck.gstatic.com', 'content-autofill.googleapis.com'])

interface Address {
  address: string
  family: number
}

interface HostPort {
  host: string
  port: number
}

/** A connection that was not made. Without `refused` the network failed. */
export interface ConnectionFailure extends HostPort {
  refused?: WritError
  message: string
}

export interface ProxyRules {
  /** Read for every connection. */
  allowedHosts(): readonly string[]
  /** The only allowed names; undefined: every name that is open. */
  allowedDomains?(): readonly string[] | undefined
  /** Named in refusals; the browser when absent. */
  client?: RefusedRequest['client']
  /** Replaces `allowedDomains`: which hosts and ports are open. */
  opens?(place: HostPort): boolean
  /** A Unix socket to listen on instead of a port. */
  socket?: string | undefined
  /** All addresses of a name; resolved by the system when absent. */
  resolve?: ((host: string) => Promise<Address[]>) | undefined
  wire?: Wire | undefined
}

/** Replaces the network in tests. */
export interface Wire {
  resolve(host: string): Promise<Address[]>
  /** The local port that stands for a host and port. */
  portOf(place: HostPort): number
}

export interface GuardedProxy {
  readonly url: string
  /** Failures since the last `clearFailures`. */
  readonly failures: readonly ConnectionFailure[]
  clearFailures(): void
  /** Closes connections that changed rules no longer allow. */
  closeDisallowed(): void
  /** Closes every connection. */
  close(): Promise<void>
}

export async function openGuardedProxy(rules: ProxyRules): Promise<GuardedProxy> {
  const resolve =
    rules.wire?.resolve ?? rules.resolve ?? ((host: string) => lookup(host, { all: true, order: 'verbatim' }))
  const { client = 'browser' } = rules
  const sockets = new Set<Socket>()
  const reached = new Map<Socket, HostPort>()
  const failures: ConnectionFailure[] = []

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const note = (place: HostPort, error: unknown): ConnectionFailure => {
    const refused = error instanceof WritError ? { refused: error } : {}
    const failure: ConnectionFailure = { ...place, ...refused, message: messageOf(error) }
    if (failures.length < FAILURES_KEPT && !CHROMIUM_REQUESTS.has(place.host)) failures.push(failure)
    return failure
  }

  const isListed = (place: HostPort) =>
    rules.opens?.(place) ?? rules.allowedDomains?.()?.some((entry) => matchesDomain(entry, place)) ?? true
  const requireListed = (place: HostPort) => {
    if (!isListed(place)) throw new WritError('DOMAIN_NOT_ALLOWED.proxy', { place: placeText(place), client })
  }

  async function reach(place: HostPort): Promise<Socket> {
    // Resolving a name already reveals something to its owner.
    requireListed(place)
    const addresses = await openAddresses(place, { allowed: rules.allowedHosts(), resolve, client })
    requireListed(place)
    const socket = connect({
      ...(rules.wire === undefined ? place : { host: '127.0.0.1', port: rules.wire.portOf(place) }),
      noDelay: true,
      autoSelectFamily: true,
      // No second lookup: it could return another address (DNS rebinding).
      lookup: (_host, _options, done) => done(null, addresses),
    })
    keep(socket)
    reached.set(socket, place)
    socket.on('close', () => reached.delete(socket))
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
      return socket
    } catch (error) {
      socket.destroy()
      throw unreachable(place, error)
    }
  }

  const server = proxyServer({ reach, note })
  server.on('connection', keep)
  if (rules.socket === undefined) server.listen(0, '127.0.0.1')
  else server.listen(rules.socket)
  await once(server, 'listening')
  // A forgotten browser session must not keep the process alive.
  server.unref()
  return {
    url: rules.socket ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    clearFailures() {
      failures.length = 0
    },
    closeDisallowed() {
      for (const [socket, place] of reached) if (!isListed(place)) socket.destroy()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

interface Connector {
  reach(place: HostPort): Promise<Socket>
  note(place: HostPort, error: unknown): ConnectionFailure
}

/** Answers plain HTTP requests, and CONNECT requests with a tunnel. */
function proxyServer({ reach, note }: Connector): Server {
  const server = createServer((incoming, answer) => {
    const url = incoming.url !== undefined && URL.canParse(incoming.url) ? new URL(incoming.url) : undefined
    if (url?.protocol !== 'http:') return reject(answer, 400, 'This is a proxy for the browser of this process.')
    const place = { host: hostOf(url), port: portOf(url) }
    reach(place)
      .then((socket) => forward(incoming, answer, { url, socket }))
      .catch((error: unknown) => {
        // The browser cancelled the request.
        if (answer.destroyed) return
        const { refused, message } = note(place, error)
        reject(answer, refused === undefined ? 502 : 403, message)
      })
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const place = parseAuthority(incoming.url ?? '')
    if (place === undefined) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    reach(place)
      .then((remote) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        remote.write(head)
        remote.pipe(socket).on('close', () => remote.destroy())
        socket.pipe(remote).on('close', () => socket.destroy())
      })
      .catch((error) => {
        const { refused } = note(place, error)
        socket.end(
          `HTTP/1.1 ${refused === undefined ? '502 Bad Gateway' : '403 Forbidden'}\r\nContent-Length: 0\r\n\r\n`,
        )
      })
  })
  return server
}

/** Every address must be open: a closed address among public ones is a DNS rebinding attack. */
async function openAddresses(
  place: HostPort,
  {
    allowed,
    resolve,
    client,
  }: { allowed: readonly string[]; resolve(host: string): Promise<Address[]>; client: RefusedRequest['client'] },
): Promise<Address[]> {
  const to: RefusedRequest = { place: placeText(place), client }
  if (CHROMIUM_REQUESTS.has(place.host)) throw new WritError('HOST_FORBIDDEN.background', to)
  const literal = classifyAddress(place.host)
  if (literal !== undefined && !isOpen(literal, place, allowed))
    throw new WritError('HOST_FORBIDDEN.proxy', { ...to, kind: literal })
  const addresses = await resolve(place.host).catch((error: unknown) => {
    throw unreachable(place, error)
  })
  for (const { address } of addresses) {
    const kind = classifyAddress(address) ?? 'reserved'
    if (!isOpen(kind, place, allowed)) throw new WritError('HOST_FORBIDDEN.proxyResolved', { ...to, kind, address })
  }
  if (addresses.length === 0) throw new Error(`${place.host} has no address`)
  return addresses
}

function placeText({ host, port }: HostPort): string {
  return `${host}:${port}`
}

function unreachable({ host, port }: HostPort, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
  const why = code === 'ABORT_ERR' ? `no connection within ${CONNECT_MS} ms` : code
  return new Error(`${host}:${port} cannot be reached: ${why}`, { cause: error })
}

/** Resolves when the response starts. Earlier failures are reported; later ones just end the connection. */
async function forward(incoming: IncomingMessage, answer: ServerResponse, to: { url: URL; socket: Socket }) {
  const { url, socket } = to
  const outgoing = request({
    createConnection: () => socket,
    method: incoming.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: { ...endToEnd(incoming.headers), host: url.host, connection: 'close' },
    setHost: false,
  })
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  outgoing.on('error', () => answer.destroy())
  response.on('error', () => answer.destroy())
  answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers))
  response.pipe(answer)
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

function reject(answer: ServerResponse, status: number, message: string): void {
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(message)
}

/** `host:port` or `[host]:port`, as in CONNECT. */
function parseAuthority(authority: string): HostPort | undefined {
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined
  return url === undefined || url.hostname === '' ? undefined : { host: hostOf(url), port: portOf(url) }
}
