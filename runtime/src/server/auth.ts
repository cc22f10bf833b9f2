/** Access checks that run before the rest of a request is read: server name, origin, token, rate limits. */
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { sha256 } from '../base/hash.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Scope } from './contract/route.ts'
import { Refusal } from './failure.ts'
import { type Limits, MAX_STREAMS } from './limits.ts'
import type { Log } from './log.ts'
import type { Caller, Keyring } from './tokens.ts'

declare module 'hono' {
  interface ContextVariableMap {
    who: Caller
    /** Language of the response. */
    lang: Lang
    /** Whether the token of the request is still valid. */
    isTokenValid: () => Promise<boolean>
    /** Reserves one of the caller's event streams; the returned function releases it. */
    reserveStream: () => () => void
    /** For the log line of the request. */
    runId: string
    sessionId: string
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Defends against DNS rebinding and cross-site requests: a malicious page can make a browser call this server under any
 * name that resolves here, but cannot forge the Host, Origin and Sec-Fetch-Site headers.
 */
export function checkNames(allowedHosts: readonly string[]): MiddlewareHandler {
  const known = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())])
  return async (c, next) => {
    const host = c.req.header('host')?.toLowerCase() ?? ''
    if (!known.has(nameOf(host)) && !known.has(host)) {
      throw new WritError('HOST_FORBIDDEN.server', { host })
    }
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const foreign = origin !== undefined ? URL.parse(origin)?.host !== host : site === 'cross-site' && !isNavigation(c)
    if (foreign) throw new WritError('ORIGIN_FORBIDDEN', { origin: origin ?? null })
    await next()
  }
}

/** A link to the console from another site is harmless: it carries no token. */
function isNavigation(c: Context): boolean {
  return c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate'
}

/** Without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

export interface AuthDeps {
  keyring: Keyring
  limits: Limits
  log: Log
}

/** The peer address of the connection. Headers that claim another are ignored. */
export function addressOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? 'unknown'
}

export function requireScope({ keyring, limits, log }: AuthDeps, known: Set<string>) {
  async function callerOf(c: Context): Promise<Caller> {
    const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (secret === undefined) throw new WritError('NO_TOKEN')
    const address = addressOf(c)
    const hash = sha256(secret)
    const retryAfterS = limits.waitOf(address)
    // Slows down guessing. Tokens that were valid before are exempt, so an attacker at the same address cannot lock them out.
    if (retryAfterS > 0 && !known.has(hash)) throw new Refusal('TOO_MANY_FAILURES', undefined, { retryAfterS })
    const who = await keyring.find(secret)
    if (who !== undefined) {
      known.add(hash)
      c.set('isTokenValid', async () => (await keyring.find(secret)) !== undefined)
      return who
    }
    known.delete(hash)
    log('warn', 'auth.failed', { address, failures: limits.failed(address), path: c.req.path })
    throw new WritError('BAD_TOKEN')
  }

  /** Repeated calls for one request reserve only one stream. */
  function streamReservation(tokenId: string): () => () => void {
    let release: (() => void) | undefined
    return () => {
      release ??= limits.openStream(tokenId)
      if (release !== undefined) return release
      throw new Refusal('TOO_MANY_STREAMS', { max: MAX_STREAMS }, { retryAfterS: 5 })
    }
  }

  return (scope: Scope): MiddlewareHandler =>
    async (c, next) => {
      const who = await callerOf(c)
      const retryAfterS = limits.spend(who.id)
      if (retryAfterS > 0) throw new Refusal('TOO_MANY_REQUESTS', undefined, { retryAfterS })
      if (!who.scopes.has(scope)) {
        log('warn', 'auth.scope', { token: who.name, scope, path: c.req.path })
        throw new WritError('SCOPE_MISSING', { scope })
      }
      c.set('who', who)
      c.set('reserveStream', streamReservation(who.id))
      await next()
    }
}

/** The console loads only its own files, cannot be framed, and content types are not sniffed. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}
