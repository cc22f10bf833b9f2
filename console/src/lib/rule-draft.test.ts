import { expect, test } from 'vitest'
import { asFile, callsIn, examplesText, isTightening, listAt, withExamples, withList } from './rule-draft.ts'

test('X-CONSOLE-18: patterns and examples of a rule are edited as lists and lines, everything else is kept', () => {
  const rule = { decide: 'allow', when: { args: { '/amount': { below: 9 } }, command: 'npm test' } }
  expect(listAt(rule, 'when.command')).toEqual(['npm test'])
  const two = withList(rule, 'when.command', ['npm test', 'npm run *'])
  expect(two).toMatchObject({ when: { args: { '/amount': { below: 9 } }, command: ['npm test', 'npm run *'] } })
  expect(withList(two, 'when.command', ['x'])).toMatchObject({ when: { command: 'x' } })
  expect(withList({ decide: 'ask', when: { command: 'x' } }, 'when.command', [])).toEqual({ decide: 'ask' })
  const text = 'npm test\n{"tool":"file_read","args":{"path":"a"}}'
  const told = withExamples(rule, 'match', `${text}\n\n`)
  expect(told).toMatchObject({ examples: { match: ['npm test', { tool: 'file_read', args: { path: 'a' } }] } })
  expect(examplesText(told, 'match')).toBe(text)
  expect(withExamples(told, 'match', ' ')).toEqual(rule)
})

test('a line that is not a call is a shell line', () => {
  expect(callsIn('ls {\n{"a":1}\n"x"')).toEqual(['ls {', '{"a":1}', '"x"'])
})

test('X-CONSOLE-18: a draft with an allow is not for the server to store', () => {
  expect([isTightening([{ decide: 'ask' }, { decide: 'deny' }]), isTightening([{ decide: 'allow' }])]).toEqual([
    true,
    false,
  ])
  expect(JSON.parse(asFile([{ decide: 'ask' }]))).toEqual({ agent: { security: { rules: [{ decide: 'ask' }] } } })
})
