import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SCOUT_EDGES, SCOUT_STATES } from '../protocol/scout.ts'
import { advance, isOver } from './state-machine.ts'

const state = fc.constantFrom(...SCOUT_STATES)

describe('a scout’s states', () => {
  test('S4-46: the states of a scout that finds something', () => {
    expect(SCOUT_STATES.slice(0, 5).reduce((from, to) => (from === to ? from : advance(from, to)))).toBe('COMPLETED')
  })
  test.each([
    ['S4-47', 'RUNNING', 'TIMEOUT'],
    ['S4-48', 'RUNNING', 'ABORTED'],
    ['S4-49', 'RUNNING', 'FAILED'],
    ['S4-50', 'AGGREGATING', 'FAILED'],
    ['S4-55', 'QUEUED', 'ABORTED'],
    ['S4-55', 'PREPARE', 'ABORTED'],
    ['S4-55', 'PREPARE', 'FAILED'],
    ['S4-55', 'AGGREGATING', 'ABORTED'],
  ] as const)('%s: from %s to %s', (_row, from, to) => {
    expect(advance(from, to)).toBe(to)
  })
  test('S4-51 S4-140: any other transition is rejected, and final states are final', () => {
    fc.assert(
      fc.property(state, state, (from, to) => {
        if (SCOUT_EDGES[from].includes(to)) expect(advance(from, to)).toBe(to)
        else expect(() => advance(from, to)).toThrow(`cannot change from ${from} to ${to}`)
      }),
    )
    expect(SCOUT_STATES.filter(isOver)).toEqual(['COMPLETED', 'TIMEOUT', 'ABORTED', 'FAILED'])
  })
})
