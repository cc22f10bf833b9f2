import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../protocol/message.ts'
import { decodeJson, jsonInstructions, renderForJson, speakJson } from './dialect-json.ts'
import { decodeNative } from './dialect-native.ts'
import type { Completion, RawCall } from './model.ts'

function completion(part: Partial<Completion>): Completion {
  return { text: '', calls: [], usage: { inputTokens: 0, outputTokens: 0 }, truncated: false, ...part }
}

function counter() {
  let n = 0
  return (prefix: string) => `${prefix}_${++n}`
}

const native = (part: Partial<Completion>) => decodeNative(completion(part), counter())
const json = (text: string, part: Partial<Completion> = {}) => decodeJson(completion({ text, ...part }), counter())

describe('native', () => {
  test('text without calls is the final answer', () => {
    expect(native({ text: 'done', reasoning_content: 'hm' })).toEqual({
      kind: 'final',
      text: 'done',
      reasoning_content: 'hm',
    })
  })

  test('calls keep their order and the words beside them', () => {
    const calls: RawCall[] = [
      { id: 'x', tool: 'file_read', args: { path: 'a' } },
      { id: 'y', tool: 'file_list', args: { path: '.' } },
    ]
    expect(native({ text: 'looking', calls })).toMatchObject({
      kind: 'calls',
      text: 'looking',
      calls: [{ tool: 'file_read' }, { tool: 'file_list' }],
    })
  })

  test('equal or empty ids from the provider do not merge two calls', () => {
    const calls = ['call_0', 'call_0', ''].map((id) => ({ id, tool: 'git', args: {} }))
    const reply = native({ calls })
    const ids = reply.kind === 'calls' ? reply.calls.map((call) => call.id) : []
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain('')
  })

  test('the error for cut-off arguments names the tool, the limit and the place', () => {
    const reply = native({ calls: [{ id: '1', tool: 'file_write', rawArgs: '{"path":"no' }], truncated: true })
    expect(reply).toMatchObject({ kind: 'malformed' })
    const { error } = reply as { error: string }
    expect(error).toContain('file_write')
    expect(error).toContain('token limit')
    expect(error).toContain('path')
  })

  test.each([[[1]], ['text'], [null], [7]])('rejects arguments that are %j: arguments are objects', (args) => {
    expect(native({ calls: [{ id: '1', tool: 'git', args }] })).toMatchObject({
      kind: 'malformed',
      error: expect.stringContaining('JSON object'),
    })
  })

  test('one bad call makes the whole reply malformed, so that no part of it runs', () => {
    const calls: RawCall[] = [
      { id: '1', tool: 'git', args: {} },
      { id: '2', tool: 'shell', rawArgs: '{' },
    ]
    expect(native({ calls }).kind).toBe('malformed')
  })

  test('a blank reply is malformed, not an empty answer', () => {
    expect(native({ text: ' \n' })).toMatchObject({ kind: 'malformed', error: expect.stringContaining('empty reply') })
  })

  test('arguments nested too deeply are rejected', () => {
    const args = JSON.parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    expect(native({ calls: [{ id: '1', tool: 'git', args }] })).toMatchObject({
      kind: 'malformed',
      error: expect.stringContaining('deeper'),
    })
  })

  test('any provider output decodes to one of the three kinds', () => {
    const call = fc.oneof(
      fc.record({ id: fc.string(), tool: fc.string(), args: fc.anything() }),
      fc.record({ id: fc.string(), tool: fc.string(), rawArgs: fc.string() }),
    )
    const any = fc.record({ text: fc.string(), calls: fc.array(call, { maxLength: 4 }), truncated: fc.boolean() })
    fc.assert(fc.property(any, (part) => ['final', 'calls', 'malformed'].includes(native(part).kind)))
  })
})

