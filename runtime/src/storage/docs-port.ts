/** The documents of a workspace: found by their words, read as they are on disk. */

/** An answer as JSON stays below what a scout is shown of any result: cut off, nobody could read it back. */
export const MAX_ANSWER = 3_800

export interface DocHit {
  /** The document's path, relative to the workspace. */
  id: string
  /** The document's title and, behind `›`, the section's heading. */
  title: string
  /** Where the snippet begins: an `offset` for reading on from there. */
  line: number
  snippet: string
  /** 1 is the best hit of this answer; the others are measured by it. */
  score: number
}

export interface Progress {
  done: number
  total: number
}

export interface DocSearch {
  hits: DocHit[]
  /** Not everything is indexed yet: so much of it is. */
  indexing?: Progress
}

/** Lines `from` to `to` of `total`; `text` is what stands there, to the letter. */
export interface DocText {
  id: string
  from: number
  to: number
  total: number
  text: string
  /** The offset to go on with, where more follows. */
  next?: number
}

/** `costly`: reading it took more time or memory than a document may. */
export type SkipReason = 'binary' | 'large' | 'unreadable' | 'costly'

export interface DocStatus {
  /** The folders that are searched, relative to the workspace. */
  roots: string[]
  /** Configured folders that cannot be searched: gone, blocked, or not in the workspace. */
  lost: string[]
  documents: number
  sections: number
  /** Files that are there and hold no text to search. */
  skipped: Partial<Record<SkipReason, number>>
  /** When a file was last added or renewed. */
  indexedAt?: number
  indexing?: Progress
}

export interface Refreshed {
  /** Files looked at. */
  files: number
  /** Of these, read anew. */
  renewed: number
  removed: number
}

export interface Docs {
  /** Never waits long for the index: what is not yet in it is said in `indexing`. */
  search(query: string, options: { limit: number; signal: AbortSignal }): Promise<DocSearch>
  /** From the file itself. Throws a WritError, or the system's error, where it cannot be read. */
  read(id: string, options?: { offset?: number; limit?: number; signal?: AbortSignal }): Promise<DocText>
  /** Brings the index up to date with the disk. */
  refresh(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Refreshed>
  status(): Promise<DocStatus>
  /** Ends what goes on in the background; the database stays open. */
  close(): Promise<void>
}
