/**
 * Named conversations of workflows: the recent messages under a session key. Unlike the journal, this is not complete.
 */

export interface TranscriptMessage {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_call_id?: string
  name?: string
  /** The part of a user message that the user wrote. Absent when unknown, in entries of older versions. */
  own?: string
  /** Milliseconds since 1970; messages older than the time to live are not used. */
  at: number
}

/** How to rewrite a history, and how long to keep it from `now` on. */
export interface TranscriptChange {
  rewrite(held: readonly TranscriptMessage[]): TranscriptMessage[]
  now: number
  keepMs: number
}

export interface TranscriptArchive {
  /** Empty for an unknown session. Throws TRANSCRIPT_CORRUPT when the stored value is not a history. */
  read(session: string): Promise<TranscriptMessage[]>
  /** Atomic: of two concurrent changes, the second works on the result of the first. */
  change(session: string, change: TranscriptChange): Promise<TranscriptMessage[]>
}
