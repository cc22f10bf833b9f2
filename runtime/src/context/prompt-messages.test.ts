import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROFILES } from '../agent/profile.ts'
import { pairCalls } from '../model/dialect-native.ts'
import { wirePrompt } from '../model/wire-prompt.ts'
import type { Message } from '../protocol/message.ts'
import { hasShortenedResults, promptMessages, resultWithId } from './prompt-messages.ts'
import { isTask } from './window.ts'

const LONG = 'x'.repeat(5_000)

/** Turns of steps of calls, as a run has them when the model is asked. */
const histories = fc
  .array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }), { minLength: 1, maxLength: 5 })
  .map((turns) => {
    const messages: Message[] = []
    let id = 0
    for (const [turn, steps] of turns.entries()) {
      if (turn > 0) messages.push({ role: 'assistant', content: `answer ${turn}` })
      messages.push({ role: 'user', content: `task ${turn}` })
      for (const calls of steps) {
        const made = Array.from({ length: calls }, () => ({ id: `c${++id}`, tool: 'look', args: { text: LONG } }))
        messages.push({ role: 'assistant', content: 'so', ...(calls > 0 && { calls: made }) })
        for (const { id: callId, tool } of made) messages.push({ role: 'tool', callId, tool, content: LONG })
      }
    }
    return messages
  })

const conversation = (
  messages: Message[],
  cuts: { shortened: number; summary?: { before: number; text: string } },
) => ({
  messages,
  cuts,
  profile: { ...PROFILES.chat, historyMessages: 12 },
  lang: 'en' as const,
})

/** Every place where the runtime may begin the kept part. */
function placesIn(messages: readonly Message[]): number[] {
  const task = messages.findLastIndex(isTask)
  return messages.flatMap((message, at) => ((at <= task ? isTask(message) : message.role === 'assistant') ? [at] : []))
}

function expectPaired(messages: readonly Message[]): void {
  expect(messages[0]?.role).toBe('user')
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.callId)
      open = open.filter((id) => id !== message.callId)
      continue
    }
    expect(open).toEqual([])
    open = message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : []
  }
  expect(open).toEqual([])
}

describe('S1-308 S1-69: whatever is cut', () => {
  test('no result is without its call, no call without its result, and the task stays as it is', () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat(), fc.boolean(), (messages, cut, place, summarised) => {
        const places = placesIn(messages)
        const before = places[place % places.length] ?? 0
        const summary = summarised ? { summary: { before, text: 'done so far' } } : {}
        const shown = promptMessages(conversation(messages, { shortened: cut % (messages.length + 1), ...summary }), {
          canRead: true,
        })
        expectPaired(shown)
        expect(pairCalls(shown, 'en')).toBe(shown)
        const task = messages.findLast(isTask)?.content ?? ''
        expect(shown.some((message) => isTask(message) && message.content.endsWith(task))).toBe(true)
      }),
    )
  })

  test('a given history with orphans is told as text, and its wire form has none', () => {
    const orphans = fc.array(
      fc.oneof(
        fc.constant<Message>({ role: 'user', content: 'and?' }),
        fc
          .integer({ min: 1, max: 4 })
          .map<Message>((n) => ({ role: 'tool', callId: `c${n}`, tool: 'look', content: 'r' })),
        fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).map<Message>((ids) => ({
          role: 'assistant',
          content: 'so',
          calls: ids.map((n) => ({ id: `c${n}`, tool: 'look', args: {} })),
        })),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(orphans, (given) => {
        const messages: Message[] = [{ role: 'user', content: 'task' }, ...given]
        const paired = pairCalls(messages, 'en')
        expectPaired(paired)
        const wire = wirePrompt({ marks: true }).promptOf({
          purpose: 'main',
          system: '',
          messages: paired,
          stream: false,
        })
        for (const [at, message] of wire.entries()) {
          if (message.role === 'tool') expect(wire[at - 1]?.role).toBe('assistant')
        }
      }),
    )
  })
})

describe('S1-305: the id of a result', () => {
  const messages: Message[] = [
    { role: 'user', content: 'task' },
    { role: 'assistant', content: '', calls: [{ id: 'c1', tool: 'look', args: { text: LONG } }] },
    { role: 'tool', callId: 'c1', tool: 'look', content: `😀${LONG}😀` },
  ]
  test('is shown in the place of the middle, and finds the whole result', () => {
    const shown = promptMessages(conversation(messages, { shortened: 3 }), { canRead: true })
    expect(shown[2]?.content).toContain('result r1, 5,004 characters')
    expect(shown[2]?.content.isWellFormed()).toBe(true)
    expect(JSON.stringify(shown[1])).not.toContain(LONG)
    expect(resultWithId(messages, 'r1')).toBe(messages[2])
    expect(resultWithId(messages, 'r2')).toBeUndefined()
    expect(hasShortenedResults(conversation(messages, { shortened: 3 }))).toBe(true)
    expect(hasShortenedResults(conversation(messages, { shortened: 0 }))).toBe(false)
  })
  test('is left out where the run cannot read it again', () => {
    const shown = promptMessages(conversation(messages, { shortened: 3 }), { canRead: false })
    expect(shown[2]?.content).not.toContain('result_read')
  })
})
