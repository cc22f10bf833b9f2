/** Keeps one server at hand: connects at the first use, again after a loss, and never twice at once. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { WritError } from '../../base/errors.ts'
import type { McpServer } from '../../config/schema.ts'
import type { Definition } from './definition.ts'
import { failureOf, isFinal, isForgotten } from './failure.ts'
import type { Link, Surroundings } from './link.ts'

/** Pauses before the second and the third attempt. */
const PAUSES_MS = [250, 1_000]
const CONNECT_MS = 20_000

/** What the server told of its tools, and the same server as of then: a later one may have changed them. */
export interface Session {
  definitions: readonly Definition[]
  /** Fails with MCP_STALE, the server not having acted, when it is no longer the one that was asked. */
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>
}

export interface ConnectionState {
  connected: boolean
  problem?: WritError
  /** Of the tools that the server last listed. */
  leftOut: number
}

export interface Connection {
  /** Tools are asked for once per connection and after every notice of a change. */
  session(signal?: AbortSignal): Promise<Session>
  state(): ConnectionState
  close(): Promise<void>
}

export function openConnection(name: string, server: McpServer, around: Surroundings): Connection {
  const shut = new AbortController()
  let opening: Promise<Link> | undefined
  let live: Link | undefined
  let problem: WritError | undefined

  async function establish(): Promise<Link> {
    const { openLink } = await import('./link.ts')
    const limit = AbortSignal.any([shut.signal, AbortSignal.timeout(CONNECT_MS)])
    for (let attempt = 0; ; attempt++) {
      try {
        return await openLink(server, around, limit)
      } catch (error) {
        const failure = failureOf(error, name)
        const pause = PAUSES_MS[attempt]
        if (isFinal(failure) || pause === undefined || limit.aborted) throw failure
        await delay(pause, undefined, { signal: limit }).catch(() => {})
      }
    }
  }

  async function link(signal: AbortSignal | undefined): Promise<Link> {
    if (shut.signal.aborted) throw new WritError('MCP_CLOSED', `MCP server ${name} was put away`)
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
    if (at.lost) throw stale(name)
    try {
      return await act()
    } catch (error) {
      signal?.throwIfAborted()
      if (!isForgotten(error)) throw failureOf(error, name)
      await at.close().catch(() => {})
      throw stale(name)
    }
  }

  return {
    async session(signal) {
      const at = await link(signal)
      const definitions = await settle(signal, at, () => unlessAborted(at.list(), signal))
      return {
        definitions,
        call: (tool, args, callSignal) => settle(callSignal, at, () => at.call(tool, args, callSignal)),
      }
    },
    state: () => ({
      connected: live !== undefined && !live.lost,
      leftOut: live?.leftOut ?? 0,
      ...(problem === undefined ? {} : { problem }),
    }),
    async close() {
      shut.abort()
      await opening?.catch(() => {})
      await live?.close().catch(() => {})
    },
  }
}

function stale(name: string): WritError {
  return new WritError('MCP_STALE', `MCP server ${name} was started anew in between`, { hint: 'Call it again.' })
}

/** The connection is everybody's: one caller who gives up does not end it for the others. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
