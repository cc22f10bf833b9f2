/** Compiles the word lists of all languages into one look-up by word and one by first character. */
import { BIT, type Concept, CUE, type Cue, type Lexicon } from './concept.ts'
import { ENGLISH } from './lexicon-en.ts'
import { WORLD } from './lexicon-world.ts'
import { CHINESE } from './lexicon-zh.ts'
import { normalise } from './normalise.ts'

export interface Meaning {
  mask: number
  cues: number
}

export interface Word extends Meaning {
  /** Phrases that begin with this word, longest first; empty for most. */
  phrases: readonly (Meaning & { rest: readonly string[] })[]
}

/** Scripts written without spaces, or with endings: found inside a run, longest first. */
export type Stem = Meaning & { text: string }

export const words = new Map<string, Word>()
export const stems = new Map<number, readonly Stem[]>()

/** Whether a word of this length with these first two letters is known at all; most words end here. */
const shapes = new Uint8Array(64 * 64 * 32)

const SPACED = /^[a-z0-9.][\w.'!-]*$/

for (const lexicon of [ENGLISH, CHINESE, WORLD]) add(lexicon)
for (const [first, list] of stems) {
  stems.set(
    first,
    list.toSorted((a, b) => b.text.length - a.text.length),
  )
}
for (const [word, { phrases, ...meaning }] of words) {
  words.set(word, { ...meaning, phrases: phrases.toSorted((a, b) => b.rest.length - a.rest.length) })
}

for (const word of words.keys()) shapes[shapeOf(word.charCodeAt(0), word.charCodeAt(1), word.length)] = 1

export function wordAt(text: string, start: number, end: number): Word | undefined {
  const shape = shapeOf(text.charCodeAt(start), text.charCodeAt(start + 1), end - start)
  return shapes[shape] === 1 ? words.get(text.slice(start, end)) : undefined
}

function shapeOf(first: number, second: number, length: number): number {
  const next = length === 1 ? 0 : second & 63
  return (((first & 63) << 6) | next) * 32 + (length & 31)
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
    putStem([first, ...rest].join(' '), meaning)
    return
  }
  const known = words.get(first) ?? { mask: 0, cues: 0, phrases: [] }
  if (rest.length === 0) {
    words.set(first, { ...known, ...join(known, meaning) })
    return
  }
  const same = known.phrases.find((phrase) => phrase.rest.join('_') === rest.join('_'))
  const phrase = { ...join(same ?? { mask: 0, cues: 0 }, meaning), rest }
  words.set(first, { ...known, phrases: [...known.phrases.filter((other) => other !== same), phrase] })
}

function putStem(text: string, meaning: Meaning): void {
  const first = text.charCodeAt(0)
  const list = stems.get(first) ?? []
  const same = list.find((stem) => stem.text === text)
  const stem = { ...join(same ?? { mask: 0, cues: 0 }, meaning), text }
  stems.set(first, [...list.filter((other) => other !== same), stem])
}

function join(a: Meaning, b: Meaning): Meaning {
  return { mask: a.mask | b.mask, cues: a.cues | b.cues }
}
