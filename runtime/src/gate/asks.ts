/** Which deeds a text asks for, and how many. The same reading serves the user's task and what a stranger planted. */
import type { Deed } from '../protocol/facts.ts'
import { DEED_WORDS, type DeedWords, HANDS_OVER, WITHOUT_NUMBER } from './deed-words.ts'

export type Asks = ReadonlyMap<Deed, number>

/** Where a request begins: at the start, after a mark, or after a word that leads to one. */
const START =
  "(?<=^\\W*|[.!?:;,，。、\"'“”‘’(\\[>\\]*#|–—]\\s*|-\\s+|\\b(?:please|kindly|and|then|also|to|you|now|must|should|needs?|just|first|instead|always|immediately|so|or|can|could|will|would|let's|pls|next|finally|afterwards|additionally|todo|me|bitte|und|dann|veuillez|de|et|puis|favor|y|luego|favore|e|poi|пожалуйста|и)\\s+)"
/** German ends with its verb. */
const STEM_START = `(?:${START}|(?<=\\bbitte\\b[^.!?]{0,80}\\s))`
/** Something must follow: "Refund" alone in a list of subjects asks for nothing. */
const AND_MORE = '(?=\\s+[^\\s,;:}\\]])'

/** "Debit card C-771", "contact jo@corp.example": in a record such a word is a label, unless it is used like a verb. */
const AND_WHERETO =
  '(?=\\s+(?:\\S*[^\\s.!?;,:]\\s+){0,6}?(?:the|an?|my|your|our|his|her|its|their|this|that|these|those|it|them|him|me|us|all|every|each|both|any|to|into|from|with|for|at|on|in|about|of|under|as|now|immediately|today|too|again|also|please|via|by)\\b)'

/** Stems of other languages also begin English words: "cancelled" and "installation" are nobody's order. */
const NOT_ENGLISH = '(?<!ed|ing|ions?|ments?)(?!\\p{L})'

/** "The delete function", "my refund": named, not asked for. */
const NOT_NAMED = '(?<!\\b(?:the|an?|my|your|this|that|our|last|latest|any|each)\\s)'

interface Reader {
  deed: Deed
  free: RegExp
  bound: RegExp
  signs: RegExp
}

/** Made at first need: most runs never come to it. */
let readers: readonly Reader[] | undefined

function makeReaders(): readonly Reader[] {
  return Object.entries(DEED_WORDS).map(([deed, words]) => ({
    deed: deed as Deed,
    free: pattern(words, 'anywhere'),
    bound: pattern(words, 'at-start'),
    // 支付了, 支付过, 支付的, 已支付: that was done, or is a noun.
    signs: new RegExp(`(?<![已被])(?:${(words.signs ?? '').split(' ').join('|')})(?![了过的])`, 'gu'),
  }))
}

