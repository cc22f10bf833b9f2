import { expect, test } from 'vitest'
import { isWeakTurn } from './weak-turn.ts'

const weak = (reply: string, toolFailed = false) => isWeakTurn({ reply, stopReason: 'final', toolFailed })

test.each([
  "I'm not sure about that.",
  'I could not verify it.',
  '这一点我不确定。',
  '无法核实',
  'Confidence: 0.3',
  '置信度：40%',
])('S4-83: weak: %s', (reply) => expect(weak(reply)).toBe(true))
test.each(['It is five.', '一共五个。', 'Confidence: 0.9', 'confidence 85%', 'The function returns undefined.'])(
  'S4-83: not weak: %s',
  (reply) => expect(weak(reply)).toBe(false),
)
test('S4-83: a turn whose last tool call failed is weak', () => {
  expect(weak('done', true)).toBe(true)
  expect(isWeakTurn({ reply: '', stopReason: 'tool_error', toolFailed: false })).toBe(true)
})
