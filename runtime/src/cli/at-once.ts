/** `--at-once N` */
import { WritError } from '../base/errors.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { operateTexts } from './operate-texts.ts'

const MAX = 100

export function atOnceOf({ values }: Given, io: Io, { min }: { min: number }): number | undefined {
  const text = values['at-once']
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= MAX) return number
  throw new WritError('USAGE', operateTexts(io.lang).work.badNumber({ text, min }))
}
