/**
 * The browser's only way out. A name is looked up once, every address it has is judged, and the connection goes to
 * an address that was judged: redirects, sub-requests, websockets and rebinding all meet the same rule here.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { messageOf } from '../../base/errors.ts'
import { matchesDomain } from '../../gate/domain.ts'
import { classifyAddress, hostOf, isOpen, portOf } from '../guard/hosts.ts'

const CONNECT_MS = 10_000
/** A page may ask for closed hosts in a loop; what is kept of that must not grow with it. */
const TROUBLES_KEPT = 50

/** What Chromium sends its maker unasked: is there a captive portal, what are this page's forms for. */
const OWN_QUESTIONS = new Set(['connectivitycheck.gstatic.com', 'content-autofill.googleapis.com'])

interface Address {
  address: string
  family: number
}

interface Place {
  host: string
  port: number
}

type RefusalCode = 'HOST_FORBIDDEN' | 'DOMAIN_NOT_ALLOWED'

/** A connection that was not made. `refused`: by which rule; otherwise the network's own failure. */
export interface Trouble extends Place {
  refused?: RefusalCode
  message: string
}

export interface ProxyRules {
  /** Read anew for every connection. */
  allowedHosts(): readonly string[]
  /** The only names there are for these pages; undefined: every name that is open. */
  allowedDomains?(): readonly string[] | undefined
  /** Who is told in refusals; the browser when absent. */
  client?: string
  /** Instead of `allowedDomains`: which places there are. */
  opens?(place: Place): boolean
  /** A Unix socket to listen on instead of a port. */
  socket?: string
  /** All addresses of a name, as the system sees them when absent. */
  resolve?(host: string): Promise<Address[]>
  wire?: Wire
}

/** The machine's own network, where a test has another. */
export interface Wire {
  resolve(host: string): Promise<Address[]>
  /** The port on this machine that stands for a place. */
  portOf(place: Place): number
}

export interface GuardedProxy {
  readonly url: string
  /** What went wrong since it was last forgotten. */
  readonly troubles: readonly Trouble[]
  forgetTroubles(): void
  /** Cuts the connections that the rules, having changed, would not let be made any more. */
  cutClosed(): void
  /** Cuts every connection. */
  close(): Promise<void>
}

class Refusal extends Error {
  readonly code: RefusalCode

  constructor(
    code: RefusalCode,
    { host, port }: Place,
    { why, client = 'the browser' }: { why: string; client?: string },
  ) {
    super(`${host}:${port} is closed to ${client}: ${why}`)
    this.code = code
  }
}

export async function openGuardedProxy(rules: ProxyRules): Promise<GuardedProxy> {
  const resolve =
    rules.wire?.resolve ?? rules.resolve ?? ((host: string) => lookup(host, { all: true, order: 'verbatim' }))
  const who = rules.client === undefined ? {} : { client: rules.client }
  const sockets = new Set<Socket>()
  const reached = new Map<Socket, Place>()
  const troubles: Trouble[] = []

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const note = (place: Place, error: unknown): Trouble => {
    const refused = error instanceof Refusal ? { refused: error.code } : {}
    const trouble: Trouble = { ...place, ...refused, message: messageOf(error) }
    if (troubles.length < TROUBLES_KEPT && !OWN_QUESTIONS.has(place.host)) troubles.push(trouble)
    return trouble
  }

  const isListed = (place: Place) =>
    rules.opens?.(place) ?? rules.allowedDomains?.()?.some((entry) => matchesDomain(entry, place)) ?? true
  const demandListed = (place: Place) => {
    if (!isListed(place))
      throw new Refusal('DOMAIN_NOT_ALLOWED', place, { ...who, why: 'it is not among the allowed domains' })
  }

  async function reach(place: Place): Promise<Socket> {
    // Looking a name up already tells its owner something.
    demandListed(place)
    const addresses = await openAddresses(place, { allowed: rules.allowedHosts(), resolve, who })
    demandListed(place)
    const socket = connect({
      ...(rules.wire === undefined ? place : { host: '127.0.0.1', port: rules.wire.portOf(place) }),
      noDelay: true,
      autoSelectFamily: true,
      // Never looks anything up again: a second answer could be another one.
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

  const server = createServer((incoming, answer) => {
    const url = incoming.url !== undefined && URL.canParse(incoming.url) ? new URL(incoming.url) : undefined
    if (url?.protocol !== 'http:') return reject(answer, 400, 'This is a proxy for the browser of this process.')
    const place = { host: hostOf(url), port: portOf(url) }
    reach(place)
      .then((socket) => forward(incoming, answer, { url, socket }))
      .catch((error: unknown) => {
        // The browser lost interest; nothing went wrong.
        if (answer.destroyed) return
        const { refused, message } = note(place, error)
        reject(answer, refused === undefined ? 502 : 403, message)
      })
  })
  server.on('connection', keep)
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

  if (rules.socket === undefined) server.listen(0, '127.0.0.1')
  else server.listen(rules.socket)
  await once(server, 'listening')
  // A forgotten browser session must not keep the process alive.
  server.unref()
  return {
    url: rules.socket ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    troubles,
    forgetTroubles() {
      troubles.length = 0
    },
    cutClosed() {
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

/** Every address must be open: one closed address among public ones is a rebinding attack. */
async function openAddresses(
  place: Place,
  {
    allowed,
    resolve,
    who,
  }: { allowed: readonly string[]; resolve(host: string): Promise<Address[]>; who: { client?: string } },
): Promise<Address[]> {
  if (OWN_QUESTIONS.has(place.host)) throw new Refusal('HOST_FORBIDDEN', place, { ...who, why: 'nobody asked for it' })
  const literal = classifyAddress(place.host)
  if (literal !== undefined && !isOpen(literal, place, allowed))
    throw new Refusal('HOST_FORBIDDEN', place, { ...who, why: `it is a ${literal} address` })
  const addresses = await resolve(place.host).catch((error: unknown) => {
    throw unreachable(place, error)
  })
  for (const { address } of addresses) {
    const kind = classifyAddress(address) ?? 'reserved'
    if (!isOpen(kind, place, allowed))
      throw new Refusal('HOST_FORBIDDEN', place, { ...who, why: `it leads to ${address}, a ${kind} address` })
  }
  if (addresses.length === 0) throw new Error(`${place.host} has no address`)
  return addresses
}

function unreachable({ host, port }: Place, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
  const why = code === 'ABORT_ERR' ? `no connection within ${CONNECT_MS} ms` : code
  return new Error(`${host}:${port} cannot be reached: ${why}`, { cause: error })
}

/** Settles with the start of the answer: what fails before it is told, what fails later just ends. */
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

/** `host:port` or `[host]:port`, as CONNECT names its goal. */
function parseAuthority(authority: string): Place | undefined {
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined
  return url === undefined || url.hostname === '' ? undefined : { host: hostOf(url), port: portOf(url) }
}
