/** Long-term memory: facts that outlive their session. Not the transcript, which the journal keeps. */
import type { Principal, Whose } from '../protocol/principal.ts'

/** Who created an entry: the user, a tool call, or the summary of a finished turn. */
export interface MemorySource {
  kind: 'user' | 'tool' | 'turn'
  sessionId: string
  runId: string
  tool?: string
}

/** A fact in long-term memory. */
export interface MemoryEntry {
  id: string
  content: string
  tags: string[]
  source: MemorySource
  /** The inspection found something suspicious, but not enough to reject the text. */
  mark?: 'review' | 'warn'
  /** The run that wrote it had read untrusted text, which may be repeated here. */
  retold: boolean
  createdAt: number
}

/** Which entries, and how many. */
export interface MemoryFilter {
  limit: number
  /** Only entries stored by this session. */
  sessionId?: string
}

/**
 * Runs use the memory of one owner. Entries of several owners are only for people who manage the memory, never for
 * models.
 */
export interface Memories {
  of(owner: Principal): Memory
  keptFor(whose: Whose): KeptMemories
}

export type OwnedEntry = MemoryEntry & { owner: Principal }

/** For people: listing and deleting. */
export interface KeptMemories {
  /** Newest first; with `query`, best match first. */
  list(filter: { limit: number; query?: string }): Promise<OwnedEntry[]>
  find(id: string): Promise<OwnedEntry | undefined>
  /** The ids of all deleted entries, the given one first; empty when there was no such entry. */
  forget(id: string): Promise<string[]>
}

/**
 * The memory of one principal.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const source = { kind: 'user', sessionId: 'mine', runId: 'mine' } as const
 * await agent.memory?.store({ content: 'The garden needs water.', source, retold: false })
 * const found = await agent.memory?.recall('garden', { limit: 1 })
 * console.log(found?.[0]?.content) // The garden needs water.
 * ```
 */
export interface Memory {
  /** Throws MEMORY_POISONED when the text looks like prompt injection. */
  store(draft: Pick<MemoryEntry, 'content' | 'source' | 'retold'> & { tags?: readonly string[] }): Promise<MemoryEntry>
  /** Stores a summary of the turn, made without a model. */
  storeTurn(
    turn: { task: string; reply: string; sessionId: string; runId: string } & Pick<MemoryEntry, 'retold'>,
  ): Promise<MemoryEntry>
  /** Best match first; of equal matches the newer. */
  recall(query: string, filter: MemoryFilter): Promise<MemoryEntry[]>
  /** Newest first. */
  list(filter: MemoryFilter): Promise<MemoryEntry[]>
  find(id: string): Promise<MemoryEntry | undefined>
  /** Summaries of turns that repeat this entry; they are deleted with it. */
  retellings(id: string): Promise<MemoryEntry[]>
  /** False when there was no such entry. */
  forget(id: string): Promise<boolean>
}
