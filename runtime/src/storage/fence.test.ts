import { expect, test } from 'vitest'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { fenced } from './fence.ts'

const step = [{ runId: 'r', seq: 1 }] as StoredEvent[]

/** Counts what was stored; the lease is lost after so many looks at it. */
function writer(looks: number) {
  const stored: StoredEvent[] = []
  const append = async (events: readonly StoredEvent[]) => void stored.push(...events)
  const store = fenced({ append } as Store, { isOurs: async () => looks-- > 0 })
  return { store, stored }
}

test('whoever has lost the session stores nothing more', async () => {
  const { store, stored } = writer(0)
  await expect(store.append(step)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
  expect(stored).toEqual([])
})

test('whoever lost it while storing a step is told before he acts on it', async () => {
  const { store, stored } = writer(1)
  await expect(store.append(step)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
  expect(stored).toEqual(step)
})

test('whoever still has it goes on', async () => {
  const { store, stored } = writer(2)
  await store.append(step)
  expect(stored).toEqual(step)
})
