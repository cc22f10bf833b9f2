/** The owner of a session: the principal it was started for, independent of tokens. */
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { compiledOnce } from './compiled-once.ts'
import { ask, type Database, type Steps } from './database.ts'

export interface SessionOwners {
  /** The local user unless another principal has claimed it. */
  ownerOf(sessionId: string): Promise<Principal>
  isClaimed(sessionId: string): Promise<boolean>
  /** Claims a session without events. Returns its owner, who may be another principal. */
  claim(sessionId: string, owner: Principal, at: number): Promise<Principal>
}

export function sessionOwners(db: Database): SessionOwners {
  return {
    ownerOf: async (sessionId) => ownerIn(await db.query(readOwner(db.sql, { sessionId }))),
    isClaimed: async (sessionId) => (await db.query(readOwner(db.sql, { sessionId }))).length > 0,
    claim: (sessionId, owner, at) => db.transact(claim(db, sessionId, { owner, at })),
  }
}

function* claim(db: Database, sessionId: string, { owner, at }: { owner: Principal; at: number }): Steps<Principal> {
  const { sql } = db
  const owners = yield* ask(readOwner(db.sql, { sessionId }))
  if (owners.length > 0) return ownerIn(owners)
  // Unclaimed but in use: it belongs to the local user.
  const used = yield* ask(
    sql.selectFrom('runs').select('run_id').where('session_id', '=', sessionId).limit(1).compile(),
  )
  if (used.length > 0) return LOCAL
  const row = { session_id: sessionId, owner, created_at: at, title: null }
  yield sql
    .insertInto('session_owners')
    .values(row)
    .onConflict((on) => on.doNothing())
    .compile()
  return ownerIn(yield* ask(readOwner(db.sql, { sessionId })))
}

const readOwner = compiledOnce<{ sessionId: string }, { owner: string }>((build, value) =>
  build.selectFrom('session_owners').select('owner').where('session_id', '=', value('sessionId')).compile(),
)

function ownerIn([row]: readonly { owner: string }[]): Principal {
  return row === undefined ? LOCAL : (row.owner as Principal)
}
