import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './schema.ts'

type Builder = Kysely<Tables>

export function findTranscript(build: Builder, session: string): CompiledQuery<{ messages: string }> {
  return build.selectFrom('transcripts').select('messages').where('session', '=', session).compile()
}

/** Makes the row or takes hold of it, in one statement: two first writers would else both find nothing. */
export function holdTranscript(
  build: Builder,
  session: string,
  expiresAt: number,
): CompiledQuery<{ messages: string }> {
  return build
    .insertInto('transcripts')
    .values({ session, messages: '[]', expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('session').doUpdateSet({ expires_at: expiresAt }))
    .returning('messages')
    .compile()
}

export function updateTranscript(build: Builder, session: string, messages: string): CompiledQuery {
  return build.updateTable('transcripts').set({ messages }).where('session', '=', session).compile()
}

export function deleteExpired(build: Builder, now: number): CompiledQuery {
  return build.deleteFrom('transcripts').where('expires_at', '<=', now).compile()
}
