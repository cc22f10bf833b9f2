/** Whether the summary of a turn repeats a remembered fact. It is deleted with the fact. */
import { COMMON_IN_FACTS } from '../language/stop-words.ts'
import { indexWords, words } from './words.ts'

/** Share of the fact's words that must be in the summary, and more than one of two: all talk of dogs shares "dog". */
const SHARE = 0.5
const FEW = 2
/** A fact may have several parts; a summary that tells all of one repeats the fact. */
const PART = /[,;.，；。、]|\s(?:and|but|who|which)\s|而且|并且/u
/** A code, a number or a date: one of them is enough. */
const FIGURE = /(?=[\p{L}\p{N}]*\p{N})[\p{L}\p{N}]{3,}/gu
/** So does an address. */
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:https?:\/\/|www\.)[^\s,，。；]+/giu

export function repeats(summary: string, fact: string): boolean {
  const summaryWords = new Set(indexWords(summary))
  const figures = words((fact.match(FIGURE) ?? []).join(' '))
  if (figures.some((figure) => /\p{N}/u.test(figure) && summaryWords.has(figure))) return true
  const plain = summary.toLowerCase()
  if ((fact.match(ADDRESS) ?? []).some((address) => plain.includes(address.toLowerCase()))) return true
  if (names(fact).some((name) => isIn(name, { summaryWords, summary }))) return true
  const all = words(fact)
  const telling = distinctive(all)
  const required = telling.length === 0 ? all : telling
  const shared = (some: readonly string[]) => some.filter((word) => summaryWords.has(word)).length
  const enough = Math.max(SHARE * required.length, Math.min(FEW, required.length))
  if (required.length > 0 && shared(required) >= enough) return true
  const parts = fact.split(PART).map((part) => distinctive(words(part)))
  return parts.some((part) => part.length >= FEW && shared(part) === part.length)
}

function distinctive(found: readonly string[]): string[] {
  return found.filter((word) => word.length > 1 && !COMMON_IN_FACTS.has(word))
}

/** Names that many facts and tasks share; they do not give one away. */
const SHARED_NAMES = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december english chinese german french spanish italian japanese korean russian portuguese american
  british european python java javascript typescript rust golang go ruby php kotlin swift react vue angular node docker
  kubernetes linux ubuntu debian windows mac macos android ios git github gitlab google microsoft apple amazon excel
  word powerpoint outlook slack chrome firefox markdown postgres postgresql mysql sqlite redis internet web mr mrs ms dr
  writ`.split(/\s+/),
)
const CALLED = /\b(?:called|named|name(?:'s| is| was)|nicknamed)\s+["“']?(\p{L}[\p{L}\p{M}'-]+)/giu
/** Within a sentence, English capitalises only names. */
const CAPITAL = /(?<=[\p{L}\p{N},'’"“)]\s+["“(]?)\p{Lu}\p{Ll}[\p{L}\p{M}]*/gu
/** At the start of a sentence a capital counts only before a verb. */
const SUBJECT =
  /(?<=^|[.!?:]\s+)\p{Lu}\p{Ll}[\p{L}\p{M}]*(?=(?:'s|’s)?\s+(?:is|was|has|had|lives|works|goes|studies|likes|loves|prefers|plays|hates|drinks|eats|owns)\b)/gu
/** Of a Chinese name two characters are enough to find it: it does not show where it ends. */
const CALLED_ZH = /(?:名叫|叫做|叫作|叫|名为|名字是|姓名是|昵称是|小名是?)[“"「]?(\p{Script=Han}{2})/gu
const PLACE_ZH = /(?:住在|家在|在)(\p{Script=Han}{3,12}?)(?:上学|读书|就读|上班|工作|任职|居住|$|[，。；,;])/gu

/** Names of people, animals, places and companies in the fact. */
function names(fact: string): string[] {
  const called = [...fact.matchAll(CALLED), ...fact.matchAll(CALLED_ZH), ...fact.matchAll(PLACE_ZH)]
  const written = [...fact.matchAll(CAPITAL), ...fact.matchAll(SUBJECT)].map(([name]) => name)
  return [...called.map(([, name = '']) => name), ...written].filter((name) => !isShared(name.toLowerCase()))
}

function isShared(name: string): boolean {
  return COMMON_IN_FACTS.has(name) || SHARED_NAMES.has(name)
}

/** A word that the summary also writes in lower case is not a name: "Coffee is what I drink" and "how much coffee". */
function isIn(
  name: string,
  { summaryWords, summary }: { summaryWords: ReadonlySet<string>; summary: string },
): boolean {
  if (/\p{Script=Han}/u.test(name)) return summary.includes(name)
  if (!words(name).every((word) => summaryWords.has(word))) return false
  const small = name.toLowerCase()
  return name === small || !new RegExp(`(?<![\\p{L}])${small}(?![\\p{L}])`, 'u').test(summary)
}
