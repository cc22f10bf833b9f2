import { systemClock } from '../base/clock.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Given, ValueFlag } from './flags.ts'

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000 }

/** `7d` and `24h` count back from now; a date starts at midnight UTC. */
export function timeOf(text: string, now: number): number | undefined {
  const back = /^(\d{1,6})([dh])$/.exec(text)
  if (back !== null) return now - Number(back[1]) * (UNIT_MS[back[2] ?? ''] ?? 0)
  const at = /^\d{4}-\d\d-\d\d(?:T|$)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

export function timeFlag({ values }: Given, flag: ValueFlag): number | undefined {
  const text = values[flag]
  if (text === undefined) return undefined
  const time = timeOf(text, systemClock.now())
  if (time === undefined) throw new WritError('USAGE.time', { flag, text })
  return time
}
