import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Leases } from '../storage/leases.ts'
import { holdLease } from './lease.ts'

/** A lease that is granted, and then renewed as `renew` says. */
function leasesWith(renew: () => Promise<boolean>): Leases {
  return {
    take: async () => true,
    renew,
    holderOf: async () => undefined,
    heldUntil: async () => undefined,
    list: async () => [],
    release: async () => {},
  }
}
const { signal } = new AbortController()

test.concurrent.each([
  ['another worker has it', async () => false],
  ['the database does not answer any more', () => new Promise<boolean>(() => {})],
  ['the database cannot be reached', () => Promise.reject(new Error('gone'))],
])('running work is stopped when %s', async (_, renew) => {
  const lease = await holdLease(leasesWith(renew), 'session:s', { signal, waitMs: 0 })
  try {
    if (!lease.ending.aborted) await once(lease.ending, 'abort')
    expect(lease.ending.aborted).toBe(true)
  } finally {
    await lease.release()
  }
})
