import { describe, expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { scoutStates } from './scout-states.ts'

let seq = 0
const event = (type: Event['type'], data: object, scoutId: string | null = 'scout_1') =>
  ({
    seq: ++seq,
    type,
    sessionId: 's',
    turnId: 't',
    runId: `run of ${scoutId}`,
    scoutId,
    timestamp: seq * 10,
    mode: 'scout',
    reason: '',
    data,
  }) as Event
const edge = (from: string, to: string, scoutId?: string) => event('scout.state', { from, to }, scoutId)

describe('the states of scouts, from the journal', () => {
  test('S4-54: two scouts, interleaved with the main run', () => {
    const scouts = scoutStates([
      event('turn.started', { input: 'x' }, null),
      event('SCOUT_TRIGGERED', { task: 'one' }),
      event('SCOUT_TRIGGERED', { task: 'two' }, 'scout_2'),
      edge('QUEUED', 'PREPARE'),
      edge('QUEUED', 'ABORTED', 'scout_2'),
      edge('PREPARE', 'RUNNING'),
      event('SCOUT_STARTED', {}),
      event('tool.call', { tool: 'read_doc' }),
      event('SCOUT_ABORTED', { result: { status: 'aborted' } }, 'scout_2'),
    ])
    expect(scouts).toMatchObject([
      { scoutId: 'scout_1', task: 'one', state: 'RUNNING', states: ['QUEUED', 'PREPARE', 'RUNNING'], tool: 'read_doc' },
      { scoutId: 'scout_2', task: 'two', state: 'ABORTED', status: 'aborted', elapsedMs: 0 },
    ])
    expect(scouts[0]?.elapsedMs).toBe(10)
  })
  test.each([
    ['an edge there is not', [edge('QUEUED', 'COMPLETED')]],
    ['a step from where the scout is not', [edge('RUNNING', 'TIMEOUT')]],
    ['a state there is not', [edge('QUEUED', 'LOST')]],
  ])('S4-51: %s is not believed', (_name, events) => {
    expect(() => scoutStates([event('SCOUT_TRIGGERED', { task: 'one' }), ...events])).toThrow('the journal takes it')
  })
})
