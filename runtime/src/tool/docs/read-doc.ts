import type { Docs } from '../../ports/docs.ts'
import { describeReading, READS_FILES } from '../file-reading.ts'
import { pathFailure } from '../guard/paths.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'

interface ReadDocArgs {
  id: string
  offset?: number
  limit?: number
}

/**
 * Answers with JSON, `{id, from, to, total, text, next?}`. `text` is exactly lines `from` to `to` of the document:
 * quotations are checked against it.
 */
export function readDocTool(docs: Docs): Tool<ReadDocArgs> {
  return defineTool<ReadDocArgs>({
    name: 'read_doc',
    description:
      'Read a document of the workspace: text, Markdown, source, or the text of HTML and PDF. Answers JSON: {id, from, to, total, text}, where from, to and total count lines. Long documents come in parts: `next` is the offset to continue with.',
    schema: {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, description: 'The id of a hit: its path, relative to the workspace.' },
        offset: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to read at most.' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    ...READS_FILES,

    preValidate: ({ id }, world) => describeReading({ path: id, preview: `read ${id}` }, world),

    async execute({ id, ...range }, { signal }): Promise<ToolOutput> {
      try {
        return { ok: true, text: JSON.stringify(await docs.read(id, { ...range, signal })) }
      } catch (error) {
        return pathFailure(error, id)
      }
    },
  })
}
