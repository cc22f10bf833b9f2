/** Titles that people gave to conversations. */
import { canonical } from '../base/json.ts'
import { LOCAL } from '../protocol/principal.ts'
import type { Database } from './database.ts'

export interface SessionTitles {
  /** Only of sessions that were named. */
  of(sessionIds: readonly string[]): Promise<Map<string, string>>
  /** An empty title removes it. */
  rename(sessionId: string, title: string, at: number): Promise<void>
}

export function sessionTitles({ sql, query }: Database): SessionTitles {
  return {
    async of(sessionIds) {
      if (sessionIds.length === 0) return new Map()
      const rows = await query(
        sql
          .selectFrom('session_owners')
          .select(['session_id', 'title'])
          .where('session_id', 'in', sessionIds)
          .compile(),
      )
      return new Map(rows.flatMap(({ session_id, title }) => (title === null ? [] : [[session_id, JSON.parse(title)]])))
    },
    async rename(sessionId, title, at) {
      const named = { title: title === '' ? null : canonical(title) }
      await query(
        sql
          .insertInto('session_owners')
          // A session without a row belongs to the local user, and still does with one.
          .values({ session_id: sessionId, owner: LOCAL, created_at: at, ...named })
          .onConflict((on) => on.column('session_id').doUpdateSet(named))
          .compile(),
      )
    },
  }
}
