import { expect, test } from 'vitest'
import { MAX_STREAMS, openLimits } from './limits.ts'

function limitsAt(start: number) {
  const clock = { time: start, now: () => clock.time }
  return { clock, limits: openLimits(clock) }
}

test('a token may send a burst of requests, then only as fast as its bucket refills; other tokens are unaffected', () => {
  const { clock, limits } = limitsAt(0)
  let accepted = 0
  while (limits.spend('a') === 0) accepted++
  expect(accepted).toBeGreaterThanOrEqual(500)
  expect(limits.spend('a')).toBeGreaterThan(0)
  expect(limits.spend('b')).toBe(0)
  clock.time += 1000
  expect(limits.spend('a')).toBe(0)
})

test('each failure doubles the wait of an address, up to a maximum; failures are forgotten after a while', () => {
  const { clock, limits } = limitsAt(0)
  for (let i = 0; i < 9; i++) limits.failed('x')
  expect(limits.waitOf('x')).toBe(0)
  const waits = Array.from({ length: 15 }, () => {
    limits.failed('x')
    return limits.waitOf('x')
  })
  expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8])
  expect(waits.at(-1)).toBe(300)
  expect(limits.waitOf('y')).toBe(0)
  clock.time += 600_000
  expect([limits.waitOf('x'), limits.failed('x')]).toEqual([0, 1])
})

test('the number of remembered addresses is bounded: the oldest are dropped', () => {
  const { limits } = limitsAt(0)
  for (let i = 0; i < 12; i++) limits.failed('first')
  for (let i = 0; i < 10_000; i++) limits.failed(`address ${i}`)
  expect(limits.waitOf('first')).toBe(0)
})

test('the number of open streams per token is limited; closing one makes room for one; other tokens are unaffected', () => {
  const { limits } = limitsAt(0)
  const open = Array.from({ length: MAX_STREAMS }, () => limits.openStream('a'))
  expect(open.every((end) => end !== undefined)).toBe(true)
  expect(limits.openStream('a')).toBeUndefined()
  expect(limits.openStream('b')).toBeDefined()
  open[0]?.()
  open[0]?.()
  expect(limits.openStream('a')).toBeDefined()
  expect(limits.openStream('a')).toBeUndefined()
})
