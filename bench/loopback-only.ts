/**
 * Loaded before every contender. Some peers send telemetry or fetch price lists; a benchmark must neither send nor
 * measure that traffic, so connections to other machines fail and are listed in the results.
 */
import net from 'node:net'

const refused = new Set<string>()
const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket

function hostOf(args: unknown[]): string {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && first.path) return 'localhost'
    return 'host' in first && first.host ? String(first.host) : 'localhost'
  }
  return typeof args[1] === 'string' ? args[1] : 'localhost'
}

net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
  const host = hostOf(args)
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return connect.apply(this, args)
  refused.add(host)
  queueMicrotask(() => this.destroy(new Error(`the benchmark refuses connections to ${host}`)))
  return this
}

export function listRefused(): string[] {
  return [...refused]
}