const NEGATION =
  /\b(?:do not|don't|dont|never|without|no need to|not to|rather than|nicht|ne pas|sin|senza)\s+\p{L}+|(?:不要|别|不用|无需|勿|不必|不需要)\p{L}{2}/giu
/** "Thank you for your order" closes a letter. */
const THANKS = /\bthank (?:you|u)\b|\bthanks\b/gi
const QUESTION =
  /^\W*(?:what|who|whom|whose|which|when|where|why|how|did|does|is|are|was|were|has|have|am|was|wer|wie|wann|wo)\b(?![^?]*\b(?:can|could|would|will) you\b)/i
const NUMBER =
  /\b(two|three|four|five|six|seven|eight|nine|ten|[2-9])\s+(?:\p{L}+\s+){0,2}?\p{L}+s\b|([两二三四五六七八九十])(?:个|封|笔|条|份|张|位)/iu
const NUMBERS = new Map(
  [...'two three four five six seven eight nine ten'.split(' '), ...'二三四五六七八九十'].map((word, i) => [
    word,
    (i % 9) + 2,
  ]),
)
/** "… must be set to public", "is to be put in his name": an order that names nobody. */
const OBLIGES =
  /\b(?:must|shall|needs? to|ha(?:s|ve) to|(?:is|are) to)\s+(?:be|read|become|receive|go)\b|\b(?:can|may)(?: all| both| now)? be \p{L}+ed\b|\b(?:ist|sind)\b[^.!?]{0,80}\bzu\s+\p{L}+en\b|\b(?:muss|müssen)\b|\b(?:est|sont) à \p{L}+(?:er|ir|re)\b|\bdoi(?:t|vent)\b|\bdeben?\b|\btienen? que\b|必须|务必|应当/iu
/** Chinese asks and tells with the same words; these tell the two apart. */
const ZH_QUESTION = /多少|什么|哪|几[个封笔条份天]|吗|谁|是否|怎么|为何/u
const ZH_REQUEST =
  /请|务必|必须|须(?!知)|劳驾|立即|马上|需要|帮|麻烦|[把将给并再]|然后|ください|下さい|して|주세요|해\s?줘|하세요/u
const MORE = /\s(?:and|&|und|et|y|e|ed|en|и)\s|[、和及]|以及/giu
const SENTENCE = /(?<=[.!?;])(?=[\s"'”’)\]}]|$)|(?<=[。！？；])|[\r\n{}]+|\\[nrt]|["'],\s/u

export function sentencesOf(text: string): string[] {
  return text.split(SENTENCE).filter((part) => part !== undefined && part.trim() !== '')
}

/** What a person's own words ask for. */
export function askedBy(text: string): Asks {
  const asks = new Map<Deed, number>()
  for (const said of sentencesOf(text)) {
    // "Would you mind asking …", "it needs cancelling".
    const sentence = said.replace(/\b(mind|needs?|about) (\p{L}{2,}?)(?:([lnptgmb])\3)?ing\b/giu, '$1 to $2$3')
    // A question tells of deeds; only a request within it ("…, and mail it to Jo") asks for one.
    const asking = QUESTION.test(sentence) || ZH_QUESTION.test(sentence)
    read(sentence, asking ? 'bound' : 'free', asks)
    if (HANDS_OVER.test(sentence)) asks.set('write', Number.POSITIVE_INFINITY)
  }
  return asks
}

const READING =
  /\b(?:read|look|check|find|show|list|search|see|summari[sz]e|explain|compare|translate|describe|analy[sz]e|tell me|give me|zeig|lies|fasse?|was|montre|lis|résume|muéstrame|lee|resume)\b|[看查读找]|总结|概括|归纳|告诉我|列出|解释|翻译|比较|分析/iu

/** True of words that only want to know something. */
export function isForReading(text: string): boolean {
  return QUESTION.test(text) || ZH_QUESTION.test(text) || READING.test(text)
}

/** What several messages ask for, taken together. */
export function together(all: readonly Asks[]): Asks {
  const [only, ...more] = all
  if (only !== undefined && more.length === 0) return only
  const sum = new Map<Deed, number>()
  for (const asks of all) for (const [deed, times] of asks) sum.set(deed, (sum.get(deed) ?? 0) + times)
  return sum
}

/** What a text from elsewhere asks for: only what reads as an order. */
export function orderedBy(sentence: string): Asks {
  const asks = new Map<Deed, number>()
  read(sentence, 'bound', asks)
  if (asks.size === 0 && OBLIGES.test(sentence)) asks.set('write', 1)
  return asks
}

function read(sentence: string, reading: 'free' | 'bound', asks: Map<Deed, number>): void {
  const text = sentence.replace(THANKS, ' ').replace(NEGATION, ' ')
  const request = reading === 'free' || ZH_REQUEST.test(text)
  readers ??= makeReaders()
  for (const reader of readers) {
    const found = count(text, reader[reading]) + (request ? count(text, reader.signs) : 0)
    if (found === 0) continue
    asks.set(reader.deed, (asks.get(reader.deed) ?? 0) + found * perVerb(text))
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** How many times one verb may be meant: "mail Jo and Kim" is two mails, "mail everyone" any number. */
function perVerb(text: string): number {
  if (WITHOUT_NUMBER.test(text)) return Number.POSITIVE_INFINITY
  const [, word, sign] = NUMBER.exec(text) ?? []
  const number = (word ?? sign ?? '1').toLowerCase()
  return Math.max(NUMBERS.get(number) ?? (Number(number) || 2), 1 + count(text, MORE))
}

function pattern({ verbs, nouns = '', phrases = [], stems = '' }: DeedWords, where: 'anywhere' | 'at-start') {
  const list = (words: string) => words.split(' ').filter((word) => word !== '')
  const always = list(verbs).join('|')
  const sometimes = list(nouns).join('|')
  // Überweisung is a thing, not a request.
  const stem = `(?!\\p{L}*ung)(?:${list(stems).join('|')})`
  // The word is looked for before what leads to it: looking back from every letter would take long.
  const bound = (words: string, more: string) =>
    words === '' ? [] : [`\\b(?=(?:${words})\\b)${START}(?:${words})\\b${more}`]
  const parts = [
    ...(where === 'anywhere'
      ? [`${NOT_NAMED}\\b(?:${always})\\b`, ...bound(sometimes, AND_MORE)]
      : [...bound(always, AND_MORE), ...bound(sometimes, AND_WHERETO)]),
    ...(where === 'anywhere' ? phrases : phrases.map((phrase) => `\\b(?=${phrase})${START}${phrase}`)),
    ...(stems === ''
      ? []
      : [`(?<!\\p{L})(?=${stem})${where === 'anywhere' ? '' : STEM_START}${stem}\\p{L}*${NOT_ENGLISH}`]),
  ]
  return new RegExp(parts.join('|'), 'giu')
}
