/** Who may use the server. */
import type { Principal } from '../protocol/principal.ts'

export interface StoredToken {
  id: string
  name: string
  scopes: readonly string[]
  /** Whom it stands for. Several tokens may stand for one principal, and a new secret changes nothing about it. */
  principal: Principal
  createdAt: number
  usedAt?: number
}

export interface TokenArchive {
  /** False when the name is in use. */
  insert(token: StoredToken, hash: string): Promise<boolean>
  /** The oldest first; revoked ones are not there. */
  list(): Promise<StoredToken[]>
  findByHash(hash: string): Promise<{ token: StoredToken; hash: string } | undefined>
  touch(id: string, at: number): Promise<void>
  /** Puts another secret in place of the old one, which is not good any more. Undefined when there is none of that name. */
  rotate(name: string, hash: string): Promise<StoredToken | undefined>
  /** False when there is none of that name. */
  revoke(name: string, at: number): Promise<boolean>
}
