/** Who may come in: names, pages and tokens are looked at before anything of a request is. */
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { sha256 } from '../base/hash.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Scope } from './contract/route.ts'
import { Refusal } from './failure.ts'
import { type Limits, MAX_STREAMS } from './limits.ts'
import type { Log } from './log.ts'
import type { Caller, Keyring } from './tokens.ts'

declare module 'hono' {
  interface ContextVariableMap {
    who: Caller
    /** In which it is answered. */
    lang: Lang
    /** Whether the token of the request is still good. */
    isStillIn: () => Promise<boolean>
    /** Takes one of the caller's streams before anything is begun for it; what it returns gives it back. */
    holdStream: () => () => void
    /** For the log line of the request. */
    runId: string
    sessionId: string
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * A page of a stranger's can make a browser call this server under any name that leads here. It cannot make the
 * browser lie about that name, nor about where the page came from.
 */
export function checkNames(allowedHosts: readonly string[]): MiddlewareHandler {
  const known = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())])
  return async (c, next) => {
    const host = c.req.header('host')?.toLowerCase() ?? ''
    if (!known.has(nameOf(host)) && !known.has(host)) {
      throw new Refusal(403, 'HOST_FORBIDDEN', { message: (t) => t.hostForbidden({ host }), hint: (t) => t.hostHint })
    }
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const foreign = origin !== undefined ? URL.parse(origin)?.host !== host : site === 'cross-site' && !isNavigation(c)
    if (foreign) {
      throw new Refusal(403, 'ORIGIN_FORBIDDEN', {
        message: (t) => t.originForbidden({ origin: origin ?? 'elsewhere' }),
        hint: (t) => t.originHint,
      })
    }
    await next()
  }
}

/** A link from elsewhere to the console is harmless: it carries no token. */
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

export interface Doorkeeper {
  keyring: Keyring
  limits: Limits
  log: Log
}

/** The address a connection came from; what a header claims about it is not asked. */
export function addressOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? 'unknown'
}

export function demandScope({ keyring, limits, log }: Doorkeeper, known: Set<string>) {
  async function callerOf(c: Context): Promise<Caller> {
    const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (secret === undefined)
      throw new Refusal(401, 'NO_TOKEN', { message: (t) => t.noToken, hint: (t) => t.noTokenHint })
    const address = addressOf(c)
    const mark = sha256(secret)
    const retryAfterS = limits.waitOf(address)
    // Whoever guesses waits; whoever was let in before is not made to wait for a guesser at the same address.
    if (retryAfterS > 0 && !known.has(mark)) {
      throw new Refusal(429, 'TOO_MANY_FAILURES', {
        message: (t) => t.tooManyFailures,
        hint: (t) => t.retryHint,
        retryAfterS,
      })
    }
    const who = await keyring.find(secret)
    if (who !== undefined) {
      known.add(mark)
      c.set('isStillIn', async () => (await keyring.find(secret)) !== undefined)
      return who
    }
    known.delete(mark)
    log('warn', 'auth.failed', { address, failures: limits.failed(address), path: c.req.path })
    throw new Refusal(401, 'BAD_TOKEN', { message: (t) => t.badToken, hint: (t) => t.badTokenHint })
  }

  /** The same one for the whole request, however often it is asked for. */
  function streamOf(tokenId: string): () => () => void {
    let held: (() => void) | undefined
    return () => {
      held ??= limits.openStream(tokenId)
      if (held !== undefined) return held
      throw new Refusal(429, 'TOO_MANY_STREAMS', {
        message: (t) => t.tooManyStreams({ max: MAX_STREAMS }),
        hint: (t) => t.tooManyStreamsHint,
        retryAfterS: 5,
      })
    }
  }

  return (scope: Scope): MiddlewareHandler =>
    async (c, next) => {
      const who = await callerOf(c)
      const retryAfterS = limits.spend(who.id)
      if (retryAfterS > 0)
        throw new Refusal(429, 'TOO_MANY_REQUESTS', {
          message: (t) => t.tooManyRequests,
          hint: (t) => t.retryHint,
          retryAfterS,
        })
      if (!who.scopes.has(scope)) {
        log('warn', 'auth.scope', { token: who.name, scope, path: c.req.path })
        throw new Refusal(403, 'SCOPE_MISSING', { message: (t) => t.scopeMissing({ scope }), hint: (t) => t.scopeHint })
      }
      c.set('who', who)
      c.set('holdStream', streamOf(who.id))
      await next()
    }
}

/** Nothing but the server's own files, no frame around it, no guessing of types. */
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
