/** Trajectories judged once, judged again. See ../recorded/README.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { judgeMaterial } from '../recorded/verdicts.ts'
import { makePlace } from '../support/cli.ts'

const place = makePlace()
afterAll(() => place.remove())

test('X-FAST-1: recorded trajectories get the same verdicts and findings as when they were recorded', async () => {
  const recorded = readFileSync(join(import.meta.dirname, '../recorded/verdicts.txt'), 'utf8')
  const judged = await judgeMaterial(place)
  expect(judged.split('\n')).toEqual(recorded.split('\n'))
})
