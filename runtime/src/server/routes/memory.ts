import type { OwnedEntry } from '../../storage/memory-port.ts'
import type { MemoryView } from '../contract/memory.ts'
import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import type { Setup } from '../setup.ts'
import type { Caller } from '../tokens.ts'

export function memoryRoutes({ desk, access }: Setup): Bound[] {
  /** One's own; an administrator's view has everyone's. */
  const memoryOf = (who: Caller) => desk.agent.memories.keptFor(access.scopeOf(who, 'change').whose)
  const unknown = (id: string) =>
    new Refusal(404, 'MEMORY_UNKNOWN', { message: (t) => t.memoryUnknown({ id }), hint: (t) => t.listMemoriesHint })
  return [
    on('GET /api/memory', async ({ query: { q = '', limit }, who }) => {
      const query = q.trim() === '' ? {} : { query: q }
      return { memories: (await memoryOf(who).list({ limit, ...query })).map(viewOf) }
    }),
    on('GET /api/memory/:id', async ({ params: { id }, who }) => {
      const found = await memoryOf(who).find(id)
      if (found === undefined) throw unknown(id)
      return viewOf(found)
    }),
    on('DELETE /api/memory/:id', async ({ params: { id }, who }) => {
      const forgotten = await memoryOf(who).forget(id)
      if (forgotten.length === 0) throw unknown(id)
      return { forgotten }
    }),
  ]
}

function viewOf({ source, ...entry }: OwnedEntry): MemoryView {
  return { ...entry, ...source }
}
