/**
 * When a routine is due: five cron fields in a time zone, or a fixed interval.
 * A fixed time that the clock skips is due at the first moment after the gap; one that happens twice is due at the
 * first of the two. Fields with steps or wildcards follow elapsed time through both.
 */
import { Cron } from 'croner'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'

export type Schedule = { everyMs: number } | { cron: Cron; text: string }

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const
const MAX_EVERY_MS = 366 * 24 * UNITS.h
const FIELDS = /^[0-9A-Za-z*,/#-]+(?:\s+[0-9A-Za-z*,/#-]+){4}$/

export function parseSchedule(text: string, timeZone: string): Schedule {
  checkZone(timeZone)
  const written = text.trim()
  const every = /^@every\s+(\d{1,10})(s|m|h)$/.exec(written)
  if (every !== null) return { everyMs: interval(Number(every[1]), every[2] as keyof typeof UNITS, text) }
  if (!FIELDS.test(written)) throw new WritError('SCHEDULE_INVALID', { schedule: text, why: '' })
  let cron: Cron
  try {
    cron = new Cron(written, { timezone: timeZone, mode: '5-part', paused: true })
  } catch (error) {
    const why = messageOf(error).replace(/^Cron\w*:\s*/, '')
    throw new WritError('SCHEDULE_INVALID', { schedule: text, why }, { cause: error })
  }
  if (cron.nextRun(new Date(0)) === null) throw new WritError('SCHEDULE_NEVER', { schedule: text })
  return { cron, text }
}

/** The first due time later than `time`, both in milliseconds since 1970. */
export function nextAfter(schedule: Schedule, time: number): number {
  if ('everyMs' in schedule) return time + schedule.everyMs
  const next = schedule.cron.nextRun(new Date(time))
  if (next === null) throw new WritError('SCHEDULE_NEVER.again', { schedule: schedule.text })
  return next.getTime()
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function interval(count: number, unit: keyof typeof UNITS, schedule: string): number {
  const ms = count * UNITS[unit]
  if (ms >= UNITS.s && ms <= MAX_EVERY_MS) return ms
  throw new WritError('SCHEDULE_INVALID.range', { schedule })
}

function checkZone(zone: string): void {
  try {
    // Bare offsets such as +01:00 would pass too, and be wrong under daylight saving time.
    if (/^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone })) return
  } catch {}
  throw new WritError('TIME_ZONE_UNKNOWN', { zone })
}
