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
  lead: number
}

export interface Word extends Meaning {
  /** Phrases that begin with this word, longest first; empty for most. */
  phrases: Phrase[]
  /** One bit for each letter that the second word of a phrase may begin with. */
  leads: number
}

/** Scripts written without spaces, or with endings: found inside a run, longest first. `whole`: takes no ending. */
export type Stem = Meaning & { text: string; whole: boolean }

const words = new Map<string, Word>()
/** While loading: by all their words. */
const phrases = new Map<string, Phrase>()
const stems = new Map<number, readonly Stem[]>()
/** By first character: the index of its stems in `stemLists`; 0 means none. */
const stemIndex = new Uint16Array(0x10000)
const stemLists: (readonly Stem[])[] = [[]]

/** The words by hash. The tags fit in a CPU cache, and most words of a text need no more. */
const SLOTS = 0x8000
const tags = new Uint8Array(SLOTS)
const slots: ({ text: string; word: Word } | undefined)[] = new Array(SLOTS).fill(undefined)

const SPACED = /^[a-z0-9.][\w.'!-]*$/

let loaded = false

/** Before the first text, not at start: many runs inspect nothing. */
export function loadLexicon(): void {
  if (loaded) return
  loaded = true
  for (const lexicon of [ENGLISH, CHINESE, WORLD]) add(lexicon)
  for (const [first, list] of stems) {
    stemIndex[first] = stemLists.length
    stemLists.push(list.toSorted((a, b) => b.text.length - a.text.length))
  }
  for (const [word, known] of words) words.set(word, withPhraseMeanings(known))
  phrases.clear()
  for (const [text, word] of words) {
    const hash = [...text].reduce((sum, char) => hashOn(sum, char.charCodeAt(0)), 0)
    let slot = hash & (SLOTS - 1)
    while (tags[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
    tags[slot] = tagOf(hash)
    slots[slot] = { text, word }
  }
}

/** A phrase also means what its words mean: "the text above" is text, and above. */
function withPhraseMeanings({ phrases, ...meaning }: Word): Word {
  const whole = phrases.map((phrase) => ({
    ...phrase,
    mask:
      phrase.mask === 0
        ? phrase.rest.reduce((mask, part) => mask | (words.get(part)?.mask ?? 0), meaning.mask)
        : phrase.mask,
  }))
  return {
    ...meaning,
    phrases: whole.toSorted((a, b) => b.rest.length - a.rest.length),
    leads: whole.reduce((leads, { lead }) => leads | (1 << (lead & 31)), 0),
  }
}

export function wordOf(text: string): Word | undefined {
  loadLexicon()
  return words.get(text)
}

/** The stems that begin with a character, longest first. */
export function stemsOf(code: number): readonly Stem[] | undefined {
  const index = stemIndex[code] ?? 0
  return index === 0 ? undefined : stemLists[index]
}

/** `hash` is the hash of the characters from `start` to `end`. */
export function wordAt(
  codes: Uint16Array,
  { start, end, hash }: { start: number; end: number; hash: number },
): Word | undefined {
  const tag = tagOf(hash)
  for (let slot = hash & (SLOTS - 1); tags[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    if (tags[slot] !== tag) continue
    const known = slots[slot]
    if (known !== undefined && isAt(codes, start, end, known.text)) return known.word
  }
  return undefined
}

function isAt(codes: Uint16Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (codes[start + i] !== text.charCodeAt(i)) return false
  return true
}

function tagOf(hash: number): number {
  return (hash >>> 15) & 0xff || 1
}

export function hashOn(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0
}

function add({ concepts, cues }: Lexicon): void {
  for (const [concept, list] of Object.entries(concepts)) {
    for (const entry of entries(list)) put(entry, { mask: BIT[concept as Concept], cues: 0 })
  }
  for (const [cue, list] of Object.entries(cues)) {
    for (const entry of entries(list)) put(entry, { mask: 0, cues: CUE[cue as Cue] })
  }
}

function entries(list: string): string[] {
  return normalise(list).text.split(/\s+/).filter(Boolean)
}

function put(entry: string, meaning: Meaning): void {
  const [first = '', ...rest] = entry.split('_').filter(Boolean)
  if (!SPACED.test(first)) {
    putStem([first, ...rest].join(' '), { ...meaning, whole: entry.endsWith('_') })
    return
  }
  let known = words.get(first)
  if (known === undefined) {
    known = { mask: 0, cues: 0, phrases: [], leads: 0 }
    words.set(first, known)
  }
  if (rest.length === 0) {
    Object.assign(known, join(known, meaning))
    return
  }
  const key = [first, ...rest].join('_')
  const same = phrases.get(key)
  const phrase = same ?? { mask: 0, cues: 0, rest, lead: rest[0]?.charCodeAt(0) ?? 0 }
  Object.assign(phrase, join(phrase, meaning))
  if (same !== undefined) return
  phrases.set(key, phrase)
  known.phrases.push(phrase)
}

function putStem(text: string, { whole, ...meaning }: Omit<Stem, 'text'>): void {
  const first = text.charCodeAt(0)
  const list = stems.get(first) ?? []
  const same = list.find((stem) => stem.text === text)
  const stem = { ...join(same ?? { mask: 0, cues: 0 }, meaning), text, whole }
  stems.set(first, [...list.filter((other) => other !== same), stem])
}

function join(a: Meaning, b: Meaning): Meaning {
  return { mask: a.mask | b.mask, cues: a.cues | b.cues }
}
