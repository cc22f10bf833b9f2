/** Splits a text into search words. Both databases index and query exactly these. */
import { closeCjk, unifyRadicals } from '../base/cjk.ts'
import { neighbourPairs } from '../language/words.ts'

/** Loads a dictionary, so only at the first text. */
let segmenter: Intl.Segmenter | undefined

/** Splits further than the segmenter: `file_read` is found by `read`, and no database splits it again. */
const PIECE = /[\p{L}\p{N}\p{M}]{1,64}/gu
/** Letters only: the script also has radicals and strokes, which are symbols. */
const HAN_RUN = /(?:(?=[\p{L}\p{N}])\p{Script=Han})+/gu
const ASCII = /^[\0-\x7f]*$/
const HAN_SINGLE = /^\p{Script=Han}$/u

/**
 * The words of a query, each once, in order. Chinese gives longer words and all pairs of neighbours: the segmenter
 * splits the same word differently in different sentences, but a pair is always the same.
 */
export function words(text: string): string[] {
  const plain = fold(text)
  const found = new Set<string>()
  const runs = [...plain.matchAll(HAN_RUN)].map(([run]) => run)
  const pairs = runs.flatMap(neighbourPairs)
  for (const segment of segments(plain)) {
    for (const [piece] of segment.matchAll(PIECE)) if (!HAN_SINGLE.test(piece)) found.add(piece)
  }
  for (const pair of pairs) found.add(pair)
  // A single character means little in a sentence, but is all there is in a query of one.
  for (const run of runs) if ([...run].length === 1) found.add(run)
  return [...found]
}

/**
 * The words of an indexed text: the same words, those of the text without spaces inside Chinese, so that 检索 finds 检 索,
 * and each Chinese character, so that 猫 finds 小猫.
 */
export function indexWords(text: string): string[] {
  const characters = [...fold(text).matchAll(HAN_RUN)].flatMap(([run]) => [...run])
  const closed = closeCjk(text)
  return [...new Set([...words(text), ...(closed === text ? [] : words(closed)), ...characters])]
}

const ENGLISH_NOUN = /^[a-z]{3,}$/

/** A query word in singular and plural: the index has words as they are written. */
export function formsOf(word: string): string[] {
  if (!ENGLISH_NOUN.test(word)) return [word]
  if (/[^aeiou]ies$/.test(word)) return [word, `${word.slice(0, -3)}y`]
  if (/(?:[sx]|[cs]h)es$/.test(word)) return [word, word.slice(0, -2), word.slice(0, -1)]
  if (/[^su]s$/.test(word)) return [word, word.slice(0, -1)]
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`]
  return [word, /(?:[sx]|[cs]h)$/.test(word) ? `${word}es` : `${word}s`]
}

/** The segmenter never splits a run of ASCII letters and digits, so a text of ASCII does not need it. */
function segments(text: string): Iterable<string> {
  if (ASCII.test(text)) return [text]
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return Iterator.from(segmenter.segment(text)).map(({ segment }) => segment)
}

function fold(text: string): string {
  return unifyRadicals(text).normalize('NFKC').toLowerCase()
}
