/**
 * The connection to one server: connects on first use, reconnects after a loss, and never connects twice at the same
 * time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Definition } from './definition.ts'
import { CONNECT_MS, connectFailure, failureOf, isFinal, isSessionUnknown } from './failure.ts'
import type { CallOptions, Link, LinkDeps, Peer } from './link.ts'

/** Pauses before the second and third attempts. */
const PAUSES_MS = [250, 1_000]

/** The tools a server listed, bound to the server that listed them: a restarted one may have changed them. */
export interface Session {
  definitions: readonly Definition[]
  /** Fails with MCP_STALE when the server was restarted since; then the server has not acted. */
  call(tool: string, args: Record<string, unknown>, how: CallOptions): Promise<CallToolResult>
}

export interface ConnectionState {
  connected: boolean
  problem?: WritError | undefined
  /** Tools of the last listing that exceed the limit. */
  leftOut: number
}

export interface Connection {
  /** Tools are listed once per connection, and again after each change notification. */
  session(signal?: AbortSignal): Promise<Session>
  /** The server beside its tools. */
  peer(signal?: AbortSignal): Promise<Peer>
  state(): ConnectionState
  close(): Promise<void>
}

export function openConnection(name: string, server: McpServer, deps: Omit<LinkDeps, 'ms' | 'name'>): Connection {
  const shut = new AbortController()
  let opening: Promise<Link> | undefined
  let live: Link | undefined
  let problem: WritError | undefined

  async function establish(): Promise<Link> {
    const { openLink } = await import('./link.ts')
    const ms = Math.min(CONNECT_MS, server.timeoutMs)
    const late = AbortSignal.timeout(ms)
    const limit = AbortSignal.any([shut.signal, late])
    for (let attempt = 0; ; attempt++) {
      try {
        return await openLink(server, { ...deps, ms, name }, limit)
      } catch (error) {
        if (late.aborted) throw new WritError('MCP_SILENT.connecting', { server: name, ms }, { cause: error })
        const failure = connectFailure(error, name)
        const pause = PAUSES_MS[attempt]
        if (isFinal(failure) || pause === undefined || limit.aborted) throw failure
        await delay(pause, undefined, { signal: limit }).catch(() => {})
      }
    }
  }

  async function link(signal: AbortSignal | undefined): Promise<Link> {
    if (shut.signal.aborted) throw new WritError('MCP_CLOSED', { server: name })
    if (live !== undefined && !live.lost) return live
    opening ??= establish()
      .then(
        (link) => {
          live = link
          problem = undefined
          return link
        },
        (error: WritError) => {
          problem = error
          throw error
        },
      )
      .finally(() => {
        opening = undefined
      })
    return unlessAborted(opening, signal)
  }

  async function settle<T>(signal: AbortSignal | undefined, at: Link, act: () => Promise<T>): Promise<T> {
    if (at.lost) throw new WritError('MCP_STALE', { server: name })
    try {
      return await act()
    } catch (error) {
      signal?.throwIfAborted()
      if (!isSessionUnknown(error)) throw failureOf(error, name)
      await at.close().catch(() => {})
      throw new WritError('MCP_STALE', { server: name })
    }
  }

  return {
    async session(signal) {
      const at = await link(signal)
      const definitions = await settle(signal, at, () => unlessAborted(at.list(), signal))
      return {
        definitions,
        call: (tool, args, how) => settle(how.signal, at, () => at.call(tool, args, how)),
      }
    },
    async peer(signal) {
      const at = await link(signal)
      return {
        ...at.peer,
        request: (method, params, how) => settle(how.signal, at, () => at.peer.request(method, params, how)),
      }
    },
    state: () => ({
      connected: live !== undefined && !live.lost,
      leftOut: live?.leftOut ?? 0,
      problem,
    }),
    async close() {
      shut.abort()
      await opening?.catch(() => {})
      await live?.close().catch(() => {})
    },
  }
}

/** The connection is shared: one caller that gives up must not end it for the others. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
