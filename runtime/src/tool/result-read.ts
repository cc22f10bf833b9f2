import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { RESULT_TOOL } from '../protocol/message.ts'
import { defineTool, type Tool } from './tool.ts'

interface ResultArgs {
  id: string
  from?: number
  length?: number
}

const LENGTH = 8_000
const LENGTH_MAX = 16_000

/**
 * External, whatever returned the text first: it is inspected again, and reading a text a second time never makes it
 * more trusted.
 */
export const resultReadTool: Tool<ResultArgs> = defineTool<ResultArgs>({
  name: RESULT_TOOL,
  description:
    'Read more of an earlier tool result that is shown shortened, by its id such as "r12", or see its picture again. Attachments of the user have ids such as "a1".',
  schema: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[ra][0-9]{1,6}$',
        description: 'The id shown with the result or the attachments.',
      },
      from: { type: 'integer', minimum: 0, description: 'First character to read; 0 when absent.' },
      length: {
        type: 'integer',
        minimum: 1,
        maximum: LENGTH_MAX,
        description: `Characters to read; ${LENGTH} when absent.`,
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
  family: 'task',
  risk: 'Low',
  trust: 'external',
  readOnly: true,

  async execute({ id, from = 0, length = LENGTH }, { resultOf }) {
    const found = await resultOf(id)
    if (found === undefined) throw new WritError('RESULT_UNKNOWN', { id })
    const { text, isGone, media } = found
    if (from >= text.length) throw new WritError('RESULT_END', { id, chars: text.length })
    const part = text.slice(from, from + length).toWellFormed()
    const end = Math.min(text.length, from + length)
    const gone = isGone ? ' The file with the rest is gone; this is what was shown.' : ''
    const read = `[result ${id} of ${found.tool}, characters ${from} to ${end} of ${text.length}.${gone}]\n${part}`
    return { ok: true, text: read, ...present({ media }) }
  },
})
