/** A text as words. */
import { COMMON_WORDS } from './stop-words.ts'

/** Every pair of neighbouring characters. Unlike the words of a segmenter, pairs are the same in every sentence. */
export function neighbourPairs(run: string): string[] {
  const characters = [...run]
  return characters.slice(1).map((second, i) => `${characters[i]}${second}`)
}

/** What a name or an address could be made of: words, anything between spaces, and pairs of Chinese characters. */
export function nameWords(text: string): string[] {
  const lower = text.toLowerCase()
  const pieces = lower.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const wholes = lower.match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}\p{M}])?/gu) ?? []
  const pairs = (lower.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap(neighbourPairs)
  return [...new Set([...pieces, ...wholes, ...pairs])].filter(
    (word) => !COMMON_WORDS.has(word) && !/^[a-z]$/.test(word),
  )
}

/** The words of an identifier: `mcp__fs.readFile` → mcp, fs, read, file. */
export function identifierWords(text: string, maxLength: number): string[] {
  return text
    .slice(0, maxLength)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
