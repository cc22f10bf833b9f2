/** Ports on a sandboxed command's loopback that lead to our Unix sockets outside. */
import { WritError } from '../../errors/writ-error.ts'
import { systemProgram } from './system-programs.ts'

export interface Relay {
  port: number
  /** A loopback address; 127.0.0.1 when absent. */
  host?: string
  socket: string
}

const SOCAT = systemProgram('socat') ?? 'socat'

/** Where the first program in the sandbox starts; after it, Unix sockets are blocked. */
const FIRST = / -- \S+ -c '/

/** Throws rather than start a command without its connection. */
export function withRelays(args: readonly string[], relays: readonly Relay[] = []): readonly string[] {
  if (relays.length === 0) return args
  const line = args.at(-1) ?? ''
  if (!FIRST.test(line) || relays.some(({ socket }) => !/^[\w./-]+$/.test(socket)))
    throw new WritError('SANDBOX_FULL.connection')
  const bridges = relays.map(({ port, host = '127.0.0.1', socket }) => {
    const listen = host.includes(':') ? `TCP6-LISTEN:${port},bind=[${host}]` : `TCP4-LISTEN:${port},bind=${host}`
    return `${SOCAT} ${listen},fork,reuseaddr UNIX-CONNECT:${socket} >/dev/null 2>&1 & `
  })
  return [...args.slice(0, -1), line.replace(FIRST, (start) => start + bridges.join('') + listening(relays))]
}

/** A command that starts earlier would get "connection refused". Only reads the list of ports; connects to nothing. */
function listening(relays: readonly Relay[]): string {
  const all = relays.map(({ port }) => `*:${port.toString(16).toUpperCase().padStart(4, '0')}\\ 0*:0000\\ 0A*`)
  const each = all.map((pattern) => `case "$open" in ${pattern}) ;; *) false ;; esac`).join(' && ')
  return `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do open=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null); { ${each}; } && break; sleep 0.05; done; `
}
