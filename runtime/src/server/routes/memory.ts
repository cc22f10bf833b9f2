import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { OwnedEntry } from '../../ports/memory.ts'
import type { MemoryView } from '../contract/memory.ts'
import { type Bound, on } from '../endpoint.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { Caller } from '../tokens.ts'

export function memoryRoutes({ current, access }: ServerDeps): Bound[] {
  /** The caller's own; with the scope `admin`, everyone's. */
  const memoryOf = (who: Caller) => current.agent.memories.keptFor(access.scopeOf(who, 'change').whose)
  return [
    on('GET /api/memory', async ({ query: { q = '', limit }, who }) => {
      const query = q.trim() === '' ? undefined : q
      return { memories: (await memoryOf(who).list({ limit, ...present({ query }) })).map(viewOf) }
    }),
    on('GET /api/memory/:id', async ({ params: { id }, who }) => {
      const found = await memoryOf(who).find(id)
      if (found === undefined) throw new WritError('MEMORY_UNKNOWN.http', { id })
      return viewOf(found)
    }),
    on('DELETE /api/memory/:id', async ({ params: { id }, who }) => {
      const forgotten = await memoryOf(who).forget(id)
      if (forgotten.length === 0) throw new WritError('MEMORY_UNKNOWN.http', { id })
      return { forgotten }
    }),
  ]
}

function viewOf({ source, ...entry }: OwnedEntry): MemoryView {
  return { ...entry, ...source }
}
