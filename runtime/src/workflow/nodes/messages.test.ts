import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WritError } from '../../errors/writ-error.ts'
import { conversationOf, MESSAGES_SCHEMA, ROLES, readMessages } from './messages.ts'

test('S3-96: what the exported schema accepts is read, and what it refuses is not', () => {
  const fits = new Ajv2020({ strict: false }).compile(MESSAGES_SCHEMA)
  const word = fc.oneof(fc.string(), fc.constant(7), fc.constant(null))
  const message = fc.record(
    {
      role: fc.oneof(fc.constantFrom(...ROLES), fc.constantFrom('robot', 1)),
      content: word,
      tool_call_id: word,
      name: word,
      extra: word,
    },
    { requiredKeys: [] },
  )
  const given = fc.oneof(fc.array(fc.oneof(message, fc.constant('text'))), fc.object({ maxDepth: 1 }), fc.constant(1))
  fc.assert(
    fc.property(given, (value) => {
      const accepted = fits(value)
      for (const form of [value, JSON.stringify(value)]) {
        if (accepted) expect(readMessages(form)).toEqual(value)
        else expect(() => readMessages(form)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
      }
    }),
  )
})

test.each([
  ['en', 'messages_json[1].role: expected one of system, user, assistant, tool'],
  ['zh', 'messages_json[1].role: 应为 system、user、assistant、tool 之一'],
] as const)('S3-26 (%s): a problem is said with its place', (lang, text) => {
  const list = [
    { role: 'user', content: 'a' },
    { role: 'robot', content: 'b' },
  ]
  const read = () => readMessages(list)
  expect(read).toThrow(expect.toSatisfy((error: WritError) => error.textIn(lang).message === text))
})

test('S3-96: system messages are for the prompt; a tool’s result keeps its call and name', () => {
  const { system, history } = conversationOf([
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'hi' },
    { role: 'tool', content: '42', tool_call_id: 'c1', name: 'look' },
    { role: 'tool', content: '43' },
  ])
  expect(system).toEqual(['be brief'])
  expect(history).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'tool', callId: 'c1', tool: 'look', content: '42' },
    { role: 'tool', callId: 'message_3', tool: 'tool', content: '43' },
  ])
})
