/**
 * The network of one sandboxed command: a guarded proxy for the hosts in its line and for `allowedHosts`, and the
 * loopback services of `allowedHosts` at their own ports. Everything closes with the call.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainEntry } from '../../gate/stages/content.ts'
import type { HostFact } from '../../protocol/facts.ts'
import type { SecurityPolicy } from '../../protocol/policy.ts'
import { openGuardedProxy, type Wire } from '../browser/guarded-proxy.ts'
import type { World } from '../tool.ts'
import { classifyAddress, hostAllowed } from './hosts.ts'
import type { Relay } from './relays.ts'

export interface SandboxNetwork {
  relays: Relay[]
  /** Environment variables that point programs to the proxy. */
  variables: Record<string, string>
  /** Refused connections, as sentences. */
  refusals(): string[]
  close(): Promise<void>
}

interface DoorRules {
  world: World
  policy: Pick<SecurityPolicy, 'allowedDomains' | 'allowedMethods'>
  wire?: Wire | undefined
}

/** The proxy's port inside the sandbox. */
export const PROXY_PORT = 3129
const PROXY = `http://127.0.0.1:${PROXY_PORT}`
/** Lower ports need root. */
const FIRST_FREE_PORT = 1024
const LOCAL_NAMES = 'localhost,127.0.0.1,::1'

/** The hosts of a judged line that can be opened. Closed addresses open only through `allowedHosts`. */
export function openable(hosts: readonly HostFact[]): HostFact[] {
  return hosts.filter(
    ({ scheme, host, port, address }) =>
      /^https?$/.test(scheme) && /^[\w.:-]+$/.test(host) && port > 0 && (address ?? 'public') === 'public',
  )
}

/** Undefined when there is nothing to open. */
export async function openSandboxNetwork(
  named: readonly HostFact[],
  { world, policy, wire }: DoorRules,
): Promise<SandboxNetwork | undefined> {
  // A workflow node that restricts hosts or methods was checked only for the hosts in its line.
  const isNarrowed = policy.allowedDomains !== undefined || policy.allowedMethods !== undefined
  const general = isNarrowed ? [] : world.allowedHosts
  if (named.length === 0 && general.length === 0) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'writ-net-'))
  const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const act of closing.splice(0).reverse()) await act()
  }
  try {
    const socket = join(folder, 'proxy.sock')
    const proxy = await openGuardedProxy({
      allowedHosts: () => world.allowedHosts,
      opens: ({ host, port }) =>
        named.some((fact) => fact.host === host && fact.port === port) || hostAllowed(host, port, general),
      client: 'command',
      socket,
      wire,
    })
    closing.push(() => proxy.close())
    const local = loopbackPlaces(general)
    const direct = local.filter(({ port }) => port >= FIRST_FREE_PORT && port !== PROXY_PORT)
    const relays: Relay[] = [{ port: PROXY_PORT, socket }]
    for (const [i, place] of direct.entries()) {
      const path = join(folder, `${i}.sock`)
      closing.push(await forward(path, place))
      relays.push({ port: place.port, host: place.host, socket: path })
    }
    return {
      relays,
      variables: variables(direct.length === local.length ? LOCAL_NAMES : ''),
      refusals: () => [
        ...new Set(proxy.failures.filter(({ refused }) => refused !== undefined).map(({ message }) => message)),
      ],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Loopback servers that a program starts itself are reached without the proxy. */
function variables(direct: string): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
  return {
    ...Object.fromEntries(names.map((name) => [name, PROXY])),
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
  }
}

interface LoopbackPlace {
  host: string
  port: number
}

function loopbackPlaces(allowed: readonly string[]): LoopbackPlace[] {
  const places = allowed.flatMap((entry) => {
    const [, name = '', port = ''] = /^(.+):(\d{1,5})$/.exec(plainEntry(entry)) ?? []
    if (classifyAddress(name) !== 'loopback') return []
    const host = /^(127(\.\d{1,3}){3}|::1)$/.test(name) ? name : '127.0.0.1'
    return [{ host, port: Number(port) }]
  })
  return [...new Map(places.map((place) => [`${place.host} ${place.port}`, place])).values()]
}

async function forward(path: string, place: LoopbackPlace): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ ...place, allowHalfOpen: true })
    keep(inner)
    keep(outer)
    inner.pipe(outer).on('close', () => inner.destroy())
    outer.pipe(inner).on('close', () => outer.destroy())
  })
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  return async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
}
