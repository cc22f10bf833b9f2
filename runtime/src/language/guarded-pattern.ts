/**
 * Compiling a regular expression with hundreds of words takes longer than anything else in a first verdict, and most
 * texts contain none of its words. A guarded pattern is compiled only for a text with the beginning of one of them, and
 * for the first such texts only the words that begin like something in them.
 */
import { slimmed } from './slim-pattern.ts'

/** Characters compared. Longer beginnings are rarer in texts, but more of them are needed. */
const LENGTH = 4
/** Longer texts contain most beginnings, so that looking for them saves nothing. */
const MAX_TEXT = 2000
const MAX_BEGINNINGS = 2000
/** As many texts as a short process has. Later the whole pattern is cheaper: it is compiled once. */
const FIRST_TEXTS = 4
/** Shorter patterns are compiled as fast as they are shortened. */
const LONG = 200

/** By source. Filled in the bundle: reading the patterns takes longer than everything else about a first task. */
const KNOWN: Readonly<Record<string, readonly string[]>> = noBeginnings()

function noBeginnings(): Record<string, string[]> {
  return {}
}

const made = new Set<string>()

/** For the bundle: of all patterns of this process whose beginnings can be said. */
export function allBeginnings(): Record<string, readonly string[]> {
  return Object.fromEntries(
    [...made].flatMap((source) => {
      const beginnings = beginningsOf(source)
      return beginnings === undefined ? [] : [[source, beginnings]]
    }),
  )
}

export class GuardedPattern extends RegExp {
  /** `split` and `matchAll` need a copy, which may be an ordinary one. */
  static override get [Symbol.species](): RegExpConstructor {
    return RegExp
  }

  /** Undefined before the first text. */
  #beginnings: Beginnings | 'unknown' | undefined
  /** By text, for the first ones. */
  readonly #slim = new Map<string, RegExp>()

  constructor(source: string) {
    super(source, 'u')
    made.add(this.source)
  }

