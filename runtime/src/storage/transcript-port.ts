/** Named conversations of workflows: what was said lately under a session key. The journal keeps everything; this does not. */

export interface TranscriptMessage {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_call_id?: string
  name?: string
  /** Of a user's message: what of it they said themselves. Absent in what older versions kept: nobody knows. */
  own?: string
  /** Milliseconds since 1970; what is older than the time to live is not told again. */
  at: number
}

/** How a history is rewritten, and how long it is kept from `now` on. */
export interface TranscriptChange {
  rewrite(held: readonly TranscriptMessage[]): TranscriptMessage[]
  now: number
  keepMs: number
}

export interface TranscriptArchive {
  /** Empty for a session that was never heard of. Throws TRANSCRIPT_CORRUPT when what is stored is no history. */
  read(session: string): Promise<TranscriptMessage[]>
  /** Reads and writes as one act: of two at once, the second works on what the first has left. */
  change(session: string, change: TranscriptChange): Promise<TranscriptMessage[]>
}
