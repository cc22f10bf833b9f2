/**
 * The part of `fetch` that the provider adapters use, over node:http with keep-alive sockets: a third less processor
 * time per call than the global one, and the place where idle connections time out.
 */
import type { ClientRequest, Agent as HttpAgent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { why } from '../i18n/why.ts'
import { ModelError } from './model.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** A server that sent nothing for too long; a retry may help. */
function tooSilent(idleMs: number): ModelError {
  return new ModelError(why('providerSilent', { ms: idleMs }), { retryable: true })
}

/** An answer that took too long as a whole. Not retryable: the model would take as long again, at the same cost. */
function tooLong(totalMs: number): ModelError {
  return new ModelError(why('noAnswerWithin', { ms: totalMs }), { retryable: false })
}

/** `totalMs`: for the whole exchange; a model may think for ever. `idleMs`: between two pieces of a stream. */
export interface Patience {
  totalMs: number
  idleMs?: number
}

const agents = new Map<string, HttpAgent | HttpsAgent>()

/** Importing node:http would read all its exports, and one of them loads the global `fetch` with all its parts. */
function protocolOf(url: URL) {
  return process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
}

// A proxy from the environment is not used for loopback addresses: Ollama and test servers.
function agentFor(url: URL): HttpAgent | HttpsAgent {
  const local = LOOPBACK.test(url.hostname)
  const key = `${local} ${url.protocol}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const { Agent } = protocolOf(url)
  const agent = new Agent({ keepAlive: true, ...(!local && { proxyEnv: process.env }) })
  agents.set(key, agent)
  return agent
}

interface Target {
  text: string
  protocol: ReturnType<typeof protocolOf>
  options: { agent: HttpAgent | HttpsAgent } & ReturnType<typeof urlToHttpOptions>
}

let last: Target | undefined

/** The same address is called at every step. */
function targetOf(text: string): Target {
  if (last?.text === text) return last
  const url = new URL(text)
  last = { text, protocol: protocolOf(url), options: { ...urlToHttpOptions(url), agent: agentFor(url) } }
  return last
}

/** A `fetch` with timeouts before and after the headers. */
export function httpFetch(patience: Patience): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const { protocol, options } = targetOf(typeof input === 'object' && 'url' in input ? input.url : String(input))
      const signal = init?.signal ?? undefined
      if (signal?.aborted) return reject(signal.reason)
      const body = typeof init?.body === 'string' || init?.body instanceof Uint8Array ? init.body : undefined
      const request = protocol.request({
        ...options,
        method: init?.method ?? 'GET',
        headers: {
          ...(init?.headers as Record<string, string>),
          ...(body && { 'content-length': Buffer.byteLength(body) }),
        },
      })
      const end = (why: Error) => {
        exchange.ended = why
        request.destroy(why)
      }
      const stop = () => end(abortError(signal))
      const { totalMs, idleMs } = patience
      const limit = setTimeout(() => end(tooLong(totalMs)), totalMs)
      if (idleMs !== undefined) request.setTimeout(idleMs, () => end(tooSilent(idleMs)))
      const exchange: Exchange = {
        request,
        settle() {
          clearTimeout(limit)
          signal?.removeEventListener('abort', stop)
        },
      }
      signal?.addEventListener('abort', stop, { once: true })
      request.on('error', (error) => {
        exchange.settle()
        reject(error)
      })
      request.on('response', (incoming) => resolve(responseOf(incoming, exchange)))
      request.end(body)
    })
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')
}

interface Exchange {
  request: ClientRequest
  /** Why it was closed; the socket error does not contain the reason. */
  ended?: Error
  settle(): void
}

const UTF8 = new TextDecoder()

// Not a real Response: creating one with Headers and web streams is most of the cost of the global fetch.
function responseOf(incoming: IncomingMessage, exchange: Exchange): Response {
  const status = incoming.statusCode ?? 0
  const body = { getReader: () => readerOf(incoming, exchange) }
  const response = {
    ok: status >= 200 && status < 300,
    status,
    statusText: incoming.statusMessage ?? '',
    headers: new HeaderView(incoming.headers),
    body,
    async text() {
      const reader = body.getReader()
      const parts: Uint8Array[] = []
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) parts.push(chunk.value)
      return UTF8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    },
  }
  return response as unknown as Response
}

class HeaderView {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    return this.#headers[name.toLowerCase()]?.toString() ?? null
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers)) if (value !== undefined) yield [name, value.toString()]
  }
}

type Chunk = { done: false; value: Uint8Array } | { done: true; value: undefined }

function readerOf(incoming: IncomingMessage, exchange: Exchange) {
  const queue: Uint8Array[] = []
  let failure: Error | undefined
  let waiting: { resolve(chunk: Chunk): void; reject(error: Error): void } | undefined
  const finish = () => {
    exchange.settle()
    const reader = waiting
    waiting = undefined
    if (failure) reader?.reject(failure)
    else reader?.resolve({ done: true, value: undefined })
  }
  incoming.on('data', (value: Uint8Array) => {
    const reader = waiting
    waiting = undefined
    if (reader) return reader.resolve({ done: false, value })
    queue.push(value)
    incoming.pause()
  })
  incoming.on('end', finish)
  incoming.on('error', (error) => {
    failure = exchange.ended ?? error
    finish()
  })
  return {
    read(): Promise<Chunk> {
      const value = queue.shift()
      if (value) return Promise.resolve({ done: false, value })
      if (failure) return Promise.reject(failure)
      if (incoming.readableEnded) return Promise.resolve({ done: true, value: undefined })
      if (incoming.destroyed) return Promise.reject(exchange.ended ?? new Error('the connection closed'))
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        incoming.resume()
      })
    },
    // An answer that is not read to its end would keep its socket, and the provider would charge for the rest.
    async cancel() {
      exchange.settle()
      if (!incoming.readableEnded) exchange.request.destroy()
    },
    releaseLock() {},
  }
}
