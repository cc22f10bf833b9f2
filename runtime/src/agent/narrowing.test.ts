import { expect, test } from 'vitest'
import { policyWith } from '../../test/support/gate-input.ts'
import { narrowedTo, narrowingOf } from './narrowing.ts'

const own = {
  allowedDomains: ['x.a.test', 'b.test'],
  allowedMethods: ['GET', 'POST'],
  rateLimit: { perSecond: 5, burst: 10 },
}

test('a narrowing tightens the configuration and is recorded', () => {
  const policy = narrowedTo(policyWith(), own)
  expect(policy.security).toMatchObject({ allowedDomains: own.allowedDomains, allowedMethods: own.allowedMethods })
  expect(narrowingOf(policy)).toEqual(own)
  expect(narrowingOf(policyWith())).toBeUndefined()
  expect(narrowedTo(policy, undefined)).toBe(policy)
})

test('a narrowing inside another never loosens the outer one', () => {
  const outer = { allowedDomains: ['*.a.test'], allowedMethods: ['GET'], rateLimit: { perSecond: 1, burst: 20 } }
  expect(narrowingOf(narrowedTo(narrowedTo(policyWith(), outer), own))).toEqual({
    allowedDomains: ['x.a.test'],
    allowedMethods: ['GET'],
    rateLimit: { perSecond: 1, burst: 10 },
  })
})
