import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyWith, toolInput } from '../../../test/support/gate-input.ts'
import { quota } from './quota.ts'

const RATE = { perSecond: 5, burst: 10 }

/** Which of the calls, made at these times, are let through; as the run's state remembers them. */
function letThrough(times: readonly number[], rateLimit = RATE): number[] {
  const minted: number[] = []
  for (const now of times) {
    const state = { minted: { file_read: [...minted] } }
    if (quota(toolInput({ policy: policyWith({ rateLimit }), state, now })).length === 0) minted.push(now)
  }
  return minted
}

/** The textbook's bucket: full at first, a call takes one, time puts back. */
function bucket(times: readonly number[], { perSecond, burst }: typeof RATE): number[] {
  let level = burst
  let last = times[0] ?? 0
  return times.filter((now) => {
    level = Math.min(burst, level + ((now - last) / 1000) * perSecond)
    last = now
    if (level < 1) return false
    level -= 1
    return true
  })
}

test('S3-37 S3-38: ten calls in a burst pass, the eleventh does not, and each fifth of a second allows one more', () => {
  expect(letThrough(Array(30).fill(1000))).toHaveLength(10)
  const later = [...Array(12).fill(1000), 1199, 1200, 1201, 1400, 1401]
  expect(letThrough(later)).toEqual([...Array(10).fill(1000), 1200, 1400])
})

test('S3-38: it is a token bucket, whatever the times, the rate and the burst', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 64 }),
      (gaps, perSecond, burst) => {
        let now = 0
        const times = gaps.map((gap) => (now += gap * 8))
        // Multiples of 8 ms and whole rates: what is put back is exact in binary, so that both round alike.
        const rate = { perSecond: perSecond * 125, burst }
        expect(letThrough(times, rate)).toEqual(bucket(times, rate))
      },
    ),
  )
})

test('S3-37: every tool has a bucket of its own, and calls that were refused cost nothing', () => {
  const policy = policyWith({ rateLimit: { perSecond: 1, burst: 1 } })
  const state = { minted: { file_read: [2000] } }
  expect(quota(toolInput({ policy, state, now: 2000 }))).toMatchObject([
    { reason: 'RATE_LIMITED', effect: 'recover', rule: 'deny', message: expect.stringContaining('file_read') },
  ])
  expect(quota(toolInput({ policy, state, now: 2000, tool: 'http_request' }))).toEqual([])
  expect(quota(toolInput({ state, now: 2000 }))).toEqual([])
})
