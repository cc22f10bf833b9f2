import { expect, test } from 'vitest'
import { startTimeLimit } from './time-limit.ts'

const over = (ms: number) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { limit: startTimeLimit(ms, resolve), promise }
}

test('X-GATEWAY-12: the time limit of a call stands still while a person is asked, and goes on after the answer', async () => {
  let isOver = false
  const call = startTimeLimit(20, () => (isOver = true))
  // Two questions at once count as one.
  await Promise.all([call.untimed(() => over(60).promise), call.untimed(() => over(90).promise)])
  expect(isOver).toBe(false)
  await expect.poll(() => isOver).toBe(true)
})

test('X-GATEWAY-12: a question that fails lets the limit go on, and a call that has ended has none', async () => {
  const { limit, promise } = over(20)
  await expect(limit.untimed(() => Promise.reject(new Error('left')))).rejects.toThrow('left')
  await promise
  const ended = over(10)
  ended.limit.clear()
  await ended.limit.untimed(async () => {})
  const first = await Promise.race([ended.promise.then(() => 'over'), over(60).promise.then(() => 'later')])
  expect(first).toBe('later')
})
