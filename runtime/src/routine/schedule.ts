/**
 * When a routine is due: five cron fields read on a zone's clock, or a fixed interval.
 * Where the clock jumps forward over a fixed time, it is due at the first moment after the gap; where the clock goes
 * back, at the first of the two. Fields with steps or wildcards follow the time that really passes, through both.
 */
import { Cron } from 'croner'
import { messageOf, WritError } from '../base/errors.ts'
import { type RoutineTexts, routineTexts } from './texts.ts'

export type Schedule = { everyMs: number } | { cron: Cron; text: string }

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const
const MAX_EVERY_MS = 366 * 24 * UNITS.h
const FIELDS = /^[0-9A-Za-z*,/#-]+(?:\s+[0-9A-Za-z*,/#-]+){4}$/

export function parseSchedule(text: string, timeZone: string, texts: RoutineTexts = routineTexts('en')): Schedule {
  checkZone(timeZone, texts)
  const written = text.trim()
  const every = /^@every\s+(\d{1,10})(s|m|h)$/.exec(written)
  if (every !== null) return { everyMs: interval(Number(every[1]), every[2] as keyof typeof UNITS, { text, texts }) }
  const refuse = (why: string) =>
    new WritError('SCHEDULE_INVALID', texts.schedule({ text, why }), { hint: texts.scheduleHint })
  if (!FIELDS.test(written)) throw refuse('')
  let cron: Cron
  try {
    cron = new Cron(written, { timezone: timeZone, mode: '5-part', paused: true })
  } catch (error) {
    throw refuse(messageOf(error).replace(/^Cron\w*:\s*/, ''))
  }
  if (cron.nextRun(new Date(0)) === null) {
    throw new WritError('SCHEDULE_NEVER', texts.never({ text }), { hint: texts.neverHint })
  }
  return { cron, text }
}

/** The first due time later than `time`, both in milliseconds since 1970. */
export function nextAfter(schedule: Schedule, time: number): number {
  if ('everyMs' in schedule) return time + schedule.everyMs
  const next = schedule.cron.nextRun(new Date(time))
  if (next === null) throw new WritError('SCHEDULE_NEVER', `"${schedule.text}" does not come again`)
  return next.getTime()
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function interval(count: number, unit: keyof typeof UNITS, at: { text: string; texts: RoutineTexts }): number {
  const ms = count * UNITS[unit]
  if (ms >= UNITS.s && ms <= MAX_EVERY_MS) return ms
  throw new WritError('SCHEDULE_INVALID', at.texts.outOfRange(at), { hint: at.texts.scheduleHint })
}

function checkZone(zone: string, texts: RoutineTexts): void {
  try {
    // Bare offsets would pass too, and would be wrong for half of the year.
    if (/^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone })) return
  } catch {}
  throw new WritError('TIME_ZONE_UNKNOWN', texts.zone({ zone }), { hint: texts.zoneHint })
}
