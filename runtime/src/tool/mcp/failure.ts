/** What went wrong between here and a server, in words a person can act on. */
import { messageOf, WritError } from '../../base/errors.ts'
import { clip } from '../../base/text.ts'

const MAX_CHARS = 1_000

/** Nothing changes by trying again. */
const FINAL = new Set(['MCP_NOT_STARTED', 'MCP_UNAUTHORIZED', 'MCP_VARIABLE_MISSING', 'HOST_FORBIDDEN'])

export function isFinal({ code }: WritError): boolean {
  return FINAL.has(code)
}

export function failureOf(error: unknown, server: string): WritError {
  const chain = causes(error)
  const known = chain.find((one) => one instanceof WritError)
  if (known !== undefined) return known
  const codes = chain.map((one) => String((one as { code?: unknown }).code))
  const status = chain.map((one) => (one as { status?: unknown }).status).find((one) => typeof one === 'number')
  const says = (code: string, fact: string, hint?: string) =>
    new WritError(code, fact, { ...(hint === undefined ? {} : { hint }), cause: error })
  const detail = clip(chain.map(messageOf).at(-1) ?? '', MAX_CHARS)

  if (codes.includes('ENOENT') || codes.includes('EACCES')) {
    return says(
      'MCP_NOT_STARTED',
      detail,
      `Correct agent.mcp.servers.${server}: its command or its folder is not there.`,
    )
  }
  if (status === 401 || status === 403 || codes.includes('CLIENT_HTTP_AUTHENTICATION')) {
    return says(
      'MCP_UNAUTHORIZED',
      'it asks for other credentials',
      `Name them in agent.mcp.servers.${server}.headers. Signing in through a browser is not supported.`,
    )
  }
  if (codes.includes('REQUEST_TIMEOUT')) return says('MCP_SILENT', 'no answer in time')
  if (codes.includes('CONNECTION_CLOSED') || codes.includes('EPIPE') || codes.includes('NOT_CONNECTED')) {
    return says('MCP_LOST', detail, 'Whether the call took effect is unknown. The next call starts the server again.')
  }
  if (codes.includes('ECONNREFUSED') || codes.includes('ENOTFOUND')) {
    return says('MCP_UNREACHABLE', detail, 'Is it running?')
  }
  return says('MCP_FAILED', detail)
}

/** The server does not know the session, so it has not acted on the request either. Not all say so with a 404. */
export function isForgotten(error: unknown): boolean {
  return causes(error).some((one) => {
    const { status } = one as { status?: unknown }
    return status === 404 || (status === 400 && /session/i.test(messageOf(one)))
  })
}

function causes(error: unknown): unknown[] {
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
