/** Signing in to a server over HTTP with OAuth: the client library does it, this keeps what it needs. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../base/json.ts'
import { packageVersion } from '../../base/package.ts'
import { orAborted } from '../../base/wait.ts'
import { readLogins, type StoredLogin, storeLogin } from '../../config/mcp-logins.ts'
import { WritError } from '../../errors/writ-error.ts'
import { CONNECT_MS } from './failure.ts'
import { httpLink } from './http.ts'
import { loginFailure } from './login-failure.ts'

type Kept<Name extends 'clientInformation' | 'tokens'> = Awaited<ReturnType<OAuthClientProvider[Name]>>

interface Keeping {
  server: string
  login: StoredLogin
  save(login: StoredLogin): Promise<void>
  redirectUrl: string
  state?: string
  /** Absent: no person can sign in now. */
  onAddress?(address: URL): void
}

function provider({ server, login, save, redirectUrl, state = '', onAddress }: Keeping): OAuthClientProvider {
  let held = login
  let verifier = ''
  const keep = (part: Partial<StoredLogin>) => {
    held = { ...held, ...part }
    return save(held)
  }
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Writ',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => held.client as Kept<'clientInformation'>,
    saveClientInformation: (client) => keep({ client: { ...client } as JsonObject }),
    tokens: () => held.tokens as Kept<'tokens'>,
    saveTokens: (tokens) => keep({ tokens: { ...tokens } as JsonObject }),
    discoveryState: () => held.discovery as never,
    saveDiscoveryState: (discovery) => keep({ discovery: { ...discovery } as unknown as JsonObject }),
    invalidateCredentials: (scope) =>
      keep({
        ...((scope === 'all' || scope === 'client') && { client: undefined }),
        ...((scope === 'all' || scope === 'tokens') && { tokens: undefined }),
        ...((scope === 'all' || scope === 'discovery') && { discovery: undefined }),
      }),
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given
    },
    redirectToAuthorization(address) {
      if (onAddress === undefined) throw new WritError('MCP_LOGIN', { server })
      onAddress(address)
    },
  }
}

/** For a server that was signed in to; undefined for any other. */
export async function storedLogin(file: string, server: string, url: string): Promise<OAuthClientProvider | undefined> {
  const login = (await readLogins(file))[server]
  if (login?.tokens === undefined || login.url !== url) return undefined
  // Never opened: without an address it would count as a client that signs in by itself.
  const redirectUrl = 'http://127.0.0.1/callback'
  return provider({ server, login, redirectUrl, save: (changed) => storeLogin(file, server, changed) })
}

export interface SignIn {
  server: string
  url: string
  file: string
  /** The page to open in a browser. */
  onAddress(address: URL): void
  /** Shown in the browser at the end. */
  page: string
  timeoutMs: number
  signal: AbortSignal
}

/** False: the server wants no sign-in. Nothing is stored before it has worked. */
export async function signIn({ server, url, file, onAddress, page, timeoutMs, signal }: SignIn): Promise<boolean> {
  const state = randomBytes(16).toString('base64url')
  const callback = await openCallback(state, page)
  let login: StoredLogin = { url }
  const save = async (changed: StoredLogin) => {
    login = changed
  }
  const own = provider({ server, login, save, redirectUrl: callback.url, state, onAddress })
  const { transport, release } = httpLink(url, {}, own)
  const client = new Client({ name: 'writ', version: packageVersion() })
  try {
    const isOpen = await answered(client.connect(transport, { signal }), { server, timeoutMs, signal }).then(
      () => true,
      (error) => (error instanceof UnauthorizedError ? false : Promise.reject(error)),
    )
    if (isOpen) return false
    const answer = await orAborted(callback.answer, signal)
    const refused = answer.get('error')
    if (refused !== null) throw new WritError('MCP_LOGIN_REFUSED', { server, why: refused })
    await answered(transport.finishAuth(answer), { server, timeoutMs, signal })
    await storeLogin(file, server, login)
    return true
  } catch (error) {
    throw signal.aborted ? error : loginFailure(error, server)
  } finally {
    callback.close()
    await client.close().catch(() => {})
    await release()
  }
}

/** A server that accepts a connection and says nothing would keep the command for ever. */
async function answered<T>(
  work: Promise<T>,
  { server, timeoutMs, signal }: Pick<SignIn, 'server' | 'timeoutMs' | 'signal'>,
): Promise<T> {
  const ms = Math.min(CONNECT_MS, timeoutMs)
  const late = AbortSignal.timeout(ms)
  try {
    return await orAborted(work, AbortSignal.any([signal, late]))
  } catch (error) {
    if (late.aborted) throw new WritError('MCP_SILENT.connecting', { server, ms }, { cause: error })
    throw error
  }
}

/** Where the browser comes back to: this machine alone, and only with the state that was sent. */
async function openCallback(state: string, page: string) {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = pathname === '/callback' && searchParams.get('state') === state
    response.writeHead(isOurs ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    response.end(isOurs ? page : '')
    if (isOurs) resolve(searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/callback`, answer, close: () => server.close() }
}
