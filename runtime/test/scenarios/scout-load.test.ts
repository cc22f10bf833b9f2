/** Many sessions at once: no session gets another's findings, and the scout limit of the process holds. */
import { expect, test } from 'vitest'
import { scoutStates } from '../../src/journal/scout-states.ts'
import type { Completion, Model } from '../../src/model/model.ts'
import { MAX_PER_PROCESS, MAX_PER_SESSION } from '../../src/scout/concurrency.ts'
import { docTools, report, scoutPlace } from '../support/scouts.ts'

const SESSIONS = 200
const ALL = [1, 2, 3, 4, 5]

/** Sends five scouts for `session N`; scout `N-i` reads document N-i and quotes it. */
const diligent: Model = {
  id: 'test/diligent',
  route: 'Mock',
  reasoning: 'clear',
  async *ask({ purpose, messages }): AsyncGenerator<string, Completion> {
    const usage = { inputTokens: 1, outputTokens: 1 }
    const said = (text: string, calls: Completion['calls'] = []) => ({ text, calls, usage, truncated: false })
    const task = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    const back = messages.at(-1)?.role === 'tool'
    if (purpose === 'main') {
      if (back) return said('done')
      return said('', [{ id: '', tool: 'explore', args: { tasks: ALL.map((i) => `${task.split(' ')[1]}-${i}`) } }])
    }
    if (!back) return said('', [{ id: '', tool: 'read_doc', args: { id: task } }])
    const evidence = [{ source: task, quote: `only ${task} says this`, note: 'n' }]
    return said('', [{ id: '', ...report({ summary: `about ${task}`, evidence }) }])
  },
}

test('S4-169 S4-22 S4-23 S4-45: 200 sessions with five scouts each, without cross-talk', async () => {
  const docs: Record<string, string> = {}
  for (let n = 0; n < SESSIONS; n++) for (const i of ALL) docs[`${n}-${i}`] = `only ${n}-${i} says this`
  const peak = { all: 0, session: 0 }
  const place = await scoutPlace({
    model: diligent,
    docs: docTools(docs),
    config: { scout: { defaultTimeoutMs: 120_000 } },
    onEvent(event, { scouts }) {
      if (event.type !== 'SCOUT_STARTED') return
      const running = scouts.list().filter(({ state }) => state === 'RUNNING')
      const own = running.filter(({ sessionId }) => sessionId === event.sessionId)
      peak.all = Math.max(peak.all, running.length)
      peak.session = Math.max(peak.session, own.length)
    },
  })
  const turns = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => place.turn(`session ${n}`)))
  for (const [n, { explored, events, result }] of turns.entries()) {
    expect(explored.status).toBe('success')
    expect(explored.results.map(({ summary }) => summary)).toEqual(ALL.map((i) => `about ${n}-${i}`))
    expect(explored.results.map(({ scoutId }) => scoutId)).toEqual(explored.scoutIds)
    expect(explored.results.every(({ grounding }) => grounding.kept === 1)).toBe(true)
    expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set([result.sessionId]))
    expect(scoutStates(events).map(({ scoutId }) => scoutId)).toEqual(explored.scoutIds)
  }
  expect(new Set(turns.flatMap(({ explored }) => explored.scoutIds)).size).toBe(SESSIONS * ALL.length)
  expect(peak.all).toBeLessThanOrEqual(MAX_PER_PROCESS)
  expect(peak.session).toBeLessThanOrEqual(MAX_PER_SESSION)
  expect(place.slots.load('any')).toEqual({ running: 0, waiting: 0, free: MAX_PER_PROCESS })
})
