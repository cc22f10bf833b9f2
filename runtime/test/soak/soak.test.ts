import { expect, test } from 'vitest'
import { soak } from './soak.ts'

test('240 turns with failing models, failing tools and impatient people leaves nothing behind', async () => {
  const report = await soak({ turns: 240, seed: 7 })
  expect(report).toMatchObject({ turns: 240, thrown: [], unhandled: [], breaches: 0, lost: 0 })
  expect(report.leftover).toEqual({ processes: 0, handles: 0 })
  expect(report.heap.late).toBeLessThan(report.heap.early * 1.5 + 50)
  expect(Object.keys(report.stops)).toEqual(expect.arrayContaining(['final', 'aborted', 'timeout', 'provider_error']))
})
