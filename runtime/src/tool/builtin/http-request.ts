import { Buffer } from 'node:buffer'
import type { Agent, Dispatcher } from 'undici'
import { messageOf } from '../../base/errors.ts'
import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'
import { matchesDomain } from '../../gate/domain.ts'
import type { Policy } from '../../protocol/policy.ts'
import { clipPreview } from '../../protocol/preview.ts'
import { faultIn } from '../error-text.ts'
import { isConnectionFailure } from '../guard/connection-failure.ts'
import { describeHost, hostAllowed, isOpen } from '../guard/hosts.ts'
import { defineTool, type ToolOutput, type World } from '../tool.ts'
import { answerText, readAnswer } from './http-answer.ts'

const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 5
const MAX_MS = 60_000
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'location',
  'last-modified',
  'etag',
  'retry-after',
  'link',
  'allow',
  'x-request-id',
  'x-total-count',
  'x-ratelimit-remaining',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Framing headers: a caller that sets them can smuggle a second request. */
const FRAMING = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
])
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

interface HttpRequestArgs {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

export const httpRequestTool = defineTool<HttpRequestArgs>({
  name: 'http_request',
  description:
    'Send an HTTP request and return status, main headers and body (up to 1 MB). Local and private addresses need permission.',
  schema: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 8000, description: 'http:// or https:// address.' },
      method: { type: 'string', enum: METHODS, description: 'GET when absent.' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { type: 'string' },
    },
    required: ['url'],
    additionalProperties: false,
  },
  family: 'network',
  risk: 'Low',
  trust: 'external',
  readOnly: false,
  touchesFiles: false,
  callMs: MAX_MS,

  check({ url, headers = {} }, { lang }) {
    const unfit = url === undefined ? undefined : faultIn(() => parseUrl(url), lang)
    return [
      ...(unfit === undefined ? [] : [{ key: 'url', message: unfit }]),
      ...[...headerProblems(headers)].map(({ key, error }) => ({ key, message: error.textIn(lang).message })),
    ]
  },

  outputs(text) {
    const answer = readAnswer(text)
    return answer && { values: { ...answer, text }, main: 'text' }
  },

  preValidate({ url, method = 'GET', headers, body }, world) {
    const host = describeHost(url, method)
    // A body on a GET sends data out like a POST.
    const reads = (method === 'GET' || method === 'HEAD') && body === undefined
    const lines = Object.entries(headers ?? {}).map(
      ([name, value]) => `${name}: ${PRIVATE_HEADERS.has(name.toLowerCase()) ? '***' : value}`,
    )
    return {
      risk: reads && hostAllowed(host.host, host.port, world.allowedHosts) ? 'Low' : 'Medium',
      readOnly: reads,
      hosts: [host],
      targets: [{ kind: 'url', value: url }],
      preview: clipPreview([`${method} ${url}`, ...lines, ...(body === undefined ? [] : ['', body])].join('\n'), 8_000),
    }
  },

  async execute(args, { world, policy, signal }): Promise<ToolOutput> {
    // Loaded on first use: every run lists this tool, few call it.
    const { guardedAgent } = await import('../guard/connect.ts')
    const agent = guardedAgent(world.allowedHosts)
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
    try {
      return await follow(args, { world, policy, agent, limit })
    } catch (error) {
      signal.throwIfAborted()
      return failure(error)
    } finally {
      await agent.destroy()
    }
  },
})

interface Session {
  world: World
  policy: Policy
  agent: Agent
  limit: AbortSignal
}

/** Redirects are followed here: each new address is judged like the first. */
async function follow(args: HttpRequestArgs, session: Session): Promise<ToolOutput> {
  const { request } = await import('undici')
  let method = args.method ?? 'GET'
  let url = checkUrl(args.url, method, session)
  let headers = checkHeaders(args.headers ?? {})
  let body = args.body
  for (let hops = 0; ; hops++) {
    const response = await request(url, {
      dispatcher: session.agent,
      method: method as 'GET',
      headers: { 'user-agent': 'writ', 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal: session.limit,
    })
    // Destroying an unread body emits an error, which must not be unhandled.
    response.body.on('error', () => {})
    const location = response.headers.location
    if (![301, 302, 303, 307, 308].includes(response.statusCode) || typeof location !== 'string')
      return describe(response, method)
    response.body.destroy()
    if (hops === MAX_REDIRECTS) throw new WritError('TOO_MANY_REDIRECTS', { most: MAX_REDIRECTS })
    if (!URL.canParse(location, url.href)) throw new WritError('BAD_REDIRECT', { location: clip(location, 200) })
    if (response.statusCode === 303 || ([301, 302].includes(response.statusCode) && method === 'POST')) {
      method = method === 'HEAD' ? 'HEAD' : 'GET'
      body = undefined
    }
    const next = checkUrl(new URL(location, url).href, method, session)
    if (next.origin !== url.origin) headers = withoutPrivate(headers)
    // The person approved another host, so this one gets no body.
    if (next.origin !== url.origin && body !== undefined) {
      throw new WritError('BAD_REDIRECT.body', { origin: next.origin })
    }
    url = next
  }
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new WritError('BAD_URL', { text: JSON.stringify(clip(text, 200)) })
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WritError('BAD_URL.scheme', { scheme: url.protocol })
  }
  if (url.username !== '' || url.password !== '') {
    throw new WritError('BAD_URL.credentials')
  }
  return url
}

