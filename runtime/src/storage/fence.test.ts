import { expect, test } from 'vitest'
import type { KeptAccount, Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { fenced } from './fence.ts'

const step = [{ runId: 'r', seq: 1 }] as StoredEvent[]

/** Counts the stored events; the lease is lost after this many checks. */
function writer(looks: number) {
  const stored: StoredEvent[] = []
  const accounts: (KeptAccount | undefined)[] = []
  const append: Store['append'] = async (events, account) => {
    stored.push(...events)
    accounts.push(account)
  }
  const store = fenced({ append } as Store, { isOurs: async () => looks-- > 0 })
  return { store, stored, accounts }
}

test('a worker that has lost the session stores nothing', async () => {
  const { store, stored } = writer(0)
  await expect(store.append(step)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
  expect(stored).toEqual([])
})

test('a worker that loses it while storing a step gets an error before it acts', async () => {
  const { store, stored } = writer(1)
  await expect(store.append(step)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
  expect(stored).toEqual(step)
})

test('after a call was made, the error does not claim that nothing was done', async () => {
  const made = [{ runId: 'r', seq: 2, type: 'tool.result', data: { observation: { outcome: 'ok' } } }] as StoredEvent[]
  await expect(writer(0).store.append(made)).rejects.toMatchObject({
    hint: expect.stringContaining('A call of this step was made'),
  })
  await expect(writer(0).store.append(step)).rejects.toMatchObject({
    hint: expect.stringContaining('Nothing of this step was done'),
  })
})

test('a worker that still holds it continues, and the account of its run is stored', async () => {
  const { store, stored, accounts } = writer(2)
  const account = { runId: 'r', seq: 1, text: '{}' }
  await store.append(step, account)
  expect(stored).toEqual(step)
  expect(accounts).toEqual([account])
})
