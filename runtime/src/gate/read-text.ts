/** A text as the gate reads it: which names are in it, and what it requests or orders. */
import { fitting } from '../language/fitting-pattern.ts'
import { foldCase } from '../language/letter-case.ts'
import { negatedIn, withoutNegated } from '../language/negation.ts'
import { withoutTold } from '../language/requests.ts'
import { sentencesOf } from '../language/sentences.ts'
import { holdsSubject, holdsWord } from '../language/subjects.ts'
import type { Deed } from '../protocol/facts.ts'
import { orderedDeeds, type RequestedDeeds, requestedDeeds } from './requested-deeds.ts'

/** Long enough that ignoring spaces does not match another word by chance. */
const SQUEEZABLE = 6

/** A pattern as it is best read in a text. */
export type PatternFor = (text: string) => RegExp

/** How pages are shown to a model: "[e1 Add photo] [Checkout]". */
export const LABELS = /\[[^\][@\n]{1,30}\]/g

/** A text and what is derived from it, each computed once, on first use. */
export class ReadText {
  readonly text: string
  readonly #isSentence: boolean
  #lower: string | undefined
  #folded: string | undefined
  #tight: string | undefined
  #places: number[] | undefined
  #held: Map<string, boolean> | undefined
  #naming: Map<string, readonly number[]> | undefined
  #words: Map<string, boolean> | undefined
  #having: Map<string, readonly number[]> | undefined
  #subjects: Map<string, boolean> | undefined
  #times: Map<string, number> | undefined
  #said: Map<RegExp, boolean> | undefined
  #wanted: ReadText | undefined
  #unlabelled: ReadText | undefined
  #ruledOut: readonly ReadText[] | undefined
  #allowed: ReadText | undefined
  #matches: Map<PatternFor, readonly string[]> | undefined
  #sentences: readonly ReadText[] | undefined
  #orders: ReadonlySet<Deed> | undefined
  #requests: RequestedDeeds | undefined

  constructor(text: string, part: 'whole' | 'sentence' = 'whole') {
    this.text = text
    this.#isSentence = part === 'sentence'
  }

