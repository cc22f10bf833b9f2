/** The tools' HTTP connections: each is judged by the address it really reaches. */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { WritError } from '../../errors/writ-error.ts'
import { classifyAddress, isOpen } from './hosts.ts'

const CONNECT_MS = 10_000

/** Resolves a name; the system's resolver by default. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Refuses unless every address of a name is open: a private address among public ones is a DNS rebinding attack. */
function pinnedLookup(port: number, allowed: readonly string[], resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true, order: 'verbatim' }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const place = { host: hostname.toLowerCase().replace(/\.+$/, ''), port }
      const closed = addresses.find(({ address }) => !isOpen(classifyAddress(address) ?? 'reserved', place, allowed))
      if (closed !== undefined) {
        return callback(new WritError('HOST_FORBIDDEN.resolved', { host: hostname, address: closed.address }), '', 0)
      }
      const first = addresses[0]
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '', 0)
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}

/** A dispatcher for undici. Literal addresses never reach `lookup`, so the connector checks them first. */
export function guardedAgent(allowed: readonly string[], resolve: Resolve = lookup): Agent {
  return new Agent({
    connections: 4,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    connect(options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      const host = options.hostname
        .toLowerCase()
        .replace(/^\[|\]$/g, '')
        .replace(/\.+$/, '')
      const literal = classifyAddress(host)
      if (literal !== undefined && !isOpen(literal, { host, port }, allowed)) {
        callback(new WritError('HOST_FORBIDDEN', { place: `${host}:${port}` }), null)
        return
      }
      buildConnector({ timeout: CONNECT_MS, lookup: pinnedLookup(port, allowed, resolve) })(options, callback)
    },
  })
}
