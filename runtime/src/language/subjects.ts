/** The words that say what a text is about. */
import { fitting } from './fitting-pattern.ts'
import { neighbourPairs } from './words.ts'

const EVERYWHERE = new Set(
  `about after again also another anyone anything because been before being best both call check come could does doing done down each
  else even ever every everything find first from full give goes going good have having here hers home into just keep know last
  latest leave left like list long look made mail make many maybe message more most much must name need never next nobody note
  nothing number once only open other over own past please post problem quick read really same send show since some someone
  something soon still such sure take tell than thank thanks that their them then there these they thing things think this those
  time today tomorrow tonight under until update used using very want week were what when where whether which while whoever whose
  will with without work would write yesterday your yours`.split(/\s+/),
)
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._@/#-]*[\p{L}\p{N}]/gu
const HAN = /\p{Script=Han}/u
const HAN_RUN = /\p{Script=Han}{2,}/gu
const LETTERS = /^\p{L}+$/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const SHORTEST = 4
/** Enough of a word to find it in another form: "plumber", "plumbing". */
const STEM = 5
/** Signs that join words but say nothing. */
const JOINS =
  /[的了是我你您他她它们这那个把给跟和在有没不要就都也还再吧吗呢啊呀嘛帮看一下里上下为对从到与及或请让被去来会能可以得过着么什怎哪谁多少几很最点些，。；：！？、\s]+/u

/** In small letters: stems of words, and pairs of Chinese signs. */
export function subjectsIn(text: string): string[] {
  const lower = text.toLowerCase()
  const found = new Set<string>()
  for (const { 0: word } of lower.matchAll(fitting(lower, WORD))) {
    if (fitting(word, HAN).test(word)) continue
    if (/\d/.test(word) ? word.length >= 2 : word.length >= SHORTEST && !EVERYWHERE.has(word)) found.add(stemOf(word))
  }
  for (const { 0: run } of lower.matchAll(fitting(lower, HAN_RUN)))
    for (const part of run.split(JOINS)) for (const pair of neighbourPairs(part)) found.add(pair)
  return [...found]
}

function stemOf(word: string): string {
  return fitting(word, LETTERS).test(word)
    ? word.replace(/(?:e?s|ed|ing|er|ly)$/u, '').slice(0, Math.max(STEM, Math.min(word.length - 2, 8)))
    : word
}

/** The same, but D-2 is not in D-21. */
export function holdsWord(lower: string, word: string): boolean {
  if (!/\d$/.test(word)) return holdsSubject(lower, word)
  const joins = (at: number) => fitting(lower, LETTER_OR_DIGIT).test(lower.charAt(at))
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
    if (!joins(at - 1) && !joins(at + word.length)) return true
  return false
}

/** True when a text in small letters contains a subject: at the beginning of a word, or anywhere in Chinese. */
export function holdsSubject(lower: string, subject: string): boolean {
  const isLatin = /^[a-z0-9]/.test(subject)
  for (let at = lower.indexOf(subject); at >= 0; at = lower.indexOf(subject, at + 1))
    if (!isLatin || at === 0 || !fitting(lower, LETTER_OR_DIGIT).test(lower.charAt(at - 1))) return true
  return false
}
