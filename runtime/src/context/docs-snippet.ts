/** The part of a section that shows best why it was found. */
import { unifyRadicals } from '../base/cjk.ts'

const WIDTH = 240
/** Characters shown before the first matching word. */
const LEAD = 40

export interface Snippet {
  text: string
  /** Line offset in the section. */
  line: number
  /** The query words that occur in the section. */
  seen: string[]
}

export function snippetOf(text: string, words: readonly string[]): Snippet {
  const plain = unifyRadicals(text).toLowerCase()
  // Lower-casing can change the length of a text, and offsets with it.
  const searched = plain.length === text.length ? plain : text
  const places = words.map((word) => placesOf(searched, word))
  const all = places.flatMap((at, word) => at.map((start) => ({ start, word }))).sort((a, b) => a.start - b.start)
  const seen = words.filter((_, i) => (places[i]?.length ?? 0) > 0)
  const first = densest(all)
  return { ...shown(text, first), line: newlines(text.slice(0, first)), seen }
}

const MAX_PLACES = 50

function placesOf(text: string, word: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(word); at >= 0 && found.length < MAX_PLACES; at = text.indexOf(word, at + word.length)) {
    if (isWhole(text, at, word)) found.push(at)
  }
  return found
}

/** `art` does not match in `start`; Chinese words have no visible borders. */
function isWhole(text: string, at: number, word: string): boolean {
  const joined = /[\p{L}\p{N}\p{M}]/u
  if (/\p{Script=Han}/u.test(word)) return true
  return !joined.test(text[at - 1] ?? '') && !joined.test(text[at + word.length] ?? '')
}

/** Start of the window with the most different words; the first of equal ones. */
function densest(places: readonly { start: number; word: number }[]): number {
  let best = places[0]?.start ?? 0
  let most = 0
  for (const [i, { start }] of places.entries()) {
    const seen = new Set<number>()
    for (let j = i; j < places.length; j++) {
      const place = places[j]
      if (place === undefined || place.start > start + WIDTH - 2 * LEAD) break
      seen.add(place.word)
    }
    if (seen.size > most) [best, most] = [start, seen.size]
  }
  return best
}

function shown(text: string, first: number): { text: string } {
  const line = text.lastIndexOf('\n', first - 1) + 1
  const start = first - line <= LEAD ? line : first - LEAD
  const end = Math.min(text.length, start + WIDTH)
  const part = text
    .slice(start, end)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { text: `${start > 0 && start !== line ? '…' : ''}${part}${end < text.length ? '…' : ''}` }
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}
