/**
 * What is worth knowing beyond a session. Cleaned of secrets and inspected when written, and marked where it may be a
 * stranger's word: else a later session would take it for ours.
 */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import type { IdSource } from '../base/id.ts'
import { clip } from '../base/text.ts'
import type { Redact } from '../journal/redact.ts'
import type { Principal } from '../protocol/principal.ts'
import type { MemoryArchive } from '../storage/memory-archive.ts'
import type { Memories, Memory, MemoryEntry } from '../storage/memory-port.ts'
import { tells } from './retelling.ts'
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
/** A pasted document is no better a question than its beginning, and costs far more to look up. */
const MAX_QUERY = 4000
const MAX_QUERY_WORDS = 100
/** Entries looked through for those that tell a forgotten fact. */
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
          : archive.searchOwned(whose, askedFor(query), { limit }),
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

function askedFor(query: string): string[] {
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
    // One summary is not the fact that another tells: they share only what the user talks about.
    if (fact === undefined || fact.source.kind === 'turn') return []
    const alike = await archive.search(owner, askedFor(fact.content), { limit: MAX_ALIKE })
    const telling = alike.filter(({ source, content }) => source.kind === 'turn' && tells(content, fact.content))
    // The turn that stored the fact was about it, in whatever words.
    const told = await archive.find(owner, summaryOf(fact.source.runId))
    return told === undefined || telling.some((entry) => entry.id === told.id) ? telling : [...telling, told]
  }
  return {
    store: (draft) => keep(newId('mem'), draft),
    // One run, one entry: after a crash a turn may come to its end twice.
    // Redacted before it is cut: half a secret would no longer be known for one.
    storeTurn: ({ task, reply, sessionId, runId, retold }) =>
      keep(summaryOf(runId), {
        content: summarise(redact(task), redact(reply)),
        source: { kind: 'turn', sessionId, runId },
        retold,
      }),
    recall: (query, filter) => archive.search(owner, askedFor(query), filter),
    list: (filter) => archive.list(owner, filter),
    find: (id) => archive.find(owner, id),
    retellings,
    async forget(id) {
      const told = await retellings(id)
      if (!(await archive.remove(owner, id))) return false
      for (const summary of told) await archive.remove(owner, summary.id)
      return true
    },
  }
}

function summaryOf(runId: string): string {
  return `mem_${runId}`
}

/** The user's line and how the reply began; no model is asked (S1-67). */
export function summarise(task: string, reply: string): string {
  return `Q: ${clip(onOneLine(task), MAX_TASK)}\nA: ${clip(onOneLine(reply), MAX_REPLY)}`
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function poisoned(rules: readonly string[]): WritError {
  return new WritError(
    'MEMORY_POISONED',
    `not stored: the text reads like an attack (${[...new Set(rules)].join(', ')})`,
    {
      hint: 'Store the fact itself in your own words, without instructions taken from elsewhere.',
    },
  )
}
