/** Compiles the word lists of all languages into one lookup by word and one by first character. */
import { BIT, type Concept, CUE, type Cue, type Lexicon } from './concept.ts'
import { ENGLISH } from './lexicon-en.ts'
import { WORLD } from './lexicon-world.ts'
import { CHINESE } from './lexicon-zh.ts'
import { normalise } from './normalise.ts'

export interface Meaning {
  mask: number
  cues: number
}

interface Phrase extends Meaning {
  rest: readonly string[]
  /** The second character of its second word; 0 where that has only one. */
  second: number
}

export interface Word extends Meaning {
  /** Phrases that begin with this word, by the character their second word begins with; longest first. None for most. */
  phrases: ReadonlyMap<number, readonly Phrase[]> | undefined
  /** A bit for each of these characters; few words are followed by one of them. */
  firsts: number
}

/**
 * Scripts written without spaces, or with endings: found inside a run, longest first. `whole`: takes no ending. `second`:
 * its second character, or 0.
 */
export type Stem = Meaning & { text: string; whole: boolean; second: number }

const words = new Map<string, Word>()
/** By first character: the index of its stems in `stemLists`; 0 means none. */
const stemIndex = new Uint16Array(0x10000)
const stemLists: Stem[][] = [[]]

/** The words by hash. The tags fit in a CPU cache, and most words of a text need no more. */
const SLOTS = 0x8000
const tags = new Uint8Array(SLOTS)
/** Where the letters of a slot begin, and how many there are. */
const starts = new Uint32Array(SLOTS)
const sizes = new Uint8Array(SLOTS)
let letters = new Uint16Array(0x20000)
const slots: (Word | undefined)[] = new Array(SLOTS).fill(undefined)

