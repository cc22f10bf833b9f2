/**
 * Long-term memory. Texts are redacted and inspected before they are stored, and marked when they may repeat untrusted
 * text: otherwise a later session would trust it.
 */
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Redact } from '../journal/redact.ts'
import type { Memories, Memory, MemoryEntry } from '../ports/memory.ts'
import type { Principal } from '../protocol/principal.ts'
import type { MemoryArchive } from '../storage/memory-archive.ts'
import { repeats } from './retelling.ts'
import { indexWords, words } from './words.ts'

export type Inspect = (text: string) => {
  verdict: 'pass' | 'warn' | 'review' | 'block'
  findings: readonly { rule: string }[]
}

export interface MemoryDeps {
  archive: MemoryArchive
  inspect: Inspect
  redact: Redact
  clock: Clock
  newId: IdSource
}

const MAX_TASK = 200
const MAX_REPLY = 400
/** Only the beginning of a long query is used: the rest costs far more than it finds. */
const MAX_QUERY = 4000
const MAX_QUERY_WORDS = 100
/** Entries searched for summaries that repeat a forgotten fact. */
const MAX_ALIKE = 10_000

export function openMemories(deps: MemoryDeps): Memories {
  const opened = new Map<Principal, Memory>()
  const of = (owner: Principal) => {
    const memory = opened.get(owner) ?? openMemory(deps, owner)
    opened.set(owner, memory)
    return memory
  }
  const { archive } = deps
  return {
    of,
    keptFor: (whose) => ({
      list: ({ limit, query }) =>
        query === undefined
          ? archive.listOwned(whose, { limit })
          : archive.searchOwned(whose, queryWords(query), { limit }),
      find: (id) => archive.findOwned(whose, id),
      async forget(id) {
        const found = await archive.findOwned(whose, id)
        if (found === undefined) return []
        const memory = of(found.owner)
        const retellings = await memory.retellings(id)
        return (await memory.forget(id)) ? [id, ...retellings.map((each) => each.id)] : []
      },
    }),
  }
}

function queryWords(query: string): string[] {
  return words(query.slice(0, MAX_QUERY)).slice(0, MAX_QUERY_WORDS)
}

function openMemory({ archive, inspect, redact, clock, newId }: MemoryDeps, owner: Principal): Memory {
  const keep = async (id: string, { content, tags = [], source, retold }: Parameters<Memory['store']>[0]) => {
    const { verdict, findings } = inspect([content, ...tags].join('\n'))
    if (verdict === 'block') throw poisoned(findings.map(({ rule }) => rule))
    const entry: MemoryEntry = {
      id,
      content: redact(content),
      tags: redact([...tags]),
      source,
      ...(verdict === 'pass' ? {} : { mark: verdict }),
      retold,
      createdAt: clock.now(),
    }
    await archive.save(owner, entry, indexWords([entry.content, ...entry.tags].join('\n')))
    return entry
  }
  const retellings = async (id: string) => {
    const fact = await archive.find(owner, id)
    // Summaries are not compared with each other: they share only their subject.
    if (fact === undefined || fact.source.kind === 'turn') return []
    const alike = await archive.search(owner, queryWords(fact.content), { limit: MAX_ALIKE })
    const telling = alike.filter(({ source, content }) => source.kind === 'turn' && repeats(content, fact.content))
    // The turn that stored the fact was about it, in whatever words.
    const stored = await archive.find(owner, summaryId(fact.source.runId))
    return stored === undefined || telling.some((entry) => entry.id === stored.id) ? telling : [...telling, stored]
  }
  return {
    store: (draft) => keep(newId('mem'), draft),
    // One entry per run: after a crash a turn may be committed twice. Redacted before it is cut: half a secret would
    // not be recognised.
    storeTurn: ({ task, reply, sessionId, runId, retold }) =>
      keep(summaryId(runId), {
        content: summarise(redact(task), redact(reply)),
        source: { kind: 'turn', sessionId, runId },
        retold,
      }),
    recall: (query, filter) => archive.search(owner, queryWords(query), filter),
    list: (filter) => archive.list(owner, filter),
    find: (id) => archive.find(owner, id),
    retellings,
    async forget(id) {
      const summaries = await retellings(id)
      if (!(await archive.remove(owner, id))) return false
      for (const summary of summaries) await archive.remove(owner, summary.id)
      return true
    },
  }
}

function summaryId(runId: string): string {
  return `mem_${runId}`
}

/** The user's line and the beginning of the reply, made without a model (S1-67). */
export function summarise(task: string, reply: string): string {
  return `Q: ${clip(onOneLine(task), MAX_TASK)}\nA: ${clip(onOneLine(reply), MAX_REPLY)}`
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function poisoned(rules: readonly string[]): WritError {
  return new WritError('MEMORY_POISONED', { rules: [...new Set(rules)] })
}
