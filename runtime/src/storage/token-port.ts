/** Who may use the server, and whose a session is. */

export interface StoredToken {
  id: string
  name: string
  scopes: readonly string[]
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
  /** False when there is none of that name. */
  revoke(name: string, at: number): Promise<boolean>
  /** The first owner of a session stays its owner. */
  own(sessionId: string, owner: string, at: number): Promise<void>
  ownerOf(sessionId: string): Promise<string | undefined>
}
