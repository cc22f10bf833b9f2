import { expect, test } from 'vitest'
import { makeEvent } from '../../test/support/events.ts'
import type { EventData, EventType, StoredEvent } from '../protocol/event.ts'
import { recoverExploration } from './recovery.ts'

test('S4: a scout that was cut off keeps the calls it had finished, and not the one it was making', () => {
  let seq = 0
  const event = <T extends EventType>(type: T, data: EventData[T]): StoredEvent => ({
    ...makeEvent({ runId: 'scouting', seq: ++seq }, type, data),
    scoutId: 'scout_1',
  })
  const read = (callId: string) => event('tool.call', { callId, tool: 'read_doc', args: { id: 'a.md' } } as never)
  const events = [
    event('SCOUT_TRIGGERED', { parentRunId: 'main', callId: 'c1', task: 'the cap' } as never),
    read('one'),
    event('tool.result', {
      callId: 'one',
      tool: 'read_doc',
      observation: { outcome: 'ok', text: 'the cap is 5', elapsedMs: 12 },
    } as never),
    read('two'),
  ]
  const call = { id: 'c1', tool: 'explore', args: { tasks: ['the cap'] } }
  const found = recoverExploration(call, events, { runId: 'main', lang: 'en' })
  expect(found?.results).toMatchObject([
    {
      scoutId: 'scout_1',
      status: 'failed',
      error: { code: 'INTERRUPTED' },
      toolRuns: [{ name: 'read_doc', ok: true, durationMs: 12 }],
    },
  ])
})
