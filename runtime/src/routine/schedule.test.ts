import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorEntry } from '../errors/entry.ts'
import { ROUTINE_ERRORS } from '../errors/routine.ts'
import { WritError } from '../errors/writ-error.ts'
import { nextAfter, parseSchedule } from './schedule.ts'

function times(text: string, zone: string, { from, count }: { from: string; count: number }): string[] {
  const schedule = parseSchedule(text, zone)
  const found: string[] = []
  let at = Date.parse(from)
  for (let i = 0; i < count; i++) {
    at = nextAfter(schedule, at)
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}

function refusal(text: string, zone = 'UTC'): WritError {
  try {
    parseSchedule(text, zone)
  } catch (error) {
    if (error instanceof WritError) return error
  }
  throw new Error(`${text} was accepted`)
}

describe('S1-135: a schedule', () => {
  test.each([
    ['0 9 * * 1', 'Asia/Shanghai', ['2026-03-30T01:00', '2026-04-06T01:00']],
    ['0 9 * * 1', 'America/New_York', ['2026-03-30T13:00', '2026-04-06T13:00']],
    ['*/20 8-9 * * *', 'UTC', ['2026-03-28T08:00', '2026-03-28T08:20']],
    ['0 0 29 2 *', 'UTC', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['30 6 * JAN sun', 'UTC', ['2027-01-03T06:30', '2027-01-10T06:30']],
    ['  @every   10m ', 'UTC', ['2026-03-28T00:10', '2026-03-28T00:20']],
    ['@every 2h', 'UTC', ['2026-03-28T02:00', '2026-03-28T04:00']],
  ])('%s in %s', (text, zone, expected) => {
    expect(times(text, zone, { from: '2026-03-28T00:00:00Z', count: 2 })).toEqual(expected)
  })

  test('a fixed time that the clock skips is due right after the gap', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', { from: '2026-03-28T12:00:00Z', count: 2 })).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
  })

  test('a fixed time that the clock shows twice is due once, the first time', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', { from: '2026-10-24T12:00:00Z', count: 2 })).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  test('a half-hourly schedule keeps its interval through both clock changes', () => {
    const halfHours = (from: string) =>
      Array.from({ length: 6 }, (_, i) => new Date(Date.parse(from) + (i + 1) * 1_800_000).toISOString().slice(0, 16))
    for (const from of ['2026-03-29T00:00:00Z', '2026-10-24T23:30:00Z']) {
      expect(times('*/30 * * * *', 'Europe/Berlin', { from, count: 6 })).toEqual(halfHours(from))
    }
  })

  test.each([
    '',
    'hello',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '* 24 * * *',
    '*/0 * * * *',
    '? * * * *',
    '@daily',
    '@every',
    '@every 10',
    '@every 10 m',
    '@every 1.5h',
    '@every 0s',
    '@every 9000h',
    '@every 99999999999s',
    '2026-03-29T00:00:00',
  ])('%j is not a schedule, and the error shows a valid one', (text) => {
    const { code, hint, message } = refusal(text)
    expect(code).toBe('SCHEDULE_INVALID')
    expect(message).toContain(`"${text}"`)
    expect(hint).toContain('@every 10m')
  })

  test('a day that never comes is rejected', () => {
    expect(refusal('0 0 30 2 *').code).toBe('SCHEDULE_NEVER')
  })

  test.each(['Mars/Base', '', '+08:00', 'Asia/Shanghai\0', "UTC'"])('%j is not a time zone', (zone) => {
    expect(refusal('0 9 * * *', zone)).toMatchObject({
      code: 'TIME_ZONE_UNKNOWN',
      hint: expect.stringContaining('IANA'),
    })
  })

  test('the next time is always later, and asking twice gives the same answer', () => {
    const schedules = ['* * * * *', '30 2 * * *', '0 0 L * *', '15 3 1,15 * 5', '@every 7s'].flatMap((text) =>
      ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago'].map((zone) => parseSchedule(text, zone)),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...schedules),
        fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') }),
        (schedule, at) => {
          const next = nextAfter(schedule, at)
          expect(next).toBeGreaterThan(at)
          expect(nextAfter(schedule, at)).toBe(next)
          if ('cron' in schedule) expect(nextAfter(schedule, next - 1)).toBe(next)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('errors about routines are written in both languages', () => {
  const anything = { schedule: 'x', why: 'x', zone: 'x', name: 'x', max: 7, requested: 'x', granted: 'x', line: 'x' }
  for (const [key, entry] of Object.entries<ErrorEntry<never>>(ROUTINE_ERRORS)) {
    for (const text of entry.zh(anything as never)) expect(text, key).toMatch(/\p{Script=Han}/u)
    for (const text of entry.en(anything as never)) expect(text, key).not.toMatch(/\p{Script=Han}/u)
  }
})
