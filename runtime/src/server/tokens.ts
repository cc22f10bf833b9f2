/** Bearer tokens: 256 bits of chance, of which only the hash is kept. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'
import type { IdSource } from '../base/id.ts'
import { LOCAL, type Principal, principalNamed } from '../protocol/principal.ts'
import type { StoredToken, TokenArchive } from '../storage/token-port.ts'
import { SCOPES, type Scope } from './contract/route.ts'
import type { ServerTexts } from './texts.ts'

/** Writing down every use would be a write per request. */
const TOUCH_MS = 60_000

export interface Caller {
  id: string
  name: string
  /** Whom the token stands for. */
  principal: Principal
  scopes: ReadonlySet<Scope>
}

export interface Issued {
  secret: string
  token: StoredToken
}

export interface Keyring {
  /** The token itself is in the answer and nowhere else. It stands for a new principal unless one is named. */
  add(name: string, scopes: readonly string[], principal?: string): Promise<Issued>
  /** A new secret for a token that is otherwise the same; the old one is good no more. */
  rotate(name: string): Promise<Issued>
  list(): Promise<StoredToken[]>
  revoke(name: string): Promise<void>
  /** For the person who started the server and sits in front of it: good until the server ends, kept nowhere. */
  lend(): string
  /** Undefined: nobody has that token. */
  find(secret: string): Promise<Caller | undefined>
}

export interface KeyringDeps {
  archive: TokenArchive
  clock: Clock
  newId: IdSource
  texts: ServerTexts
}

export function openKeyring({ archive, clock, newId, texts }: KeyringDeps): Keyring {
  const lent = new Map<string, Caller>()
  return {
    lend() {
      const secret = newSecret()
      lent.set(sha256(secret), { id: 'tok_console', name: 'console', principal: LOCAL, scopes: new Set(SCOPES) })
      return secret
    },
    async add(name, scopes, named) {
      if (!/^[\w.-]{1,40}$/.test(name)) throw new WritError('TOKEN_NAME', texts.tokenName)
      const known = SCOPES.filter((scope) => scopes.includes(scope))
      if (known.length === 0 || known.length !== new Set(scopes).size) {
        throw new WritError('TOKEN_SCOPES', texts.scopesWrong({ scopes: SCOPES }))
      }
      const principal = principalNamed(named ?? newId('prn'))
      if (principal === undefined) throw new WritError('PRINCIPAL_NAME', texts.principalName)
      const secret = newSecret()
      const token = { id: newId('tok'), name, scopes: known, principal, createdAt: clock.now() }
      if (!(await archive.insert(token, sha256(secret)))) {
        throw new WritError('TOKEN_EXISTS', texts.tokenTaken({ name }), { hint: texts.tokenListHint })
      }
      return { secret, token }
    },
    list: () => archive.list(),
    async rotate(name) {
      const secret = newSecret()
      const token = await archive.rotate(name, sha256(secret))
      if (token !== undefined) return { secret, token }
      throw new WritError('TOKEN_UNKNOWN', texts.tokenUnknown({ name }), { hint: texts.tokenListHint })
    },
    async revoke(name) {
      if (await archive.revoke(name, clock.now())) return
      throw new WritError('TOKEN_UNKNOWN', texts.tokenUnknown({ name }), { hint: texts.tokenListHint })
    },
    async find(secret) {
      const hash = sha256(secret)
      const borrower = lent.get(hash)
      if (borrower !== undefined) return borrower
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

/** Whoever may do something may also look, and with everyone's also with their own; an admin may do everything. */
function grantedBy(scopes: readonly string[]): ReadonlySet<Scope> {
  if (scopes.includes('admin')) return new Set(SCOPES)
  return new Set(
    SCOPES.filter((scope) => scope === 'read' || scopes.includes(scope) || scopes.includes(`${scope}:all`)),
  )
}
