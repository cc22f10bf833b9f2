/** A text as the words it can be found by. Both databases index and are asked for exactly these. */
import { closeCjk, unifyRadicals } from '../base/cjk.ts'

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Split further than the segmenter does: `file_read` is found by `read`, and no database splits such a piece again. */
const PIECE = /[\p{L}\p{N}\p{M}]{1,64}/gu
/** Letters only: the script also has radicals and strokes that are symbols. */
const HAN_RUN = /(?:(?=[\p{L}\p{N}])\p{Script=Han})+/gu
const HAN_SINGLE = /^\p{Script=Han}$/u

/**
 * What to look for, each word once, in the order of the text. Chinese comes as longer words and as every pair of
 * neighbours: the segmenter cuts the same word differently in different sentences, a pair is the same everywhere.
 */
export function words(text: string): string[] {
  const plain = fold(text)
  const found = new Set<string>()
  const runs = [...plain.matchAll(HAN_RUN)].map(([run]) => [...run])
  const pairs = runs.flatMap((run) => run.slice(1).map((second, i) => `${run[i]}${second}`))
  for (const { segment } of segmenter.segment(plain)) {
    for (const [piece] of segment.matchAll(PIECE)) if (!HAN_SINGLE.test(piece)) found.add(piece)
  }
  for (const pair of pairs) found.add(pair)
  // A lone character says little inside a sentence, but is all there is to go by when it stands alone.
  for (const run of runs) if (run.length === 1) found.add(run.join(''))
  return [...found]
}

/**
 * What a text is kept under: the same words, those of the text without spaces inside Chinese, so that 检索 finds 检 索,
 * and each Chinese character, so that 猫 finds 小猫.
 */
export function indexWords(text: string): string[] {
  const characters = [...fold(text).matchAll(HAN_RUN)].flatMap(([run]) => [...run])
  const closed = closeCjk(text)
  return [...new Set([...words(text), ...(closed === text ? [] : words(closed)), ...characters])]
}

function fold(text: string): string {
  return unifyRadicals(text).normalize('NFKC').toLowerCase()
}
