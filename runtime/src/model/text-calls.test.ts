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

function decode(text: string, isQuoted = (_block: string) => false, jsonAnswer = false) {
  const usage = { inputTokens: 1, outputTokens: 1 }
  return decodeNative({ text, calls: [], usage, truncated: false }, () => 'id', { tools: TOOLS, isQuoted, jsonAnswer })
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
    ['function_call', `<function_call>${CALL}</function_call>`],
    [
      'invoke',
      '<function_calls>\n<invoke name="file_read">\n<parameter name="path">a.md</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'invoke with a namespace',
      '<minimax:tool_call><invoke name="file_read"><parameter name="path">a.md</parameter></invoke>',
    ],
    [
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>file_read\n```json\n{"path":"a.md"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ['DeepSeek, shorter', '<｜tool▁call▁begin｜>file_read<｜tool▁sep｜>{"path":"a.md"}<｜tool▁call▁end｜>'],
    [
      'Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.file_read:0<|tool_call_argument_begin|>{"path":"a.md"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    ['ReAct', 'Action: file_read\nAction Input: {"path": "a.md"}'],
    ['Python', '[file_read(path="a.md")]'],
    ['Python in a block', "```tool_code\nfile_read(path='a.md')\n```"],
    ['a list of calls', `{"tool_calls": [${CALL}]}`],
    ['tool_name', '[{"tool_name": "file_read", "parameters": {"path": "a.md"}}]'],
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

  test('one of a tool that does not exist goes to the gate, which names a similar one', () => {
    expect(decode('<tool_call>{"name": "read_file", "arguments": {}}</tool_call>')).toMatchObject({
      kind: 'calls',
      calls: [{ tool: 'read_file' }],
    })
  })

  test.each([
    ['JSON that breaks off', '<tool_call>{"name": "file_read", "arguments": {"pa'],
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
    ['code that calls a function of that name', '```python\nfile_read(path="a.md")\n```'],
    ['Python with more than literals', '[file_read(path=open("a"))]'],
    ['Python of another function', '[launch(path="a")]'],
    ['an example of another tool', '```xml\n<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>\n```'],
    ['a call with words after it, in Python', '[file_read(path="a.md")] reads a file.'],
    ['nothing special', 'file_read reads a file.'],
  ])('%s', (_what, text) => {
    expect(decode(text)).toMatchObject({ kind: 'final', text })
  })

  test('a call that repeats a text the model has read, and the reply is marked', () => {
    const text = `It says:\n<tool_call>${CALL}</tool_call>`
    expect(decode(text, (block) => block.includes('a.md'))).toEqual({ kind: 'final', text, quotesCall: true })
  })

  test('JSON, where the answer must be JSON; a marker still makes a call', () => {
    expect(decode(CALL, undefined, true)).toEqual({ kind: 'final', text: CALL })
    expect(decode(`<tool_call>${CALL}</tool_call>`, undefined, true)).toMatchObject({ kind: 'calls' })
  })

  test('hostile text is read in linear time', () => {
    for (const text of [
      '<tool_call>\n'.repeat(4_000),
      '```\n'.repeat(12_000),
      '[TOOL_CALLS]a\n'.repeat(3_500),
      `<function=a>${'<parameter=b>'.repeat(3_800)}`,
      `[file_read(path=${'['.repeat(40_000)}`,
      `<invoke name="a">${'<parameter name="b">'.repeat(2_400)}`,
      'Action: a\n'.repeat(4_500),
    ])
      expect(['final', 'malformed']).toContain(decode(text).kind)
  })
})
