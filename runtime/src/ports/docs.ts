/** The documents of a workspace: full-text search, and reading from disk. */

/** Keeps the JSON of an answer below the size at which results for scouts are cut: cut JSON cannot be parsed. */
export const MAX_ANSWER = 3_800

export interface DocHit {
  /** The document's path, relative to the workspace. */
  id: string
  /** The document's title and, behind `›`, the section's heading. */
  title: string
  /** First line of the snippet, usable as `offset` of `read`. */
  line: number
  snippet: string
  /** Relative to the best hit of this answer, which has 1. */
  score: number
}

export interface Progress {
  done: number
  total: number
}

export interface DocSearch {
  hits: DocHit[]
  /** Present while the index is incomplete. */
  indexing?: Progress
}

/** Lines `from` to `to` of `total`; `text` is their exact text. */
export interface DocText {
  id: string
  from: number
  to: number
  total: number
  text: string
  /** The next offset, if there are more lines. */
  next?: number
}

/** `costly`: reading it exceeded the limit on time or memory. */
export type SkipReason = 'binary' | 'large' | 'unreadable' | 'costly'

export interface DocStatus {
  /** The folders that are searched, relative to the workspace. */
  roots: string[]
  /** Configured folders that cannot be searched: gone, blocked, or not in the workspace. */
  lost: string[]
  documents: number
  sections: number
  /** Files without searchable text. */
  skipped: Partial<Record<SkipReason, number>>
  /** When a file was last indexed. */
  indexedAt?: number
  indexing?: Progress
}

export interface Refreshed {
  /** Files checked. */
  files: number
  /** Of these, read again because they had changed. */
  renewed: number
  removed: number
}

export interface Docs {
  /** Waits only briefly for the index; `indexing` reports what is missing. */
  search(query: string, options: { limit: number; signal: AbortSignal }): Promise<DocSearch>
  /** Reads the file, not the index. Throws a WritError, or the error of the system. */
  read(id: string, options?: { offset?: number; limit?: number; signal?: AbortSignal }): Promise<DocText>
  /** Updates the index from disk. */
  refresh(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Refreshed>
  status(): Promise<DocStatus>
  /** Stops background work; the database stays open. */
  close(): Promise<void>
}
