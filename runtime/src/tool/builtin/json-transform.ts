import jmespath from 'jmespath'
import { messageOf } from '../../base/errors.ts'
import type { Json } from '../../base/json.ts'
import { runBounded } from '../guard/bounded.ts'
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
      if (expression !== undefined) runBounded(() => compile(expression), MAX_MS)
      return []
    } catch (error) {
      return [{ key: 'expression', message: messageOf(error) }]
    }
  },

  execute({ input, expression }): ToolOutput {
    if (typeof input === 'string' && input.length > MAX_INPUT) return { ok: false, error: 'the input is too long' }
    try {
      const done = runBounded(() => transform(input, expression), MAX_MS)
      return done?.value ?? { ok: false, error: `the expression took longer than ${MAX_MS} ms` }
    } catch (error) {
      return { ok: false, error: messageOf(error) }
    }
  },
})

/** Its types leave it out. */
const { compile } = jmespath as unknown as { compile(expression: string): unknown }

function transform(input: Json, expression: string): ToolOutput {
  const value: unknown = typeof input === 'string' ? parse(input) : input
  const result: unknown = jmespath.search(value, expression)
  if (!fits(result, MAX_OUTPUT)) return { ok: false, error: `the result is longer than ${MAX_OUTPUT} characters` }
  return { ok: true, text: JSON.stringify(result, null, 2) ?? 'null' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(String(readAnswer(text)?.body ?? text))
  } catch (error) {
    throw new SyntaxError(`the input is not JSON: ${messageOf(error)}`)
  }
}

/** Counted before it is written: an expression can build a value that shares its parts and prints to gigabytes. */
function fits(value: unknown, max: number): boolean {
  const pending = [value]
  let size = 0
  for (let item = pending.pop(); size <= max; item = pending.pop()) {
    size += typeof item === 'string' ? item.length + 2 : 4
    if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        size += key.length
        pending.push(inner)
      }
    }
    if (pending.length === 0) break
  }
  return size <= max
}
