/** Long-term memory: facts that outlive their session. Not the transcript, which the journal keeps. */
import type { Principal, Whose } from '../protocol/principal.ts'

/** Where an entry came from: a person, a tool's call, or the summary of a finished turn. */
export interface MemorySource {
  kind: 'user' | 'tool' | 'turn'
  sessionId: string
  runId: string
  tool?: string
}

export interface MemoryEntry {
  id: string
  content: string
  tags: string[]
  source: MemorySource
  /** The inspection found something in the text, though not enough to refuse it. */
  mark?: 'review' | 'warn'
  /** The run that wrote it had heard strangers: what it says may be theirs. */
  retold: boolean
  createdAt: number
}

export interface MemoryFilter {
  limit: number
  /** Only what this session stored. */
  sessionId?: string
}

/** What runs use names its owner. Entries of several are only for those who keep the memory: people, never models. */
export interface Memories {
  of(owner: Principal): Memory
  keptFor(whose: Whose): KeptMemories
}

export type OwnedEntry = MemoryEntry & { owner: Principal }

/** What people look at and clear. */
export interface KeptMemories {
  /** The latest first; with `query`, the best match first. */
  list(filter: { limit: number; query?: string }): Promise<OwnedEntry[]>
  find(id: string): Promise<OwnedEntry | undefined>
  /** The ids of all that is gone, the entry's own first: none when there was no such entry. */
  forget(id: string): Promise<string[]>
}

/** Of one principal. */
export interface Memory {
  /** Throws MEMORY_POISONED when the text looks like an attack on whoever will recall it. */
  store(draft: Pick<MemoryEntry, 'content' | 'source' | 'retold'> & { tags?: readonly string[] }): Promise<MemoryEntry>
  /** Keeps what a turn was about, without asking a model. */
  storeTurn(
    turn: { task: string; reply: string; sessionId: string; runId: string } & Pick<MemoryEntry, 'retold'>,
  ): Promise<MemoryEntry>
  /** The best match first; of equal ones the later. */
  recall(query: string, filter: MemoryFilter): Promise<MemoryEntry[]>
  /** The latest first. */
  list(filter: MemoryFilter): Promise<MemoryEntry[]>
  find(id: string): Promise<MemoryEntry | undefined>
  /** Summaries of turns that tell what the entry says; they are forgotten with it. */
  retellings(id: string): Promise<MemoryEntry[]>
  /** False when there was no such entry. */
  forget(id: string): Promise<boolean>
}
