/** Client of a Writ server, typed by its contract. Runs in browsers and in Node; needs only fetch. */
import { present } from '../base/present.ts'
import type { BodyOf, Contract, ParamsOf, QueryOf, Returned, RouteKey } from './contract/contract.ts'
import type { Problem } from './contract/route.ts'

/** A part of an input; absent where the endpoint has none. */
export type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : keyof T extends never
    ? unknown
    : { [K in Name]: T }
/** A part of an input that may be left out; absent where the endpoint has none. */
export type OptionalPart<Name extends string, T> = [T] extends [never] ? unknown : { [K in Name]?: T }

/** Input of a call: path parameters, query and body. */
export type CallInput<K extends RouteKey> = Part<'params', ParamsOf<K>> &
  OptionalPart<'query', QueryOf<K>> &
  Part<'body', BodyOf<K>> & { signal?: AbortSignal }

/** The endpoints that can answer with a stream of events. */
export type StreamKey = { [K in RouteKey]: Contract[K] extends { streams: true } ? K : never }[RouteKey]

/** One server-sent event. Only stored events have an id; send it as `lastEventId` to continue after that event. */
export interface Frame {
  id?: string
  event: string
  data: unknown
}

/**
 * What the server answered instead: its status, and its code, message and hint.
 *
 * @example
 * ```ts
 * import { ApiError, createClient } from 'writ/client'
 *
 * const client = createClient({ base: process.env.WRIT_URL ?? '', token: () => 'wrong' })
 * try {
 *   await client.call('GET /api/info', {})
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error
 *   console.log(error.status, error.code) // 401 BAD_TOKEN
 * }
 * ```
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly field: string | undefined
  readonly problems: readonly Problem[]
  readonly retryAfterS: number | undefined

  constructor(status: number, body: unknown, retryAfter: string | null) {
    const { error, problems } = body as {
      error?: { code?: string; message?: string; hint?: string; field?: string }
      problems?: Problem[]
    }
    super(error?.message ?? `HTTP status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = error?.code ?? 'HTTP_ERROR'
    this.hint = error?.hint
    this.field = error?.field
    this.problems = problems ?? []
    this.retryAfterS = retryAfter === null ? undefined : Number(retryAfter)
  }
}

/** Where the server is, and who calls. */
export interface ClientOptions {
  /** `http://127.0.0.1:4770`; empty where the page came from the server itself. */
  base?: string
  /** Called for every request, so signing in again needs no new client. */
  token(): string | undefined
  /** Language of responses and of the runs started by this client: `en` or `zh`. */
  lang?(): string
}

/** Calls the endpoints of a server; input and output are typed by its contract. */
export interface Client {
  call<K extends RouteKey>(key: K, input: CallInput<K>): Promise<Returned<K>>
  /** The bytes of an answer that is neither JSON nor text. */
  file(key: 'GET /api/runs/:id/files/:sha256', input: CallInput<'GET /api/runs/:id/files/:sha256'>): Promise<Blob>
  /** Ends when the server ends the stream; throws when the connection breaks. */
  stream<K extends StreamKey>(key: K, input: CallInput<K> & { lastEventId?: string }): AsyncGenerator<Frame, void>
}

interface Loose {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
  lastEventId?: string
}

/**
 * A client of the server at `base`. Needs only `fetch`.
 *
 * @example
 * ```ts
 * import { createClient } from 'writ/client'
 *
 * const client = createClient({ base: process.env.WRIT_URL ?? '', token: () => process.env.WRIT_TOKEN })
 * const { sessionId } = await client.call('POST /api/sessions', {})
 * const { reply } = await client.call('POST /api/sessions/:id/messages', {
 *   params: { id: sessionId },
 *   body: { text: 'read notes.txt' },
 * })
 * console.log(reply.includes('buy milk')) // true
 * ```
 */
export function createClient({ base = '', token, lang }: ClientOptions): Client {
  async function send(key: string, input: Loose, accept: string): Promise<Response> {
    const [method = 'GET', path = '/'] = key.split(' ')
    const bearer = token()
    const response = await fetch(`${base}${addressOf(path, input)}`, {
      method,
      headers: present({
        accept,
        'accept-language': lang?.(),
        authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
        'content-type': input.body === undefined ? undefined : 'application/json',
        'last-event-id': input.lastEventId,
      }),
      ...present({ body: input.body === undefined ? undefined : JSON.stringify(input.body), signal: input.signal }),
    })
    if (response.ok) return response
    const body = await response.json().catch(() => ({}))
    throw new ApiError(response.status, body, response.headers.get('retry-after'))
  }
  return {
    async call(key, input) {
      const response = await send(key, input as Loose, 'application/json')
      const json = response.headers.get('content-type')?.includes('application/json') === true
      return (json ? await response.json() : await response.text()) as never
    },
    file: async (key, input) => (await send(key, input, '*/*')).blob(),
    async *stream(key, input) {
      const response = await send(key, input as Loose, 'text/event-stream')
      if (response.body !== null) yield* framesOf(response.body)
    },
  }
}

function addressOf(path: string, { params = {}, query = {} }: Loose): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

/** A frame ends with an empty line; an incomplete one at the end of the stream is dropped. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = frameOf(block)
        if (frame !== undefined) yield frame
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function frameOf(block: string): Frame | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    // A line that starts with a colon is a heartbeat.
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`
  }
  if (fields.data === undefined) return undefined
  const { id, event = 'message', data } = fields
  return { ...present({ id }), event, data: JSON.parse(data) }
}
