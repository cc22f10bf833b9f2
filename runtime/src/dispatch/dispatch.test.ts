import { expect, test } from 'vitest'
import { nameOf } from './dispatch.ts'

test('a question has one answer, and one that is asked anew has its own', () => {
  const said = (asked: number, answer: 'y' | 'n') =>
    nameOf({ kind: 'resume', sessionId: 's', runId: 'r', answer: { callId: 'c', answer, by: 'ann', asked } })
  expect(said(5, 'y')).toBe(said(5, 'n'))
  expect(said(5, 'y')).not.toBe(said(9, 'y'))
})
