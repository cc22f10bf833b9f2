import { expect, test } from 'vitest'
import { makeEvent, makeEvents, makeStart, makeStop } from '../../test/support/events.ts'
import type { Question } from '../protocol/verdict.ts'
import { leasesOn } from '../storage/leases.ts'
import { openDatabase, storeOn } from '../storage/open.ts'
import { newHolder } from './holder.ts'
import { leaseOfSession } from './lease.ts'
import { standingOf, traceRun } from './liveness.ts'

async function desk() {
  const db = await openDatabase({ kind: 'memory' })
  const [store, leases] = [storeOn(db), leasesOn(db)]
  const stands = (runId: string, sessionId = 's') => standingOf(store, leases, { runId, sessionId })
  const hold = () => leases.take(leaseOfSession('s'), { holder: newHolder(), forMs: 60_000 })
  return { db, store, leases, stands, hold }
}

test('a run is live while a worker holds its session, and so are the runs it started', async () => {
  const { db, store, stands, hold } = await desk()
  await store.append([makeStart({ runId: 'old', sessionId: 's', timestamp: 1 })])
  await store.append([makeStart({ runId: 'new', sessionId: 's', timestamp: 2 })])
  await store.append([makeStart({ runId: 'child', sessionId: 's', timestamp: 3, parentRunId: 'new' })])
  expect(await Promise.all(['old', 'new', 'child'].map((id) => stands(id)))).toEqual(['cut-off', 'cut-off', 'cut-off'])
  await hold()
  expect(await Promise.all(['old', 'new', 'child'].map((id) => stands(id)))).toEqual(['cut-off', 'at-work', 'at-work'])
  await db.close()
})

test('a run that has ended or waits for an approval is not interrupted', async () => {
  const { db, store, leases, stands } = await desk()
  await store.append([
    makeStart({ runId: 'ended', sessionId: 's' }),
    makeStop({ runId: 'ended', sessionId: 's', seq: 2 }),
  ])
  expect(await stands('ended')).toBeUndefined()
  const asked = { question: { callId: 'c' } as Question }
  const at = { runId: 'asks', sessionId: 't' }
  await store.append([
    makeStart(at),
    makeEvent({ ...at, seq: 2 }, 'confirm.asked', asked),
    makeEvent({ ...at, seq: 3 }, 'run.parked', { callId: 'c' }),
    ...makeEvents({ ...at, seq: 4 }, 1),
  ])
  expect(await stands('asks', 't')).toBe('waiting')
  expect((await traceRun(store, leases, 'asks')).finish_reason).toBeNull()
  await db.close()
})
