import { ask, type Database, type Steps } from './database.ts'
import type { TranscriptArchive, TranscriptChange, TranscriptMessage } from './transcript-port.ts'
import { deleteExpired, findTranscript, holdTranscript, updateTranscript } from './transcript-queries.ts'
import { keyOf, readHistory } from './transcript-text.ts'

export function transcriptArchive(db: Database): TranscriptArchive {
  return {
    async read(session) {
      const [row] = await db.query(findTranscript(db.sql, keyOf(session)))
      return readHistory(row?.messages, session)
    },
    async change(session, change) {
      const messages = await db.transact(rewrite(db, session, change))
      // Outside the transaction: two that each hold a row and sweep the other's would wait for each other.
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
