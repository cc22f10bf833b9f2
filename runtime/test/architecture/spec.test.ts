import { expect, test } from 'vitest'
import { specCoverage } from '../../../scripts/coverage-spec.ts'

const { rows, missing, crowded, unknown } = specCoverage()

test('S4-174: every requirement is cited at the start of a test title', () => {
  expect(rows.length).toBeGreaterThan(700)
  expect(missing).toEqual([])
})

test('a title cites at most four requirements, and only those of the inventory', () => {
  expect([crowded, unknown]).toEqual([[], []])
})
