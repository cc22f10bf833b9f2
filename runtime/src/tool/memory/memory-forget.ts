import { clip } from '../../base/text.ts'
import type { Memories } from '../../ports/memory.ts'
import { defineTool, type Tool } from '../tool.ts'
import { formatMemory } from './memory-text.ts'

interface MemoryForgetArgs {
  id: string
}

const MAX_PREVIEW = 1000

export function memoryForgetTool(memories: Memories): Tool<MemoryForgetArgs> {
  return defineTool<MemoryForgetArgs>({
    name: 'memory_forget',
    description: 'Delete one remembered entry by the id that memory_recall shows, and turn summaries that repeat it.',
    schema: {
      type: 'object',
      properties: { id: { type: 'string', minLength: 1, maxLength: 200, description: 'For example `mem_…`.' } },
      required: ['id'],
      additionalProperties: false,
    },
    family: 'memory',
    risk: 'Medium',
    trust: 'internal',
    readOnly: false,
    touchesFiles: false,
    idempotent: true,

    // An id means nothing to a person: the question shows what would be deleted.
    async preValidate({ id }, _world, { owner }) {
      const memory = memories.of(owner)
      const entry = await memory.find(id)
      if (entry === undefined) return { preview: `forget ${id}` }
      const lost = [entry, ...(await memory.retellings(id))].map(formatMemory).join('\n')
      return { preview: `forget ${clip(lost, MAX_PREVIEW)}` }
    },

    async execute({ id }, { owner }) {
      const gone = await memories.keptFor(owner).forget(id)
      const [, ...summaries] = gone
      if (summaries.length > 0) return `Forgot ${id}, and the turn summaries that repeat it: ${summaries.join(', ')}.`
      if (gone.length > 0) return `Forgot ${id}.`
      return { ok: false, error: `nothing is remembered as ${id}; memory_recall shows the ids` }
    },
  })
}
