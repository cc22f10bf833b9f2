import { expect, test } from 'vitest'
import { snapshotOf } from './snapshot.ts'
import { scoutTexts } from './texts.ts'

const limits = { calls: 3, steps: 4, seconds: 12, tools: ['search_docs', 'read_doc', 'report_findings'] }

test.each(['en', 'zh'] as const)('S4-88: the whole prompt of a scout, in %s', (lang) => {
  expect(scoutTexts(lang).prompt(limits)).toMatchSnapshot()
})

test('S4-30 S4-31: the snapshot has at most six messages of 500 characters, no tool results among them, and ends with the main agent', () => {
  const spoken = Array.from({ length: 9 }, (_, i) =>
    i % 2 === 0
      ? { role: 'user' as const, content: `question ${i} ${'字'.repeat(600)}` }
      : { role: 'assistant' as const, content: `answer ${i}` },
  )
  const tool = { role: 'tool' as const, callId: 'c', tool: 'file_read', content: 'SECRET' }
  const call = { role: 'assistant' as const, content: '', calls: [] }
  const snapshot = snapshotOf([...spoken, tool, call], 'explore')
  expect(snapshot).toHaveLength(6)
  expect(snapshot.at(-1)).toEqual({ role: 'assistant', content: '[explore]' })
  expect(snapshot.every(({ content }) => [...content].length <= 500)).toBe(true)
  expect(JSON.stringify(snapshot)).not.toContain('SECRET')
  expect(snapshotOf([], 'explore')).toEqual([])
  const whole = [
    { role: 'user' as const, content: 'q' },
    { role: 'assistant' as const, content: 'I will look it up' },
  ]
  expect(snapshotOf(whole, 'explore')).toEqual(whole)
})
