/**
 * The part of `fetch` that the provider adapters use, over connections of our own: an eighth of the processor time of
 * the global one, and the place where idle connections time out. Through a proxy of the environment, over node:http.
 */
import { Buffer } from 'node:buffer'
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { why } from '../i18n/why.ts'
import { HttpBody } from './http-body.ts'
import { connectionTo, type Place } from './http-connection.ts'
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

interface Target {
  text: string
  url: URL
  place: Place
  /** The beginning of a request, after its method. */
  lines: string
  /** From the address. */
  login: Record<string, string>
  proxied: boolean
}

let last: Target | undefined

/** The same address is called at every step. */
function targetOf(text: string): Target {
  if (last?.text === text) return last
  const url = new URL(text)
  const { hostname, auth, path } = urlToHttpOptions(url)
  const isTls = url.protocol === 'https:'
  if (!isTls && url.protocol !== 'http:') throw new TypeError(`not an address of a server: ${url.protocol}`)
  const place = { isTls, host: hostname ?? '', port: Number(url.port || (isTls ? 443 : 80)) }
  const login: Record<string, string> = auth ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {}
  const lines = `${path} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`
  last = { text, url, place, lines, login, proxied: isProxied(url) }
  return last
}

/** Not for loopback addresses: Ollama and test servers. Node reads the exceptions. */
function isProxied({ hostname, protocol }: URL): boolean {
  const name = `${protocol.slice(0, -1)}_proxy`
  return !LOOPBACK.test(hostname) && Boolean(process.env[name] || process.env[name.toUpperCase()])
}

/** A `fetch` with timeouts before and after the headers. */
export function httpFetch(patience: Patience): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const target = targetOf(typeof input === 'object' && 'url' in input ? input.url : String(input))
      const signal = init?.signal ?? undefined
      if (signal?.aborted) return reject(signal.reason)
      const headers = (init?.headers ?? {}) as Record<string, string>
      const body = typeof init?.body === 'string' ? Buffer.from(init.body) : init?.body
      const request = {
        method: init?.method ?? 'GET',
        headers: body instanceof Uint8Array ? { ...headers, 'content-length': String(body.byteLength) } : headers,
        body: body instanceof Uint8Array ? body : undefined,
      }
      const { totalMs, idleMs } = patience
      const limit = setTimeout(() => exchange?.stop(tooLong(totalMs)), totalMs)
      const stop = () => exchange?.stop(abortError(signal))
      const settle = () => {
        clearTimeout(limit)
        signal?.removeEventListener('abort', stop)
      }
      signal?.addEventListener('abort', stop, { once: true })
      const fail = (error: Error) => {
        settle()
        reject(error)
      }
      const begin = target.proxied ? throughProxy : directly
      let exchange: Running | undefined
      try {
        exchange = begin(target, { request, outcome: { resolve, fail, settle }, idleMs })
      } catch (error) {
        fail(error as Error)
      }
    })
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')
}

interface Exchange {
  request: { method: string; headers: Record<string, string>; body: Uint8Array | undefined }
  idleMs: number | undefined
  outcome: {
    resolve(response: Response): void
    /** Before there is an answer. */
    fail(error: Error): void
    /** Ends the time limits: the answer is complete, or was left. */
    settle(): void
  }
}

interface Running {
  stop(why: Error): void
}

/** They would begin another line, and with it another header. */
const UNSAFE = /[^\t\x20-\x7e\x80-\xff]/

function headOf({ lines, login }: Target, { method, headers }: Exchange['request']): string {
  let head = `${method} ${lines}`
  const hasKey = 'authorization' in headers || 'Authorization' in headers
  for (const [name, value] of Object.entries(hasKey ? headers : { ...login, ...headers })) {
    if (value === undefined) continue
    if (UNSAFE.test(name) || UNSAFE.test(value))
      throw new ModelError(`the header "${name}" contains a character that is not allowed`, { retryable: false })
    head += `${name}: ${value}\r\n`
  }
  return `${head}\r\n`
}

function directly(target: Target, { request, outcome, idleMs }: Exchange): Running {
  const head = headOf(target, request)
  const connection = connectionTo(target.place)
  const body = new HttpBody({
    resume: () => connection.resume(),
    abandon() {
      outcome.settle()
      connection.destroy()
    },
  })
  let hasAnswer = false
  const listener = {
    onHead({ status, statusText, headers }: Omit<Answer, 'body'>) {
      hasAnswer = true
      outcome.resolve(responseOf({ status, statusText, headers, body }))
    },
    onPiece: (piece: Uint8Array) => body.push(piece),
    onEnd(failure?: Error) {
      outcome.settle()
      if (hasAnswer) body.end(failure)
      else outcome.fail(failure ?? new Error('the connection was closed'))
    },
    onSilence: () => connection.destroy(tooSilent(idleMs ?? 0)),
  }
  connection.send(head, { body: request.body, listener, idleMs })
  return { stop: (why) => connection.destroy(why) }
}

const agents = new Map<string, HttpAgent | HttpsAgent>()

function throughProxy({ url }: Target, { request, outcome, idleMs }: Exchange): Running {
  // Importing node:http would read all its exports, and one of them loads the global `fetch` with all its parts.
  const { request: open, Agent } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const agent = agents.get(url.protocol) ?? new Agent({ keepAlive: true, proxyEnv: process.env })
  agents.set(url.protocol, agent)
  const { method, headers } = request
  const sent = open({ ...urlToHttpOptions(url), agent, method, headers })
  let ended: Error | undefined
  const stop = (why: Error) => {
    ended = why
    sent.destroy(why)
  }
  if (idleMs !== undefined) sent.setTimeout(idleMs, () => stop(tooSilent(idleMs)))
  sent.on('error', (error) => outcome.fail(ended ?? error))
  sent.on('response', (incoming) => {
    const body = new HttpBody({
      resume: () => incoming.resume(),
      abandon() {
        outcome.settle()
        sent.destroy()
      },
    })
    incoming.on('data', (piece: Uint8Array) => {
      if (!body.push(piece)) incoming.pause()
    })
    const end = (failure?: Error) => {
      outcome.settle()
      body.end(failure)
    }
    incoming.on('end', () => end())
    incoming.on('error', (error) => end(ended ?? error))
    const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
    const fields = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
    outcome.resolve(responseOf({ status, statusText, headers: new Map(fields), body }))
  })
  sent.end(request.body)
  return { stop }
}

interface Answer {
  status: number
  statusText: string
  headers: ReadonlyMap<string, string>
  body: HttpBody
}

/** Not a real Response: creating one with Headers and web streams is most of the cost of the global fetch. */
class HttpResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: HttpHeaders
  readonly body: HttpBody

  constructor({ status, statusText, headers, body }: Answer) {
    this.ok = status >= 200 && status < 300
    this.status = status
    this.statusText = statusText
    this.headers = new HttpHeaders(headers)
    this.body = body
  }

  text(): Promise<string> {
    return this.body.text()
  }
}

class HttpHeaders {
  readonly #fields: ReadonlyMap<string, string>

  constructor(fields: ReadonlyMap<string, string>) {
    this.#fields = fields
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase()) ?? null
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#fields[Symbol.iterator]()
  }
}

function responseOf(answer: Answer): Response {
  return new HttpResponse(answer) as unknown as Response
}
