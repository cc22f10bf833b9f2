import type { Memories } from '../../ports/memory.ts'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import { defineTool, type Tool } from '../tool.ts'
import { formatMemories, splitRetold } from './memory-text.ts'

interface MemoryRecallArgs {
  query: string
  limit?: number
}

const LIMIT = 5

export function memoryRecallTool(memories: Memories): Tool<MemoryRecallArgs> {
  return defineTool<MemoryRecallArgs>({
    name: 'memory_recall',
    description:
      'Look up what was remembered, by the words it contains; any of them will do. The best match comes first.',
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'A few words of what to look for.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 50,
          description: `How many entries at most; ${LIMIT} when absent.`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    family: 'memory',
    risk: 'Low',
    trust: 'internal',
    readOnly: true,

    async execute({ query, limit = LIMIT }, { owner }) {
      const entries = await memories.of(owner).recall(query, { limit })
      if (entries.length === 0) return EMPTY_RESULTS.memories
      const told = entries.some(({ retold }) => retold) ? { told: splitRetold(entries) } : {}
      return { ok: true, text: formatMemories(entries), ...told }
    },
  })
}
