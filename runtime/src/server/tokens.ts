/** Access tokens: 256 random bits; only the hash is stored. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/hash.ts'
import type { IdSource } from '../base/id.ts'
import { WritError } from '../errors/writ-error.ts'
import type { StoredToken, TokenArchive } from '../ports/tokens.ts'
import { LOCAL, type Principal, principalNamed } from '../protocol/principal.ts'
import { SCOPES, type Scope } from './contract/route.ts'

/** Storing every use would be a database write per request. */
const TOUCH_MS = 60_000

export interface Caller {
  id: string
  name: string
  /** The principal of the token. */
  principal: Principal
  scopes: ReadonlySet<Scope>
}

export interface Issued {
  secret: string
  token: StoredToken
}

export interface Keyring {
  /** The secret is only in the result; it is not stored. Without `principal`, a new principal is created. */
  add(name: string, scopes: readonly string[], principal?: string): Promise<Issued>
  /** Replaces the secret of a token; everything else stays the same. */
  rotate(name: string): Promise<Issued>
  list(): Promise<StoredToken[]>
  revoke(name: string): Promise<void>
  /** For the user who started the server: valid until the server stops, not stored. Returns the secret. */
  addTemporary(): string
  /** Undefined when the token is unknown. */
  find(secret: string): Promise<Caller | undefined>
}

export interface KeyringDeps {
  archive: TokenArchive
  clock: Clock
  newId: IdSource
}

export function openKeyring({ archive, clock, newId }: KeyringDeps): Keyring {
  const temporary = new Map<string, Caller>()
  return {
    addTemporary() {
      const secret = newSecret()
      temporary.set(sha256(secret), { id: 'tok_console', name: 'console', principal: LOCAL, scopes: new Set(SCOPES) })
      return secret
    },
    async add(name, scopes, named) {
      if (!/^[\w.-]{1,40}$/.test(name)) throw new WritError('TOKEN_NAME')
      const known = SCOPES.filter((scope) => scopes.includes(scope))
      if (known.length === 0 || known.length !== new Set(scopes).size) {
        throw new WritError('TOKEN_SCOPES', { scopes: SCOPES })
      }
      const principal = principalNamed(named ?? newId('prn'))
      if (principal === undefined) throw new WritError('PRINCIPAL_NAME')
      const secret = newSecret()
      const token = { id: newId('tok'), name, scopes: known, principal, createdAt: clock.now() }
      if (!(await archive.insert(token, sha256(secret)))) throw new WritError('TOKEN_EXISTS', { name })
      return { secret, token }
    },
    list: () => archive.list(),
    async rotate(name) {
      const secret = newSecret()
      const token = await archive.rotate(name, sha256(secret))
      if (token !== undefined) return { secret, token }
      throw new WritError('TOKEN_UNKNOWN', { name })
    },
    async revoke(name) {
      if (await archive.revoke(name, clock.now())) return
      throw new WritError('TOKEN_UNKNOWN', { name })
    },
    async find(secret) {
      const hash = sha256(secret)
      const caller = temporary.get(hash)
      if (caller !== undefined) return caller
      const found = await archive.findByHash(hash)
      if (found === undefined || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return undefined
      const { id, name, principal, scopes, usedAt = 0 } = found.token
      if (clock.now() - usedAt >= TOUCH_MS) await archive.touch(id, clock.now())
      return { id, name, principal, scopes: grantedBy(scopes) }
    },
  }
}

function newSecret(): string {
  return `writ_${randomBytes(32).toString('base64url')}`
}

/** Every scope includes `read`, `x:all` includes `x`, and `admin` includes all. */
function grantedBy(scopes: readonly string[]): ReadonlySet<Scope> {
  if (scopes.includes('admin')) return new Set(SCOPES)
  return new Set(
    SCOPES.filter((scope) => scope === 'read' || scopes.includes(scope) || scopes.includes(`${scope}:all`)),
  )
}