  override exec(text: string): RegExpExecArray | null {
    this.#beginnings ??= rememberedBeginnings(this.source)
    if (!mayOccur(this.#beginnings, text)) return null
    if (this.source.length < LONG || text.length > MAX_TEXT) return super.exec(text)
    const slim = this.#slim.get(text)
    if (slim !== undefined) return slim.exec(text)
    if (this.#slim.size >= FIRST_TEXTS) return super.exec(text)
    const shorter = new RegExp(slimmed(this.source, readingOf(text).parts), 'u')
    this.#slim.set(text, shorter)
    return shorter.exec(text)
  }
}

interface Beginnings {
  texts: readonly string[]
  /** Its number in the index; undefined before it is there. */
  place: number | undefined
}

/** As numbers of patterns, by beginning: a text is looked up once for all of them. */
const index = new Map<string, number[]>()
let indexed = 0
const notIndexed: Beginnings[] = []
/** Before so many searches, a few tasks, filling the index would cost more than it saves. */
const INDEXED_FROM = 5000
let searches = 0

function rememberedBeginnings(source: string): Beginnings | 'unknown' {
  const texts = KNOWN[source] ?? beginningsOf(source)
  if (texts === undefined) return 'unknown'
  const beginnings: Beginnings = { texts, place: undefined }
  notIndexed.push(beginnings)
  return beginnings
}

function fillIndex(): void {
  known.clear()
  knownLength = 0
  for (const beginnings of notIndexed.splice(0)) {
    const place = indexed++
    beginnings.place = place
    for (const text of beginnings.texts) {
      const places = index.get(text)
      if (places === undefined) index.set(text, [place])
      else places.push(place)
    }
  }
}

function mayOccur(beginnings: Beginnings | 'unknown', text: string): boolean {
  if (beginnings === 'unknown' || text.length > MAX_TEXT) return true
  if (++searches > INDEXED_FROM && notIndexed.length > 0) fillIndex()
  const { parts, possible } = readingOf(text)
  if (beginnings.place !== undefined) return possible.has(beginnings.place)
  return beginnings.texts.some((beginning) => parts.has(beginning))
}

interface Reading {
  /** Everything of up to `LENGTH` characters in the text. */
  parts: ReadonlySet<string>
  /** Patterns of the index that may occur in it. */
  possible: ReadonlySet<number>
}

/** Of the last texts: many patterns are tried on the clauses of a task in turn. */
const known = new Map<string, Reading>()
let knownLength = 0
const MOST_KNOWN = 4 * MAX_TEXT

function readingOf(text: string): Reading {
  const before = known.get(text)
  if (before !== undefined) return before
  const parts = partsOf(text)
  const possible = new Set<number>()
  if (indexed > 0) for (const part of parts) for (const place of index.get(part) ?? []) possible.add(place)
  const reading = { parts, possible }
  knownLength += text.length
  if (knownLength > MOST_KNOWN) {
    known.clear()
    knownLength = text.length
  }
  known.set(text, reading)
  return reading
}

function partsOf(text: string): ReadonlySet<string> {
  const parts = new Set<string>()
  for (let at = 0; at < text.length; at++) {
    for (let size = 1; size <= LENGTH; size++) parts.add(text.slice(at, at + size))
  }
  return parts
}

/**
 * Every match begins with one of these; undefined when that cannot be said. Reads the part of the syntax that word lists
 * use, and gives up on anything else.
 */
export function beginningsOf(source: string): string[] | undefined {
  const found = new Reader(source).alternatives()
  const texts = [...new Set(found.map((beginning) => beginning.text))]
  return texts.includes('') || texts.length > MAX_BEGINNINGS ? undefined : texts
}

/** `open`: what follows the text is unknown, so that nothing can be added to it. */
interface Beginning {
  text: string
  open: boolean
}

const UNKNOWN: readonly Beginning[] = [{ text: '', open: true }]
const NOTHING: readonly Beginning[] = [{ text: '', open: false }]
const ASSERTION = /[\^$]|\\[bB]/y
const LOOKAROUND = /\(\?<?[=!]/y
const GROUP = /\((?:\?:|\?<\w+>|(?!\?))/y
const QUANTIFIER = /([?*+]|\{\d+(?:,\d*)?\})\??/y
/** A quantifier belongs to the last character only. */
const TEXT = /[^\\.*+?^${}()|[\]]+(?![*+?{])|[^\\.*+?^${}()|[\]]/uy
const ESCAPED = /\\([.*+?^${}()|[\]\\/-])/y
const LISTED = /\[([^\\^\]-][^\\\]-]{0,7})\]/uy
const CLASS = /\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\.|\./suy
const PLAIN = /[^\\()|[\]]+/y

class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Up to the end of the group or of the source. */
  alternatives(): Beginning[] {
    const all: Beginning[] = []
    do all.push(...this.#sequence())
    while (this.#match(/\|/y) !== undefined)
    return all
  }

  #sequence(): readonly Beginning[] {
    let all = NOTHING
    while (!this.#ends()) {
      if (all.every(({ open }) => open)) this.#skip()
      else all = joined(all, this.#atom())
    }
    return all
  }

  #ends(): boolean {
    const next = this.#source[this.#at]
    return next === undefined || next === '|' || next === ')'
  }

  #atom(): readonly Beginning[] {
    if (this.#match(ASSERTION) !== undefined) return NOTHING
    if (this.#match(LOOKAROUND) !== undefined) {
      this.#skipGroup()
      return NOTHING
    }
    const single = this.#single()
    const quantifier = this.#match(QUANTIFIER)
    if (quantifier === undefined) return single
    const some = single.map(({ text }) => ({ text, open: true }))
    if (quantifier[1] === '?') return [...NOTHING, ...single]
    return /^(?:\*|\{0)/.test(quantifier[0]) ? [...NOTHING, ...some] : some
  }

  #single(): readonly Beginning[] {
    const text = this.#match(TEXT)?.[0] ?? this.#match(ESCAPED)?.[1]
    if (text !== undefined) return [grown(text, false)]
    if (this.#match(GROUP) !== undefined) {
      const inner = this.alternatives()
      this.#at++
      return inner
    }
    const listed = this.#match(LISTED)?.[1]
    if (listed !== undefined) return [...listed].map((character) => ({ text: character, open: false }))
    this.#skip()
    return UNKNOWN
  }

  #skip(): void {
    if (this.#match(PLAIN) !== undefined || this.#match(CLASS) !== undefined) return
    this.#at++
    if (this.#source[this.#at - 1] === '(') this.#skipGroup()
  }

  #skipGroup(): void {
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#match(/\|/y) === undefined) this.#skip()
    }
    this.#at++
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source) ?? undefined
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }
}

function joined(all: readonly Beginning[], next: readonly Beginning[]): readonly Beginning[] {
  if (next === NOTHING) return all
  return all.flatMap((one) => (one.open ? [one] : next.map((more) => grown(one.text + more.text, more.open))))
}

function grown(text: string, open: boolean): Beginning {
  return { text: text.slice(0, LENGTH), open: open || text.length >= LENGTH }
}
