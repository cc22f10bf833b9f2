import type { CompiledQuery, Selectable } from 'kysely'
import type { StoredToken, TokenArchive } from '../ports/tokens.ts'
import type { Principal } from '../protocol/principal.ts'
import { ask, type Database, type Steps } from './database.ts'
import { sealKept } from './kept.ts'
import type { TokenTable } from './schema.ts'

export function tokenArchive(db: Database): TokenArchive {
  const { sql } = db
  const valid = sql.selectFrom('tokens').selectAll().where('revoked_at', 'is', null)
  return {
    async insert(token, hash) {
      const row = {
        id: token.id,
        name: token.name,
        hash,
        scopes: token.scopes.join(' '),
        principal: token.principal,
        created_at: token.createdAt,
        used_at: null,
        revoked_at: null,
      }
      const insert = sql
        .insertInto('tokens')
        .values(row)
        .onConflict((on) => on.doNothing())
      return (await db.transact(sealed(db, insert.returning('id').compile()))).length > 0
    },
    list: async () => (await db.query(valid.orderBy('created_at').orderBy('name').compile())).map(toToken),
    async findByHash(hash) {
      const [row] = await db.query(valid.where('hash', '=', hash).compile())
      return row === undefined ? undefined : { token: toToken(row), hash: row.hash }
    },
    async touch(id, at) {
      await db.query(sql.updateTable('tokens').set({ used_at: at }).where('id', '=', id).compile())
    },
    async rotate(name, hash) {
      const update = sql.updateTable('tokens').set({ hash }).where('name', '=', name).where('revoked_at', 'is', null)
      const [row] = await db.transact(sealed(db, update.returningAll().compile()))
      return row === undefined ? undefined : toToken(row)
    },
    async revoke(name, at) {
      const update = sql.updateTable('tokens').set({ revoked_at: at }).where('name', '=', name)
      const revoked = update.where('revoked_at', 'is', null).returning('id').compile()
      return (await db.transact(sealed(db, revoked))).length > 0
    },
  }
}

function* sealed<Row extends { id: string }>(db: Database, change: CompiledQuery<Row>): Steps<Row[]> {
  const rows = yield* ask(change)
  for (const { id } of rows) yield* sealKept(db, 'token', id)
  return rows
}

function toToken(row: Selectable<TokenTable>): StoredToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    principal: row.principal as Principal,
    createdAt: row.created_at,
    ...(row.used_at === null ? {} : { usedAt: row.used_at }),
  }
}
