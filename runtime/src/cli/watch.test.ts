import { describe, expect, test } from 'vitest'
import type { RunResult } from '../assembly/turns.ts'
import type { Event } from '../protocol/event.ts'
import { watch } from './watch.ts'

const idle = { show: () => {}, showLines: () => {}, clear: () => {} }

async function see(
  events: object[],
  { reply, isTty, onlyOutput = false }: { reply: string; isTty: boolean; onlyOutput?: boolean },
) {
  const seen: string[] = []
  const errors: string[] = []
  async function* run(): AsyncGenerator<Event, RunResult> {
    for (const event of events) yield { scoutId: null, ...event } as unknown as Event
    // What was on the screen before the answer was complete.
    early = seen.join('')
    return { reply, stopReason: 'final', notices: [] } as unknown as RunResult
  }
  let early = ''
  const io = {
    stdout: (text: string) => seen.push(text),
    stderr: (text: string) => errors.push(text),
    stdin: () => process.stdin,
    env: {},
    cwd: '',
    isTty,
    lang: 'en' as const,
  }
  const code = await watch(run(), { io, json: false, onlyOutput, progress: idle })
  return { code, early, out: seen.join(''), err: errors.join('') }
}

const delta = (text: string, more = {}) => ({ type: 'model.delta', data: { text, ...more } })

describe('a streamed answer', () => {
  test('S1-118: a terminal shows it as it arrives, once', async () => {
    const { early, out } = await see([delta('Two '), delta('files.')], { reply: 'Two files.', isTty: true })
    expect([early, out]).toEqual(['Two files.', 'Two files.\n'])
  })

  test('a pipe gets only the final answer', async () => {
    const { early, out } = await see([delta('Let me look. '), delta('Two.')], { reply: 'Two.', isTty: false })
    expect([early, out]).toEqual(['', 'Two.\n'])
  })

  test('text before a call or a restart is not part of the reply', async () => {
    const asked = { type: 'model.requested', data: { model: 'm' } }
    const events = [delta('Let me look.'), asked, delta('Tw'), delta('', { restart: true }), delta('Two.')]
    const { out } = await see(events, { reply: 'Two.', isTty: true })
    expect(out).toBe('Let me look.\nTw\nTwo.\n')
  })

  test('X-MODEL-14: where the answer must be JSON, nothing else is shown as output', async () => {
    const asked = { type: 'model.requested', data: { model: 'm' } }
    const ended = { reply: 'Too many steps.', isTty: true, onlyOutput: true }
    const { out, err } = await see([delta('Let me look.'), asked], ended)
    expect([out, err]).toEqual(['', 'Too many steps.\n'])
  })

  test('escape sequences of a model do not reach the terminal', async () => {
    const { out } = await see([delta('\x1b[2J')], { reply: '\x1b[2J', isTty: true })
    expect(out).not.toContain('\x1b')
  })

  test('a different final text is shown too', async () => {
    const { out } = await see([delta('Opened it.')], { reply: 'Not done.', isTty: true })
    expect(out).toBe('Opened it.\nNot done.\n')
  })
})

test('S0-115: a denied call shows its hint in plain output', async () => {
  const observation = { outcome: 'denied', text: 'blocked', code: 'PATH_BLOCKED', hint: 'Open it first.', elapsedMs: 0 }
  const refused = { type: 'tool.result', data: { callId: 'c', tool: 'file_read', observation } }
  expect((await see([refused], { reply: 'x', isTty: false })).err).toContain('hint: Open it first.')
})
