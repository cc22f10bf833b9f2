import { messageOf } from '../../base/errors.ts'
import type { Json } from '../../base/json.ts'
import { runBounded } from '../guard/bounded.ts'
import { compileExpression } from '../guard/json-expression.ts'
import { runInThread } from '../guard/worker-pool.ts'
import { valueOutputs } from '../outputs.ts'
import { defineTool, type ToolOutput } from '../tool.ts'
import { readAnswer } from './http-answer.ts'

const MAX_INPUT = 4 * 1024 * 1024
const MAX_OUTPUT = 256 * 1024
const MAX_MS = 500

interface JsonTransformArgs {
  input: Json
  expression: string
}

export const jsonTransformTool = defineTool<JsonTransformArgs>({
  name: 'json_transform',
  description:
    'Pick and reshape JSON with a JMESPath expression, for example `items[?price > `10`].name`. The input is JSON text, a value, or what http_request answered.',
  schema: {
    type: 'object',
    properties: {
      input: { description: 'JSON text, the value itself, or an answer of http_request, whose body is taken.' },
      expression: { type: 'string', minLength: 1, maxLength: 1000, description: 'JMESPath expression.' },
    },
    required: ['input', 'expression'],
    additionalProperties: false,
  },
  family: 'task',
  risk: 'Low',
  trust: 'internal',
  readOnly: true,
  outputs: valueOutputs,

  check({ expression }) {
    try {
      if (expression !== undefined) runBounded(() => compileExpression(expression), MAX_MS)
      return []
    } catch (error) {
      return [{ key: 'expression', message: messageOf(error) }]
    }
  },

  async execute({ input, expression }, { signal }): Promise<ToolOutput> {
    if (typeof input === 'string' && input.length > MAX_INPUT) return { ok: false, error: 'the input is too long' }
    const given: Json = typeof input === 'string' ? String(readAnswer(input)?.body ?? input) : input
    const job = { do: 'transform', input: given, expression, maxOutput: MAX_OUTPUT } as const
    const done = await runInThread(job, { ms: MAX_MS, signal })
    if (done === undefined) {
      return { ok: false, error: `the expression took longer than ${MAX_MS} ms or needed too much memory` }
    }
    return 'error' in done ? { ok: false, error: done.error } : { ok: true, text: done.lines.join('') }
  },
})
