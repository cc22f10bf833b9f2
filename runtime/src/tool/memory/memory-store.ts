import { WritError } from '../../errors/writ-error.ts'
import type { Memories } from '../../ports/memory.ts'
import { VISIBLE_PATTERN } from '../../protocol/visible-text.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'

interface MemoryStoreArgs {
  content: string
  tags?: string[]
}

const NAME = 'memory_store'

export function memoryStoreTool(memories: Memories): Tool<MemoryStoreArgs> {
  return defineTool<MemoryStoreArgs>({
    name: NAME,
    description: 'Remember a fact beyond this session: a preference, a decision, a name. One fact per call.',
    schema: {
      type: 'object',
      properties: {
        content: {
          type: 'string',
          minLength: 1,
          maxLength: 8000,
          pattern: VISIBLE_PATTERN,
          description: 'The fact, in a sentence or two.',
        },
        tags: {
          type: 'array',
          maxItems: 16,
          items: { type: 'string', minLength: 1, maxLength: 64, pattern: VISIBLE_PATTERN },
          description: 'Further words to find it by.',
        },
      },
      required: ['content'],
      additionalProperties: false,
    },
    family: 'memory',
    risk: 'Low',
    trust: 'internal',
    readOnly: false,
    touchesFiles: false,

    preValidate: ({ content, tags = [] }) => ({
      preview: tags.length === 0 ? `remember: ${content}` : `remember (${tags.join(', ')}): ${content}`,
    }),

    async execute({ content, tags = [] }, { owner, sessionId, runId, isHearsay }): Promise<ToolOutput> {
      try {
        const source = { kind: 'tool' as const, sessionId, runId, tool: NAME }
        const retold = isHearsay([content, ...tags].join('\n'))
        const { id, mark } = await memories.of(owner).store({ content, tags, source, retold })
        const note = mark === undefined ? '' : ' The wording looked suspicious; the entry is marked so.'
        return { ok: true, text: `Remembered as ${id}.${note}` }
      } catch (error) {
        if (!(error instanceof WritError) || error.code !== 'MEMORY_POISONED') throw error
        return { ok: false, code: error.code, error: `${error.message}. ${error.hint}` }
      }
    },
  })
}
