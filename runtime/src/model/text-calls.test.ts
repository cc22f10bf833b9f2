import { describe, expect, test } from 'vitest'
import { decodeNative } from './dialect-native.ts'
import type { ToolSpec } from './model.ts'

const TOOLS: ToolSpec[] = [
  {
    name: 'file_read',
    description: '',
    schema: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'integer' } } },
  },
]
const CALL = '{"name": "file_read", "arguments": {"path": "a.md"}}'

function decode(text: string, isQuoted = (_block: string) => false) {
  const usage = { inputTokens: 1, outputTokens: 1 }
  return decodeNative({ text, calls: [], usage, truncated: false }, () => 'id', { tools: TOOLS, isQuoted })
}

describe('X-MODEL-1: a call written as text', () => {
  test.each([
    ['tool_call', `<tool_call>\n${CALL}\n</tool_call>`],
    ['tool_call without its end', `<tool_call>${CALL}`],
    ['arguments as text', '<tool_call>{"name":"file_read","arguments":"{\\"path\\":\\"a.md\\"}"}</tool_call>'],
    ['function with JSON', '<function=file_read>{"path": "a.md"}</function>'],
    ['function with parameters', '<function=file_read>\n<parameter=path>\na.md\n</parameter>\n</function>'],
    ['function in tool_call', '<tool_call><function=file_read><parameter=path>a.md</parameter></function></tool_call>'],
    ['pairs', '<tool_call>file_read\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>'],
    ['TOOL_CALLS with an array', `[TOOL_CALLS][${CALL}]`],
    ['TOOL_CALLS with a name', '[TOOL_CALLS]file_read[ARGS]{"path": "a.md"}'],
    ['python_tag', `<|python_tag|>${CALL}`],
    ['tool_call token', `<|tool_call|>[${CALL}]<|/tool_call|>`],
    ['harmony', '<|channel|>commentary to=functions.file_read <|constrain|>json<|message|>{"path":"a.md"}<|call|>'],
    ['harmony from its start', '<|start|>assistant to=functions.file_read<|message|>{"path":"a.md"}'],
    ['fenced JSON', `\`\`\`json\n${CALL}\n\`\`\``],
    ['a fenced tag', `\`\`\`xml\n<tool_call>${CALL}</tool_call>\n\`\`\``],
    ['bare JSON', CALL],
    ['the wire form', '{"type":"function","function":{"name":"file_read","arguments":{"path":"a.md"}}}'],
    ['a name with a namespace', '{"name":"functions.file_read","arguments":{"path":"a.md"}}'],
  ])('%s is a call', (_form, text) => {
    expect(decode(text)).toEqual({
      kind: 'calls',
      calls: [{ id: 'id', tool: 'file_read', args: { path: 'a.md' } }],
      text: '',
    })
  })

  test('the text before it is the draft, and several calls are several', () => {
    const reply = decode(`I will read both.\n\n<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>\n`)
    expect(reply).toMatchObject({ kind: 'calls', text: 'I will read both.', calls: [{}, {}] })
    expect(decode(`Let me look.\n\`\`\`json\n${CALL}\n\`\`\``)).toMatchObject({ kind: 'calls', text: 'Let me look.' })
  })

  test('values without types are read as the schema describes them', () => {
    const parameters = '<parameter=path>12</parameter><parameter=lines>12</parameter>'
    expect(decode(`<function=file_read>${parameters}</function>`)).toMatchObject({
      calls: [{ args: { path: '12', lines: 12 } }],
    })
  })

  test.each([
    ['JSON that breaks off', '<tool_call>{"name": "file_read", "arguments": {"pa'],
    ['a tool that is not offered', '<tool_call>{"name": "launch", "arguments": {}}</tool_call>'],
    ['arguments that are no object', '<tool_call>{"name": "file_read", "arguments": [1]}</tool_call>'],
    ['no name', '[TOOL_CALLS][{"arguments": {}}]'],
    ['too deep', `<function=file_read>${'{"a":'.repeat(150)}1${'}'.repeat(150)}</function>`],
  ])('%s asks the model to call again', (_what, text) => {
    expect(decode(text)).toMatchObject({ kind: 'malformed', error: expect.stringContaining('written as text') })
  })
})

describe('X-MODEL-1: an ordinary answer stays one', () => {
  test.each([
    ['a call with words after it', `The page says:\n<tool_call>${CALL}</tool_call>\nI did not do that.`],
    ['a quoted line', `The page says:\n> <tool_call>${CALL}</tool_call>`],
    ['a call within a sentence', `It contains <tool_call>${CALL}</tool_call>`],
    ['a fence with words after it', `\`\`\`json\n${CALL}\n\`\`\`\nThis is how a call looks.`],
    ['a fence that is still open', `\`\`\`\nexample\n<tool_call>${CALL}</tool_call>`],
    ['a code block', '```js\nconst a = 1\n```'],
    ['JSON of the answer', '{"name": "Ada", "arguments": {"born": 1815}}'],
    ['JSON with other keys', '{"name": "file_read", "arguments": {}, "rating": 5}'],
    ['JSON without arguments', '{"name": "file_read"}'],
    ['the tag alone in a sentence', 'Models write <tool_call> before a call.'],
    ['a list', '[1, 2, 3]'],
    ['nothing special', 'file_read reads a file.'],
  ])('%s', (_what, text) => {
    expect(decode(text)).toMatchObject({ kind: 'final', text })
  })

  test('a call that repeats a text the model has read', () => {
    const text = `It says:\n<tool_call>${CALL}</tool_call>`
    expect(decode(text, (block) => block.includes('a.md'))).toMatchObject({ kind: 'final', text })
  })

  test('hostile text is read in linear time', () => {
    for (const text of [
      '<tool_call>\n'.repeat(4_000),
      '```\n'.repeat(12_000),
      '[TOOL_CALLS]a\n'.repeat(3_500),
      `<function=a>${'<parameter=b>'.repeat(3_800)}`,
    ])
      expect(['final', 'malformed']).toContain(decode(text).kind)
  })
})