describe('json', () => {
  test('S3-76: one action or one final, white space around it allowed', () => {
    expect(json(' {"type":"final","answer":"42"}\n')).toEqual({ kind: 'final', text: '42' })
    expect(json('{"type":"action","tool":"git","args":{"args":["status"]}}')).toEqual({
      kind: 'calls',
      text: '',
      calls: [{ id: 'call_1', tool: 'git', args: { args: ['status'] } }],
    })
  })

  test.each([
    ['```json\n{"type":"final","answer":"x"}\n```', 'code fence'],
    ['Sure! {"type":"final","answer":"x"}', 'no words before'],
    ['{"type":"final","answer":"x"} Hope it helps', 'nothing after'],
    ['{"type":"final","answer":"x"}{"type":"final","answer":"y"}', 'nothing after'],
    ['{"type":"final","answer":', 'not valid JSON'],
    ['[]', 'one JSON object, not an array'],
    ['"text"', 'one JSON object, not a string'],
    ['', 'empty'],
    ['{"type":"thought","text":"x"}', '"type"'],
    ['{"answer":"x"}', '"type"'],
    ['{"type":"final","answer":7}', '"answer" must be a string, not a number'],
    ['{"type":"final"}', '"answer"'],
    ['{"type":"final","answer":"x","confidence":1}', '"confidence"'],
    ['{"type":"action","tool":"git"}', '"args"'],
    ['{"type":"action","tool":"","args":{}}', '"tool"'],
    ['{"type":"action","tool":7,"args":{}}', '"tool"'],
    ['{"type":"action","tool":"git","args":[]}', '"args" of git must be a JSON object, not an array'],
    ['{"type":"action","tool":"git","args":{},"why":"x"}', '"why"'],
  ])('S3-76, S3-78, S3-79: %s is malformed and the error names %s', (text, named) => {
    expect(json(text)).toMatchObject({ kind: 'malformed', error: expect.stringContaining(named) })
  })

  test('native calls are malformed here', () => {
    expect(json('', { calls: [{ id: '1', tool: 'git', args: {} }] }).kind).toBe('malformed')
  })

  test('S3-157: any text decodes to one of the three kinds', () => {
    const near = fc
      .record({
        type: fc.constantFrom('action', 'final', 1),
        tool: fc.anything(),
        args: fc.anything(),
        answer: fc.string(),
      })
      .map((value) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? 0 : item)) ?? '')
    const text = fc.oneof(fc.string(), fc.json(), near, fc.string({ unit: 'binary' }))
    fc.assert(fc.property(text, (value) => ['final', 'calls', 'malformed'].includes(json(value).kind)))
  })

  test('decodes ten megabytes on one line, valid or not', () => {
    const long = 'x'.repeat(10_000_000)
    expect(json(JSON.stringify({ type: 'final', answer: long })).kind).toBe('final')
    expect(json(`{"type":"final","answer":"${long}`).kind).toBe('malformed')
    expect(json(' '.repeat(10_000_000)).kind).toBe('malformed')
    expect(json('{'.repeat(10_000_000)).kind).toBe('malformed')
  })

  test('an in-process model’s reply survives conversion to JSON', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (answer) => {
        const spoken = speakJson({ text: answer, calls: [] })
        expect(json(spoken)).toMatchObject({ kind: 'final' })
      }),
    )
    const call = { id: '', tool: 'git', args: { args: ['log'] } }
    expect(json(speakJson({ text: '', calls: [call] }))).toMatchObject({ calls: [{ tool: 'git', args: call.args }] })
    expect(json(speakJson({ text: '', calls: [call, call] })).kind).toBe('malformed')
  })
})

describe('json prompt', () => {
  const tools = [{ name: 'http_request', description: 'fetches a page', schema: { type: 'object' } }]

  test.each(['en', 'zh'] as const)('S3-143 to S3-152 (%s): tools, both forms, three examples', (lang) => {
    const text = jsonInstructions(tools, lang)
    expect(text).toContain('http_request: fetches a page {"type":"object"}')
    expect(text).toContain('{"type":"action","tool":')
    expect(text).toContain('{"type":"final","answer":"..."}')
    expect(text.match(/^(?:Example \d|示例[一二三])/gm)).toHaveLength(3)
    expect(text).toContain('[错误]')
  })

  test.each(['en', 'zh'] as const)(
    'every line the examples (%s) put in the model’s mouth keeps the protocol',
    (lang) => {
      const lines = jsonInstructions([], lang).match(/^(?:You: |你：)(.+)$/gm) ?? []
      expect(lines.length).toBeGreaterThanOrEqual(5)
      for (const line of lines) expect(json(line.replace(/^(?:You: |你：)/, '')).kind).not.toBe('malformed')
    },
  )

  test('S3-141: the examples can be replaced without touching code', () => {
    expect(jsonInstructions(tools, 'en', { examples: 'MY EXAMPLE' })).toContain('MY EXAMPLE')
    expect(jsonInstructions(tools, 'en', { examples: 'MY EXAMPLE' })).not.toContain('Portugal')
  })

  test('S3-15: a conversation reaches the provider as user and assistant text only', () => {
    const messages: Message[] = [
      { role: 'user', content: 'status?' },
      { role: 'assistant', content: '', calls: [{ id: '1', tool: 'git', args: { args: ['status'] } }] },
      { role: 'tool', callId: '1', tool: 'git', content: 'clean' },
    ]
    expect(renderForJson(messages, 'en')).toEqual([
      { role: 'user', content: 'status?' },
      { role: 'assistant', content: '{"type":"action","tool":"git","args":{"args":["status"]}}' },
      { role: 'user', content: 'Observation from git:\nclean' },
    ])
    expect(renderForJson(messages, 'zh')[2]?.content).toBe('git 的观察结果：\nclean')
    expect(renderForJson(messages, 'en')[1]).toBe(renderForJson(messages, 'en')[1])
  })
})
