/** The only way out to the network: every connection is judged by the address it really reaches. */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { WritError } from '../../base/errors.ts'
import { classifyAddress, isOpen } from './hosts.ts'

const CONNECT_MS = 10_000

/** How names become addresses; the system's own way unless a caller brings another. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Refuses unless every address of a name is open: one private address among public ones is a rebinding attack. */
function pinnedLookup(port: number, allowed: readonly string[], resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true, order: 'verbatim' }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const place = { host: hostname.toLowerCase().replace(/\.+$/, ''), port }
      const closed = addresses.find(({ address }) => !isOpen(classifyAddress(address) ?? 'reserved', place, allowed))
      if (closed !== undefined) return callback(forbidden(hostname, closed.address), '', 0)
      const first = addresses[0]
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '', 0)
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}

function forbidden(host: string, address: string): WritError {
  return new WritError('HOST_FORBIDDEN', `${host} leads to ${address}, which is not a public address`, {
    hint: 'Loopback and private services open only by naming host:port in allowedHosts; metadata services never.',
  })
}

/** A dispatcher for undici; a literal address never reaches `lookup`, so the connector looks at it first. */
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
        callback(forbidden(host, host), null)
        return
      }
      buildConnector({ timeout: CONNECT_MS, lookup: pinnedLookup(port, allowed, resolve) })(options, callback)
    },
  })
}
