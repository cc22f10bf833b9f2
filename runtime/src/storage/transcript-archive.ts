import type { CompiledQuery, Kysely } from 'kysely'
import type { TranscriptArchive, TranscriptChange, TranscriptMessage } from '../ports/transcripts.ts'
import { ask, type Database, type Steps } from './database.ts'
import type { Tables } from './schema.ts'
import { keyOf, readHistory } from './transcript-text.ts'

export function transcriptArchive(db: Database): TranscriptArchive {
  return {
    async read(session) {
      const [row] = await db.query(findTranscript(db.sql, keyOf(session)))
      return readHistory(row?.messages, session)
    },
    async change(session, change) {
      const messages = await db.transact(rewrite(db, session, change))
      // Outside the transaction: two that each lock a row and delete the other's would deadlock.
      await db.query(deleteExpired(db.sql, change.now))
      return messages
    },
  }
}

function* rewrite({ sql }: Database, session: string, change: TranscriptChange): Steps<TranscriptMessage[]> {
  const key = keyOf(session)
  const [row] = yield* ask(holdTranscript(sql, key, change.now + change.keepMs))
  const messages = change.rewrite(readHistory(row?.messages, session))
  yield updateTranscript(sql, key, JSON.stringify(messages))
  return messages
}

type Builder = Kysely<Tables>

function findTranscript(build: Builder, session: string): CompiledQuery<{ messages: string }> {
  return build.selectFrom('transcripts').select('messages').where('session', '=', session).compile()
}

/** Creates or locks the row in one statement: otherwise two first writers would both find none. */
function holdTranscript(build: Builder, session: string, expiresAt: number): CompiledQuery<{ messages: string }> {
  return build
    .insertInto('transcripts')
    .values({ session, messages: '[]', expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('session').doUpdateSet({ expires_at: expiresAt }))
    .returning('messages')
    .compile()
}

function updateTranscript(build: Builder, session: string, messages: string): CompiledQuery {
  return build.updateTable('transcripts').set({ messages }).where('session', '=', session).compile()
}

function deleteExpired(build: Builder, now: number): CompiledQuery {
  return build.deleteFrom('transcripts').where('expires_at', '<=', now).compile()
}
