/** Whether the summary of a turn tells a remembered fact. Whoever forgets the fact wants that gone too. */
import { indexWords, words } from './words.ts'

/** Say nothing about which fact it is. */
const COMMON = new Set(
  `a an the and or but of to in on at for with from by as is are was were be been am do does did has have had i me my
  mine you your yours he she it its we our they their this that these those user users s t not no yes please what which
  who when where how remember note noted know called name named year years old day days month months week weeks time
  times today one two three four five six seven eight nine ten 用户 户的 我的 你的 他的 她的 是我 请记 记住 一个 这个 那个
  什么 今年 今天`.split(/\s+/),
)
/** So much of what the fact says must be in the summary, and not one word of two: all talk of dogs shares "dog". */
const SHARE = 0.5
const FEW = 2
/** A fact may have several parts; a summary that tells all of one tells the fact. */
const PART = /[,;.，；。、]|\s(?:and|but|who|which)\s|而且|并且/u
/** A code, a number or a date: alone it gives the fact away. */
const FIGURE = /(?=[\p{L}\p{N}]*\p{N})[\p{L}\p{N}]{3,}/gu
/** So does an address. */
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:https?:\/\/|www\.)[^\s,，。；]+/giu

export function tells(summary: string, fact: string): boolean {
  const said = new Set(indexWords(summary))
  const figures = words((fact.match(FIGURE) ?? []).join(' '))
  if (figures.some((figure) => /\p{N}/u.test(figure) && said.has(figure))) return true
  const plain = summary.toLowerCase()
  if ((fact.match(ADDRESS) ?? []).some((address) => plain.includes(address.toLowerCase()))) return true
  if (names(fact).some((name) => isSaid(name, { said, summary }))) return true
  const all = words(fact)
  const telling = tellingOf(all)
  const asked = telling.length === 0 ? all : telling
  const shared = (some: readonly string[]) => some.filter((word) => said.has(word)).length
  const enough = Math.max(SHARE * asked.length, Math.min(FEW, asked.length))
  if (asked.length > 0 && shared(asked) >= enough) return true
  const parts = fact.split(PART).map((part) => tellingOf(words(part)))
  return parts.some((part) => part.length >= FEW && shared(part) === part.length)
}

function tellingOf(found: readonly string[]): string[] {
  return found.filter((word) => word.length > 1 && !COMMON.has(word))
}

// ---------------------------------------------------------------------------------------------- names

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
/** In the middle of a sentence English writes only names with a capital. */
const CAPITAL = /(?<=[\p{L}\p{N},'’"“)]\s+["“(]?)\p{Lu}\p{Ll}[\p{L}\p{M}]*/gu
/** At its beginning a capital says little, unless the word does something. */
const SUBJECT =
  /(?<=^|[.!?:]\s+)\p{Lu}\p{Ll}[\p{L}\p{M}]*(?=(?:'s|’s)?\s+(?:is|was|has|had|lives|works|goes|studies|likes|loves|prefers|plays|hates|drinks|eats|owns)\b)/gu
/** Of a Chinese name two characters are enough to find it: it does not show where it ends. */
const CALLED_ZH = /(?:名叫|叫做|叫作|叫|名为|名字是|姓名是|昵称是|小名是?)[“"「]?(\p{Script=Han}{2})/gu
const PLACE_ZH = /(?:住在|家在|在)(\p{Script=Han}{3,12}?)(?:上学|读书|就读|上班|工作|任职|居住|$|[，。；,;])/gu

/** What the fact calls people, animals, places and firms. */
function names(fact: string): string[] {
  const called = [...fact.matchAll(CALLED), ...fact.matchAll(CALLED_ZH), ...fact.matchAll(PLACE_ZH)]
  const written = [...fact.matchAll(CAPITAL), ...fact.matchAll(SUBJECT)].map(([name]) => name)
  return [...called.map(([, name = '']) => name), ...written].filter((name) => !isShared(name.toLowerCase()))
}

function isShared(name: string): boolean {
  return COMMON.has(name) || SHARED_NAMES.has(name)
}

/** A word that the summary also writes small is no name: "Coffee is what I drink" and "how much coffee". */
function isSaid(name: string, { said, summary }: { said: ReadonlySet<string>; summary: string }): boolean {
  if (/\p{Script=Han}/u.test(name)) return summary.includes(name)
  if (!words(name).every((word) => said.has(word))) return false
  const small = name.toLowerCase()
  return name === small || !new RegExp(`(?<![\\p{L}])${small}(?![\\p{L}])`, 'u').test(summary)
}