  /** True when a name, an id or an address is in the text, however it is spaced. */
  holds(value: string): boolean {
    this.#held ??= new Map()
    return computedOnce(this.#held, value, () => this.#find(value))
  }

  #find(value: string): boolean {
    const needle = value.trim().toLowerCase()
    if (needle === '') return false
    if (isIn(this.#small, needle)) return true
    if (isAddressLike(needle)) return false
    const letters = squeeze(needle)
    if (letters.length < SQUEEZABLE) return false
    this.#tight ??= squeeze(this.#small)
    if (!this.#tight.includes(letters)) return false
    this.#places ??= placesOf(this.#small, this.#tight)
    return isInSpaced(this.#small, { tight: this.#tight, places: this.#places }, letters)
  }

  get #small(): string {
    this.#lower ??= this.text.toLowerCase()
    return this.#lower
  }

  /** In small letters, character for character. */
  get folded(): string {
    this.#folded ??= foldCase(this.text, this.#small)
    return this.#folded
  }

  /** Which of its sentences hold the value. */
  naming(value: string): readonly number[] {
    this.#naming ??= new Map()
    return computedOnce(this.#naming, value, () =>
      this.sentences.flatMap((sentence, i) => (sentence.#find(value) ? [i] : [])),
    )
  }

  /** True when a word of small letters is in it. */
  hasWord(word: string): boolean {
    this.#words ??= new Map()
    return computedOnce(this.#words, word, () => holdsWord(this.folded, word))
  }

  /** Which of its sentences have a word of small letters. */
  having(word: string): readonly number[] {
    this.#having ??= new Map()
    return computedOnce(this.#having, word, () =>
      this.sentences.flatMap(({ folded }, i) => (holdsWord(folded, word) ? [i] : [])),
    )
  }

  /** How often a text in small letters is in it; twice is often enough to know. */
  timesNamed(value: string): number {
    this.#times ??= new Map()
    return computedOnce(this.#times, value, () => {
      const first = this.folded.indexOf(value)
      return first < 0 ? 0 : this.folded.includes(value, first + 1) ? 2 : 1
    })
  }

  /** True when it is about a subject of small letters. */
  isAbout(subject: string): boolean {
    this.#subjects ??= new Map()
    return computedOnce(this.#subjects, subject, () => holdsSubject(this.folded, subject))
  }

  /** True when a pattern of small letters occurs in it. */
  says(pattern: RegExp): boolean {
    this.#said ??= new Map()
    return computedOnce(this.#said, pattern, () => fitting(this.folded, pattern).test(this.folded))
  }

  /** Without what it says not to do, in small letters. */
  get wanted(): ReadText {
    if (this.#wanted === undefined) {
      const wanted = withoutTold(withoutNegated(this.folded))
      this.#wanted = wanted === this.folded ? this : new ReadText(wanted)
    }
    return this.#wanted
  }

  /** What it says not to do, clause by clause. */
  get ruledOut(): readonly ReadText[] {
    this.#ruledOut ??= negatedIn(this.folded).map((clause) => new ReadText(clause))
    return this.#ruledOut
  }

  /** Without the clauses that say what not to do, in small letters. */
  get allowed(): ReadText {
    this.#allowed ??= new ReadText(
      withoutFiles(this.ruledOut.reduce((text, { folded }) => text.replace(folded, ' '), this.folded)),
    )
    return this.#allowed
  }

  /** Without the labels of a page's controls, in small letters. */
  get unlabelled(): ReadText {
    if (this.#unlabelled === undefined) {
      const plain = this.folded.includes('[') ? this.folded.replace(LABELS, ' ') : this.folded
      this.#unlabelled = plain === this.folded ? this : new ReadText(plain)
    }
    return this.#unlabelled
  }

  /** What a pattern finds in it, each once; with a sign, only in words that have it. */
  matches(pattern: PatternFor, sign = ''): readonly string[] {
    this.#matches ??= new Map()
    return computedOnce(this.#matches, pattern, () => {
      const { text } = this
      const searched = sign === '' ? text : (text.match(/\S+/g) ?? []).filter((word) => word.includes(sign)).join('\n')
      return [...new Set(searched.match(pattern(searched)) ?? [])]
    })
  }

  get sentences(): readonly ReadText[] {
    this.#sentences ??= this.#isSentence
      ? [this]
      : sentencesOf(this.text).map((sentence) => new ReadText(sentence, 'sentence'))
    return this.#sentences
  }

  /** The deeds the text orders, read as an untrusted text. */
  get orders(): ReadonlySet<Deed> {
    this.#orders ??= this.#isSentence
      ? new Set(orderedDeeds(this.text).keys())
      : new Set(this.sentences.flatMap((sentence) => [...sentence.orders]))
    return this.#orders
  }

  /** The deeds it requests, read as the user's text. */
  get requests(): RequestedDeeds {
    this.#requests ??= requestedDeeds(this.text)
    return this.#requests
  }
}

function computedOnce<K, V>(known: Map<K, V>, key: K, compute: () => V): V {
  let value = known.get(key)
  if (value === undefined) {
    value = compute()
    known.set(key, value)
  }
  return value
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

const ADDRESS_LIKE = /@|\.\p{L}{2,}/u

function isAddressLike(value: string): boolean {
  return fitting(value, ADDRESS_LIKE).test(value)
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

const FILES =
  /(?<![\w@:/])(?:\.{1,2}|~)?\/[\w./-]+|(?<![\w@:/-])[\w/-]+\.(?:sh|bash|py|js|ts|md|txt|csv|json|ya?ml|toml|rb|pl|go|rs|java|html?|pdf|docx?|xlsx?|png|jpe?g)\b/gu

/** "deploy.sh", "./build": a name asks for nothing. */
function withoutFiles(folded: string): string {
  return folded.replace(FILES, ' ')
}
