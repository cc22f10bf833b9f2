/** `--at-once N`: how many jobs run concurrently. */
import { WritError } from '../errors/writ-error.ts'
import type { Given } from './flags.ts'

const MAX = 100

export function concurrencyOf({ values, verb }: Given, { min }: { min: number }): number | undefined {
  const text = values['at-once']
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= MAX) return number
  throw new WritError('USAGE.concurrency', { text, min, max: MAX, verb })
}