/** Repeats the gate's check at the moment of use. */
function checkUrl(text: string, method: string, { world, policy }: Session): URL {
  const url = parseUrl(text)
  const { host, port, address } = describeHost(text, 'GET')
  if (address !== undefined && !isOpen(address, { host, port }, world.allowedHosts)) {
    throw new WritError('HOST_FORBIDDEN', { place: `${host}:${port}` })
  }
  const { allowedDomains, allowedMethods } = policy.security
  if (allowedDomains !== undefined && !allowedDomains.some((entry) => matchesDomain(entry, { host, port }))) {
    throw new WritError('DOMAIN_NOT_ALLOWED', { given: `${host}:${port}`, allowed: allowedDomains })
  }
  if (allowedMethods !== undefined && !allowedMethods.includes(method)) {
    throw new WritError('METHOD_NOT_ALLOWED', { given: method, allowed: allowedMethods })
  }
  url.hash = ''
  return url
}

function checkHeaders(headers: Record<string, string>): Record<string, string> {
  for (const { error } of headerProblems(headers)) throw error
  return headers
}

function* headerProblems(headers: Record<string, string>): Generator<{ key: string; error: WritError }> {
  for (const [name, value] of Object.entries(headers)) {
    const unfit = new WritError('BAD_HEADER', { name: JSON.stringify(clip(name, 80)) })
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) yield { key: 'headers', error: unfit }
    else if (FRAMING.has(name.toLowerCase())) {
      yield { key: 'headers', error: new WritError('BAD_HEADER.framing', { name }) }
    } else if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) yield { key: `headers.${name}`, error: unfit }
  }
}

function withoutPrivate(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name.toLowerCase())))
}

type Response = Dispatcher.ResponseData

async function describe(response: Response, method: string): Promise<ToolOutput> {
  const { statusCode: status, statusText } = response
  const { text: body, note } = method === 'HEAD' ? { text: '', note: '' } : await readBody(response)
  const headers = SHOWN_HEADERS.flatMap((name): [string, string][] => {
    const value = response.headers[name]
    return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
  })
  const whole = answerText({ status, statusText, headers, body, note })
  return status < 400
    ? { ok: true, text: whole }
    : { ok: false, error: `HTTP ${status} ${statusText}`.trim(), partial: whole }
}

async function readBody(response: Response): Promise<{ text: string; note: string }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, MAX_BYTES - bytes))
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
  }
  const body = Buffer.concat(chunks)
  const note = bytes > MAX_BYTES ? `\n[the body is longer than ${MAX_BYTES} bytes; the rest is left out]` : ''
  if (body.includes(0))
    return { text: `[binary body of ${bytes > MAX_BYTES ? 'more than ' : ''}${body.length} bytes]`, note: '' }
  return { text: new TextDecoder(charsetOf(response)).decode(body), note }
}

function charsetOf(response: Response): string {
  const type = response.headers['content-type']
  const name = /charset=["']?([\w-]+)/i.exec(typeof type === 'string' ? type : '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(name).encoding
  } catch {
    return 'utf-8'
  }
}

function failure(error: unknown): ToolOutput {
  const refused = [error, (error as { cause?: unknown }).cause].find((one) => one instanceof WritError)
  if (refused instanceof WritError) {
    return {
      ok: false,
      error: `${refused.message}. ${refused.hint}`,
      code: refused.code,
    }
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return {
    ok: false,
    error: isLate ? `no answer within ${MAX_MS} ms` : `the request failed: ${messageOf(error)}`,
    code: isLate ? 'TOOL_TIMEOUT' : 'TOOL_FAILED',
    ...(isConnectionFailure(error) && { notDone: true }),
  }
}
