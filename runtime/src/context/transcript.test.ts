import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TranscriptMessage } from '../ports/transcripts.ts'
import { recent } from './transcript.ts'

const message = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
  content: fc.string(),
  at: fc.integer({ min: 0, max: 100 }),
})

describe('S3-135 S3-136: the part of a history that is used', () => {
  test('is within the window, not expired, begins with a user’s message, and ends with the newest', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 100 }),
        (messages, window, ttlMs) => {
          const now = 100
          const kept = recent(messages, { window, ttlMs }, now)
          const fresh = messages.filter(({ at }) => at > now - ttlMs)
          expect(kept.length).toBeLessThanOrEqual(window)
          expect(kept).toEqual(kept.length === 0 ? [] : fresh.slice(-kept.length))
          expect(kept[0]?.role ?? 'user').toBe('user')
        },
      ),
    )
  })

  test('omits no fresh turn that fits', () => {
    const turn = (at: number): TranscriptMessage[] => [
      { role: 'user', content: `u${at}`, at },
      { role: 'assistant', content: `a${at}`, at },
    ]
    const messages = [1, 2, 3, 4].flatMap(turn)
    expect(recent(messages, { window: 6, ttlMs: 100 }, 50)).toEqual(messages.slice(2))
    expect(recent(messages, { window: 7, ttlMs: 100 }, 50)).toEqual(messages.slice(2))
    expect(recent(messages, { window: 8, ttlMs: 100 }, 50)).toEqual(messages)
    expect(recent(messages, { window: 8, ttlMs: 48 }, 50)).toEqual(messages.slice(4))
  })
})