const SPACED = /^[a-z0-9.][\w.'!-]*$/

let loaded = false

/** Before the first text, not at start: many runs inspect nothing. */
export function loadLexicon(): void {
  if (loaded) return
  loaded = true
  const lists: Lists = readLists()
  for (const [text, mask, cues, whole] of lists.stems) {
    const first = text.charCodeAt(0)
    if (stemIndex[first] === 0) {
      stemIndex[first] = stemLists.length
      stemLists.push([])
    }
    stemLists[stemIndex[first] ?? 0]?.push({ mask, cues, text, whole: whole === 1, second: text.charCodeAt(1) || 0 })
  }
  let used = 0
  for (const [text, mask, cues, phrases = []] of lists.words) {
    const word = wordWith({ mask, cues }, phrases)
    words.set(text, word)
    if (used + text.length > letters.length)
      letters = Uint16Array.from({ length: 2 * letters.length }, (_, i) => letters[i] ?? 0)
    let hash = 0
    for (let i = 0; i < text.length; i++) {
      letters[used + i] = text.charCodeAt(i)
      hash = hashOn(hash, text.charCodeAt(i))
    }
    let slot = hash & (SLOTS - 1)
    while (tags[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
    tags[slot] = tagOf(hash)
    starts[slot] = used
    sizes[slot] = text.length
    slots[slot] = word
    used += text.length
  }
}

function wordWith({ mask, cues }: Meaning, rows: readonly PhraseRow[]): Word {
  if (rows.length === 0) return { mask, cues, phrases: undefined, firsts: 0 }
  const phrases = rows.map(([text, meant, cue]) => ({
    mask: meant,
    cues: cue,
    rest: text.split('_'),
    second: /^.[^_]/s.test(text) ? text.charCodeAt(1) : 0,
  }))
  const byFirst = Map.groupBy(phrases, ({ rest: [next = ''] }) => next.charCodeAt(0))
  return { mask, cues, phrases: byFirst, firsts: [...byFirst.keys()].reduce((bits, code) => bits | bitOf(code), 0) }
}

/** Other characters may have the same. */
export function bitOf(code: number): number {
  return 1 << (code & 31)
}

/** Short, because the bundle contains them as text. */
interface Lists {
  words: readonly (readonly [text: string, mask: number, cues: number, phrases?: readonly PhraseRow[]])[]
  /** Those with the same first character: longest first. */
  stems: readonly (readonly [text: string, mask: number, cues: number, whole: 0 | 1])[]
}

/** Without its first word, longest first. */
type PhraseRow = readonly [text: string, mask: number, cues: number]

interface Reading {
  words: Map<string, Meaning & { phrases: Map<string, Meaning> }>
  stems: Map<number, Map<string, Omit<Stem, 'second'>>>
}

/** Takes longer than inspecting most texts: the bundle contains the result. */
export function readLists(): Lists {
  const reading: Reading = { words: new Map(), stems: new Map() }
  for (const lexicon of [ENGLISH, CHINESE, WORLD]) add(lexicon, reading)
  const { words, stems } = reading
  return {
    words: [...words].map(([text, { mask, cues, phrases }]) =>
      phrases.size === 0
        ? [text, mask, cues]
        : [text, mask, cues, [...phrases].map((phrase) => phraseRow(phrase, { mask, words })).toSorted(byWords)],
    ),
    stems: [...stems.values()].flatMap((list) =>
      [...list.values()]
        .toSorted((a, b) => b.text.length - a.text.length)
        .map(({ text, mask, cues, whole }) => [text, mask, cues, whole ? 1 : 0] as const),
    ),
  }
}

/** A phrase also means what its words mean: "the text above" is text, and above. */
function phraseRow(
  [text, { mask, cues }]: readonly [string, Meaning],
  first: { mask: number; words: Reading['words'] },
): PhraseRow {
  if (mask !== 0) return [text, mask, cues]
  const meant = text.split('_').reduce((sum, part) => sum | (first.words.get(part)?.mask ?? 0), first.mask)
  return [text, meant, cues]
}

function byWords([one]: PhraseRow, [other]: PhraseRow): number {
  return other.split('_').length - one.split('_').length
}

export function wordOf(text: string): Word | undefined {
  loadLexicon()
  return words.get(text)
}

/** The stems that begin with a character, longest first. */
export function stemsOf(code: number): readonly Stem[] {
  return stemLists[stemIndex[code] ?? 0] as readonly Stem[]
}

/** `hash` is the hash of the characters from `start` to `end`. */
export function wordAt(codes: Uint16Array, start: number, end: number, hash: number): Word | undefined {
  const tag = tagOf(hash)
  for (let slot = hash & (SLOTS - 1); tags[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    if (tags[slot] === tag && sizes[slot] === end - start && isAt(codes, start, end, starts[slot] ?? 0))
      return slots[slot]
  }
  return undefined
}

function isAt(codes: Uint16Array, start: number, end: number, from: number): boolean {
  for (let i = start, k = from; i < end; i++, k++) if (codes[i] !== letters[k]) return false
  return true
}

function tagOf(hash: number): number {
  return (hash >>> 15) & 0xff || 1
}

export function hashOn(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0
}

function add({ concepts, cues }: Lexicon, reading: Reading): void {
  for (const [concept, list] of Object.entries(concepts)) {
    for (const entry of entries(list)) put(entry, { mask: BIT[concept as Concept], cues: 0 }, reading)
  }
  for (const [cue, list] of Object.entries(cues)) {
    for (const entry of entries(list)) put(entry, { mask: 0, cues: CUE[cue as Cue] }, reading)
  }
}

function entries(list: string): string[] {
  return normalise(list).text.split(/\s+/).filter(Boolean)
}

function put(entry: string, meaning: Meaning, { words, stems }: Reading): void {
  const [first = '', ...rest] = entry.split('_').filter(Boolean)
  if (!SPACED.test(first)) {
    putStem([first, ...rest].join(' '), { ...meaning, whole: entry.endsWith('_') }, stems)
    return
  }
  const known = words.get(first) ?? { mask: 0, cues: 0, phrases: new Map<string, Meaning>() }
  words.set(first, known)
  if (rest.length === 0) Object.assign(known, join(known, meaning))
  else {
    const text = rest.join('_')
    known.phrases.set(text, join(known.phrases.get(text) ?? { mask: 0, cues: 0 }, meaning))
  }
}

function putStem(text: string, { whole, ...meaning }: Meaning & { whole: boolean }, stems: Reading['stems']): void {
  const first = text.charCodeAt(0)
  const list = stems.get(first) ?? new Map<string, Omit<Stem, 'second'>>()
  const same = list.get(text)
  // Moved to the end.
  list.delete(text)
  list.set(text, { ...join(same ?? { mask: 0, cues: 0 }, meaning), text, whole })
  stems.set(first, list)
}

function join(a: Meaning, b: Meaning): Meaning {
  return { mask: a.mask | b.mask, cues: a.cues | b.cues }
}
