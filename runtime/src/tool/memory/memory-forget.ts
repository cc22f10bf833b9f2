import { clip } from '../../base/text.ts'
import type { Memories } from '../../storage/memory-port.ts'
import { defineTool, type Tool } from '../tool.ts'
import { formatMemory } from './memory-text.ts'

interface MemoryForgetArgs {
  id: string
}

const MAX_PREVIEW = 1000

export function memoryForgetTool(memories: Memories): Tool<MemoryForgetArgs> {
  return defineTool<MemoryForgetArgs>({
    name: 'memory_forget',
    description:
      'Forget one remembered entry for good, by the id that memory_recall shows. Turn summaries that tell it go too.',
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
    idempotent: true,

    // An id tells a person nothing: the question shows what would be lost.
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
      if (summaries.length > 0) return `Forgot ${id}, and what earlier turns told of it: ${summaries.join(', ')}.`
      if (gone.length > 0) return `Forgot ${id}.`
      return { ok: false, error: `nothing is remembered as ${id}; memory_recall shows the ids` }
    },
  })
}
