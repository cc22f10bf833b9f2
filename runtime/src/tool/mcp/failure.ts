/** Turns connection failures into errors that a person can act on. */
import { messageOf } from '../../base/errors.ts'
import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'

const MAX_CHARS = 1_000

/** For connecting and signing in, however long a call may take. */
export const CONNECT_MS = 20_000

/** Errors that retrying does not fix. */
const FINAL = new Set(['MCP_NOT_STARTED', 'MCP_UNAUTHORIZED', 'MCP_LOGIN', 'MCP_VARIABLE_MISSING', 'HOST_FORBIDDEN'])

export function isFinal({ code }: WritError): boolean {
  return FINAL.has(code)
}

export function failureOf(error: unknown, server: string): WritError {
  const chain = causes(error)
  const known = chain.find((one) => one instanceof WritError)
  if (known !== undefined) return known
  const codes = chain.map((one) => String((one as { code?: unknown }).code))
  const status = chain.map((one) => (one as { status?: unknown }).status).find((one) => typeof one === 'number')
  const why = clip(chain.map(messageOf).at(-1) ?? '', MAX_CHARS)
  const options = { cause: error }

  if (codes.includes('ENOENT') || codes.includes('EACCES'))
    return new WritError('MCP_NOT_STARTED', { server, why }, options)
  if (status === 401 || status === 403 || codes.includes('CLIENT_HTTP_AUTHENTICATION'))
    return new WritError('MCP_UNAUTHORIZED', { server }, options)
  if (codes.includes('REQUEST_TIMEOUT')) return new WritError('MCP_SILENT', undefined, options)
  if (codes.includes('CONNECTION_CLOSED') || codes.includes('EPIPE') || codes.includes('NOT_CONNECTED'))
    return new WritError('MCP_LOST', { why }, options)
  if (codes.includes('ECONNREFUSED') || codes.includes('ENOTFOUND'))
    return new WritError('MCP_UNREACHABLE', { why }, options)
  return new WritError('MCP_FAILED', { why }, options)
}

/** Before the connection is there, no call can have taken effect. */
export function connectFailure(error: unknown, server: string): WritError {
  const failure = failureOf(error, server)
  if (failure.code !== 'MCP_LOST') return failure
  return new WritError('MCP_LOST.connecting', { server, why: failure.message }, { cause: error })
}

/**
 * The server does not know the session, so it has not acted on the request. Some servers report this with 400 instead
 * of 404.
 */
export function isSessionUnknown(error: unknown): boolean {
  return causes(error).some((one) => {
    const { status } = one as { status?: unknown }
    return status === 404 || (status === 400 && /session/i.test(messageOf(one)))
  })
}

/** The error and what led to it: the message of the server is one of them. */
export function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (
    let one = error;
    one !== undefined && one !== null && chain.length < 5;
    one = (one as { cause?: unknown }).cause
  ) {
    chain.push(one)
  }
  return chain
}
