/** A text as the gate reads it: which names are in it, and what it requests or orders. */
import { sentencesOf } from '../language/sentences.ts'
import type { Deed } from '../protocol/facts.ts'
import { orderedDeeds, type RequestedDeeds, requestedDeeds } from './requested-deeds.ts'

/** Long enough that ignoring spaces does not match another word by chance. */
const SQUEEZABLE = 6

/** A text and what is derived from it, each computed once, on first use. */
export interface ReadText {
  readonly text: string
  holds(value: string): boolean
  readonly sentences: readonly ReadText[]
  /** The deeds the text orders, read as an untrusted text. */
  readonly orders: ReadonlySet<Deed>
  /** The deeds it requests, read as the user's text. */
  readonly requests: RequestedDeeds
}

export function readText(text: string, part: 'whole' | 'sentence' = 'whole'): ReadText {
  let lower: string | undefined
  let tight: string | undefined
  let places: number[] | undefined
  let sentences: ReadText[] | undefined
  let orders: ReadonlySet<Deed> | undefined
  let requests: RequestedDeeds | undefined
  const read: ReadText = {
    text,
    holds(value) {
      const needle = value.trim().toLowerCase()
      if (needle === '') return false
      lower ??= text.toLowerCase()
      if (isIn(lower, needle)) return true
      if (isAddressLike(needle)) return false
      const letters = squeeze(needle)
      if (letters.length < SQUEEZABLE) return false
      tight ??= squeeze(lower)
      if (!tight.includes(letters)) return false
      places ??= placesOf(lower, tight)
      return isInSpaced(lower, { tight, places }, letters)
    },
    get sentences() {
      sentences ??= part === 'sentence' ? [read] : sentencesOf(text).map((sentence) => readText(sentence, 'sentence'))
      return sentences
    },
    get orders() {
      orders ??=
        part === 'sentence'
          ? new Set(orderedDeeds(text).keys())
          : new Set(read.sentences.flatMap((sentence) => [...sentence.orders]))
      return orders
    },
    get requests() {
      requests ??= requestedDeeds(text)
      return requests
    },
  }
  return read
}

/** D-2 is not in D-21, nor bank.example in my-bank.example or bank.example.org. */
function isIn(hay: string, needle: string): boolean {
  const isAddress = isAddressLike(needle)
  const joins = (char: string | undefined) => char !== undefined && (isAddress ? /[a-z0-9_-]/ : /[a-z0-9]/).test(char)
  const guardsStart = joins(needle[0])
  const guardsEnd = joins(needle.at(-1))
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    const end = at + needle.length
    const inWord = (guardsStart && joins(hay[at - 1])) || (guardsEnd && joins(hay[end]))
    const inLonger = isAddress && hay[end] === '.' && joins(hay[end + 1])
    if (!inWord && !inLonger) return true
  }
  return false
}

function isAddressLike(value: string): boolean {
  return /@|\.\p{L}{2,}/u.test(value)
}

const MARKS = /[\s\-_.,"'`()/:]+/g

function squeeze(text: string): string {
  return text.replace(MARKS, '')
}

/** The index in the text of each letter of its squeezed form. */
function placesOf(text: string, tight: string): number[] {
  const places: number[] = []
  for (let i = 0; i < text.length; i++) if (text[i] === tight[places.length]) places.push(i)
  return places
}

/** DE12 3456 is DE123456, but not a part of DE1234567. */
function isInSpaced(
  text: string,
  { tight, places }: { tight: string; places: readonly number[] },
  letters: string,
): boolean {
  const isWord = (char: string | undefined) => char !== undefined && /[a-z0-9]/.test(char)
  for (let at = tight.indexOf(letters); at >= 0; at = tight.indexOf(letters, at + 1)) {
    const [start, end] = [places[at] ?? 0, places[at + letters.length - 1] ?? 0]
    const inWord = (isWord(letters[0]) && isWord(text[start - 1])) || (isWord(letters.at(-1)) && isWord(text[end + 1]))
    if (!inWord) return true
  }
  return false
}
