/** A text as words. */
import { fitting } from './fitting-pattern.ts'
import { COMMON_WORDS } from './stop-words.ts'

const PIECE = /[\p{L}\p{N}\p{M}]+/gu
const NAME_PART = /[\p{L}\p{N}]+/gu
const WHOLE = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}\p{M}])?/gu
const HAN_RUN = /\p{Script=Han}{2,}/gu

/** Every pair of neighbouring characters. Unlike the words of a segmenter, pairs are the same in every sentence. */
export function neighbourPairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((second, i) => `${characters[i]}${second}`)
}

/** What a name or an address could be made of: words, anything between spaces, and pairs of Chinese characters. */
export function nameWords(text: string): string[] {
  const lower = text.toLowerCase()
  const pieces = lower.match(fitting(lower, PIECE)) ?? []
  const wholes = lower.match(fitting(lower, WHOLE)) ?? []
  const pairs = (lower.match(fitting(lower, HAN_RUN)) ?? []).flatMap(neighbourPairs)
  return [...new Set([...pieces, ...wholes, ...pairs])].filter(
    (word) => !COMMON_WORDS.has(word) && !/^[a-z]$/.test(word),
  )
}

/** The words of an identifier: `mcp__fs.readFile` → mcp, fs, read, file. */
export function identifierWords(text: string, maxLength: number): string[] {
  const parted = text
    .slice(0, maxLength)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  return parted.match(fitting(parted, NAME_PART)) ?? []
}
