import { expect, test } from 'vitest'
import { makeEvents, makeStart, makeStop } from '../../test/support/events.ts'
import { openStore } from '../storage/open.ts'
import { eventsOf, runsOf, sealsOf } from './read.ts'

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a long run and a long list are read page by page, complete and in order', async () => {
  const store = await openStore({ kind: 'memory' })
  const events = makeEvents({ runId: 'long', seq: 1 }, 2500)
  await store.append(events)
  expect(await all(eventsOf(store, 'long'))).toEqual(events)

  // More runs start in the same millisecond than fit on a page.
  for (let i = 0; i < 2100; i++) {
    const runId = `r${String(i).padStart(4, '0')}`
    await store.append([makeStart({ runId, timestamp: 1 }), makeStop({ runId, seq: 2 })])
  }
  const names = Array.from({ length: 2100 }, (_, i) => `r${String(i).padStart(4, '0')}`)
  expect((await all(runsOf(store))).map(({ runId }) => runId)).toEqual(names.toReversed())
  expect((await all(sealsOf(store))).map(({ n }) => n)).toEqual(names.map((_, i) => i + 1))
  expect(await all(eventsOf(store, 'unknown'))).toEqual([])
  await store.close()
})
