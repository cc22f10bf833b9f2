import { expect, test } from 'vitest'
import { WritError } from '../errors/writ-error.ts'
import { errorFrom, failedBy, isRetryable, nameOf } from './dispatch.ts'

test('a question has one answer, and a question that is asked again has its own', () => {
  const nameWith = (asked: number, answer: 'y' | 'n') =>
    nameOf({ kind: 'resume', sessionId: 's', runId: 'r', answer: { callId: 'c', answer, by: 'ann', asked } })
  expect(nameWith(5, 'y')).toBe(nameWith(5, 'n'))
  expect(nameWith(5, 'y')).not.toBe(nameWith(9, 'y'))
})

test('the error of a stored job can be read in another language', () => {
  const stored = JSON.parse(JSON.stringify(failedBy(new WritError('SESSION_WAITING', { session: 'ses_1' }))))
  const error = errorFrom(stored)
  expect(error).toMatchObject({ code: 'SESSION_WAITING', message: stored.message, hint: stored.hint })
  expect(error instanceof WritError && error.textIn('zh').message).toContain('ses_1')
})

test('the error of a job stored by an earlier version keeps its text', () => {
  const stored = { code: 'SESSION_WAITING', message: 'session ses_1 waits', hint: 'Answer it.' }
  expect(errorFrom(stored)).toMatchObject(stored)
})

test('only errors that may pass are retried', () => {
  expect(isRetryable(new WritError('SESSION_BUSY', { session: 'ses_1' }))).toBe(true)
  expect(isRetryable(new WritError('RUN_INTERRUPTED', { run: 'run_1', isWorkflow: false }))).toBe(true)
  expect(isRetryable(new WritError('RUN_ENDED', { run: 'run_1', reason: 'final' }))).toBe(false)
  expect(isRetryable(new Error('unexpected'))).toBe(true)
})
