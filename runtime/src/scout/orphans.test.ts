import { expect, test } from 'vitest'
import { answer, explore, read, report, scoutPlace, scoutSays } from '../../test/support/scouts.ts'
import { scoutStates } from '../journal/scout-states.ts'
import { audit } from '../journal/verify.ts'
import { openStore } from '../storage/open.ts'
import { closeOrphans } from './orphans.ts'

test('scouts interrupted by a crash are closed in their state, and only once', async () => {
  const store = await openStore({ kind: 'memory' })
  let killed = false
  const dying = {
    ...store,
    append: async (events: Parameters<typeof store.append>[0]) => {
      if (killed) return
      await store.append(events)
      // From here on nothing reaches the disk: as if the process had been killed.
      killed = events.some(({ type, scoutId }) => scoutId !== null && type === 'model.requested')
    },
  }
  const place = await scoutPlace({
    change: { store: dying },
    config: { scout: { maxConcurrentScouts: 1 } },
    script: [explore(['at work', 'waits']), ...[1, 2].flatMap((n) => scoutSays(n, read(), report())), answer()],
  })
  const { result } = await place.turn('what is the cap?')
  const before = scoutStates(await store.readSession(result.sessionId))
  expect(before.map(({ state }) => state)).toEqual(['RUNNING', 'QUEUED'])

  const engine = { ...place.engine, store }
  expect(await closeOrphans(engine, result.runId)).toBe(2)
  const after = scoutStates(await store.readSession(result.sessionId))
  expect(after.map(({ state, status }) => [state, status])).toEqual([
    ['FAILED', 'failed'],
    ['ABORTED', 'aborted'],
  ])
  expect(await closeOrphans(engine, result.runId)).toBe(0)
  expect((await audit(store)).breaches).toEqual([])
  expect(await closeOrphans(engine, 'run_unknown')).toBe(0)
})
