/** Access tokens of the server. */
import type { Principal } from '../protocol/principal.ts'

export interface StoredToken {
  id: string
  name: string
  scopes: readonly string[]
  /** The principal it acts for. Several tokens may share one, and a rotated secret does not change it. */
  principal: Principal
  createdAt: number
  usedAt?: number
}

export interface TokenArchive {
  /** False when the name is in use. */
  insert(token: StoredToken, hash: string): Promise<boolean>
  /** Oldest first, without revoked tokens. */
  list(): Promise<StoredToken[]>
  findByHash(hash: string): Promise<{ token: StoredToken; hash: string } | undefined>
  touch(id: string, at: number): Promise<void>
  /** Replaces the secret; the old one stops working. Undefined when there is no such token. */
  rotate(name: string, hash: string): Promise<StoredToken | undefined>
  /** False when there is no such token. */
  revoke(name: string, at: number): Promise<boolean>
}
