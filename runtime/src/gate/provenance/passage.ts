/** The one passage of a text that explains a call best: what it shares with the call that the user's words do not. */
import { holdsSubject, subjectsIn } from '../../language/subjects.ts'
import { argumentValues } from '../argument-values.ts'
import { ACTION_KINDS, type ActionKind, MACHINE, URGES } from '../kind-words.ts'
import type { ReadText } from '../read-text.ts'
import { hostOf } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import type { Action } from './action.ts'
import type { Evidence } from './evidence.ts'
import { isAbout, isOwnResult } from './pointing.ts'

/** The beginning of long arguments is enough. */
const MAX_VALUE = 2_000
const MAX_VALUES = 8_000
/** Longer sentences are not read with their neighbours. */
const LONG = 400
/** Values that say nothing by themselves. */
const GENERIC =
  /^(?:true|false|null|none|default|main|yes|no|view|viewer|reader|write|edit|editor|normal|high|low|personal|work|home|self|company|primary|private|\d{1,2})$/i
/** A word of the tool's name is looked for by its beginning. */
const STEM = 6

/** What a call says, and how much of it the user has said. */
export interface Content {
  words: readonly string[]
  /** Those that are not in the user's words. */
  others: readonly string[]
  /** The share of what the user has said. */
  said: number
}

export function contentOf({ input, request, targets, unknownTargets }: Evidence): Content {
  const known = new Set(targets.filter((target) => !unknownTargets.includes(target)).map(({ value }) => value))
  const given = [...argumentValues(input.proposal.args), ...unknownTargets.map(({ value }) => value)]
  const values = given.filter((value) => !known.has(value.trim())).map((value) => value.slice(0, MAX_VALUE))
  const words = subjectsIn(values.join('\n').slice(0, MAX_VALUES)).filter((word) => !GENERIC.test(word))
  const numbers = new Set(request.texts.flatMap(({ text }) => withoutCommas(text).match(/\d+/g) ?? []))
  const isSaid = (word: string) =>
    request.texts.some(({ folded }) => holdsWord(folded, word) || holdsDomain(folded, word)) ||
    isSaidNumber(word, numbers)
  const others = words.filter((word) => !isSaid(word))
  const all = weightOf(words)
  return { words, others, said: all === 0 ? 0 : 1 - weightOf(others) / all }
}

/** Pairs of Chinese signs overlap, and numbers are rarely the same by chance. */
export function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (/\p{Script=Han}/u.test(word) ? 1 : /[\d@]/.test(word) ? 3 : 2), 0)
}

/** D-2 is not in D-21. */
function holdsWord(folded: string, word: string): boolean {
  if (!/\d$/.test(word)) return holdsSubject(folded, word)
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(folded.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(folded.charAt(at + word.length)))
      return true
  return false
}

/** An address at a site that was named. */
function holdsDomain(folded: string, word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && holdsSubject(folded, word.slice(at + 1))
}

function withoutCommas(text: string): string {
  return text.replace(/(?<=\d)[,\s](?=\d{3})/g, '')
}

/** "The 14th" is 2024-05-14, "2 pm" 14:00, "80" 80.00. */
function isSaidNumber(word: string, numbers: ReadonlySet<string>): boolean {
  const [, day] = /^\d{4}-\d\d-(\d\d)/.exec(word) ?? []
  if (day !== undefined) return numbers.has(String(Number(day)))
  const [, hour] = /^(\d{1,2})[:.]\d\d$/.exec(word) ?? []
  if (hour !== undefined) return numbers.has(String(Number(hour))) || numbers.has(String((Number(hour) + 12) % 24))
  return numbers.has(word.replace(/\.0+$/, ''))
}

export interface Passage {
  text: UntrustedText
  /** The share of what the user has not said. */
  share: number
  /** It speaks of such an action, or of the tool. */
  kind: boolean
  tool: boolean
  /** It reads as an order, or moves its reader in other words: 0 to 1. */
  orders: boolean
  urges: number
  machine: boolean
  /** It is about someone or something that the user spoke of. */
  about: boolean
  /** How much it shares with the call, without regard to how long the call is. */
  amount: number
  score: number
}

/** What a sentence that shares nothing with the call can reach at most. */
const WITHOUT_SHARE = 1.05

/** Undefined when nothing was read that could explain the call. */
export function bestPassage(evidence: Evidence, { others }: Content): Passage | undefined {
  const { untrusted, input } = evidence
  const all = weightOf(others)
  const reading = { evidence, kinds: kindsOf(evidence.action), all }
  const texts = untrusted.flatMap((text) => {
    if (isOwnResult(input.state, text)) return []
    const { folded } = text.read
    return [{ text, present: others.flatMap((word) => formsOf(word).filter((form) => holdsWord(folded, form))) }]
  })
  let best: Passage | undefined
  const better = (passage: Passage) => {
    if (best === undefined || passage.score > best.score) best = passage
  }
  // Most calls share something with a text, and then the sentences that share nothing need not be read for what they want.
  for (const { text, present } of texts) {
    if (present.length === 0) continue
    const { sentences } = text.read
    const shared = sentences.map(({ folded }) => present.filter((word) => holdsWord(folded, word)))
    const shares = (i: number) => (shared[i]?.length ?? 0) > 0
    // An address is often named in the sentence before the one that wants something.
    for (const [i, found] of shared.entries())
      if (found.length > 0 || ((shares(i - 1) || shares(i + 1)) && moves(sentences[i])))
        better(passageAt({ text, i, present, found }, reading))
  }
  if (best !== undefined && best.score >= WITHOUT_SHARE) return best
  for (const { text, present } of texts)
    for (const [i, sentence] of text.read.sentences.entries())
      if (moves(sentence)) {
        const found = present.filter((word) => holdsWord(sentence.folded, word))
        better(passageAt({ text, i, present, found }, reading))
      }
  return best
}

function moves(sentence: ReadText | undefined): boolean {
  return sentence !== undefined && (sentence.orders.size > 0 || urgency(sentence) > 0)
}

function passageAt(
  { text, i, present, found }: { text: UntrustedText; i: number; present: readonly string[]; found: readonly string[] },
  { evidence, kinds, all }: { evidence: Evidence; kinds: readonly ActionKind[]; all: number },
): Passage {
  const { sentences } = text.read
  const sentence = sentences[i] as ReadText
  const lower = sentence.folded
  const shareOf = (words: readonly string[]) => (all === 0 ? 0 : Math.min(1, weightOf(words) / all))
  const share = shareOf(found)
  const near = lower.length < LONG ? [sentences[i - 1], sentence, sentences[i + 1]] : [sentence]
  const around = shareOf(present.filter((word) => near.some((one) => one !== undefined && holdsWord(one.folded, word))))
  const orders = sentence.orders.size > 0
  const urges = urgency(sentence)
  const kind = speaksOf(kinds, lower)
  const tool = ownToolWords(evidence, lower).length > 0
  const machine = MACHINE.test(lower)
  const push = (kind ? 0.5 : 0) + urges + (orders ? 1 : 0) + (tool ? 0.5 : 0) + (machine ? 0.5 : 0)
  return {
    text,
    share,
    kind,
    tool,
    orders,
    urges,
    machine,
    about: isAbout(sentence, evidence.request),
    amount: weightOf(found),
    score: (share + around / 2) * (1 + push) + 0.3 * push,
  }
}

/** 1980 is also 1,980. */
function formsOf(word: string): string[] {
  return /^\d{4,7}$/.test(word) ? [word, word.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',')] : [word]
}

const urgencies = new WeakMap<ReadText, number>()

/** How much a sentence moves its reader, from 0 to 1. */
export function urgency(sentence: ReadText): number {
  let urgent = urgencies.get(sentence)
  if (urgent === undefined) {
    urgent = Math.min(3, new Set(sentence.folded.match(URGES)).size) / 3
    urgencies.set(sentence, urgent)
  }
  return urgent
}

export function kindsOf({ deed, words, selected }: Action): readonly ActionKind[] {
  if (deed === undefined) return []
  const all = [...words, ...selected]
  const named = ACTION_KINDS.filter(({ deeds, tool }) => deeds.includes(deed) && all.some((word) => tool.test(word)))
  // What is also more than a record is that.
  const exact = named.filter((kind) => kind !== ACTION_KINDS.at(-1))
  if (exact.length > 0) return exact
  return named.length > 0 ? named : ACTION_KINDS.filter(({ deeds }) => deeds[0] === deed)
}

export function speaksOf(kinds: readonly ActionKind[], folded: string): boolean {
  return kinds.some(({ said }) => said.test(folded))
}

/** Words of tool names that do not say what a tool is for. */
const VAGUE = new Set(
  'create make update send post read write edit change manage perform execute submit item items data user users tool name info this that with from into open mail message messages file files page text list calendar event'.split(
    ' ',
  ),
)

/** The words of the tool's name that a text contains. */
export function toolWordsIn({ words }: Action, folded: string): string[] {
  return words.filter((word) => word.length > 2 && holdsSubject(folded, word.slice(0, STEM)))
}

/** The words of the tool's name that are in the passage and not in the user's words. */
export function ownToolWords(evidence: Evidence, folded: string): string[] {
  return toolWordsIn(evidence.action, folded).filter(
    (word) =>
      !VAGUE.has(word) && !evidence.request.texts.some((text) => holdsSubject(text.folded, word.slice(0, STEM))),
  )
}

/** Numbers of the call, and of the user. */
export function numbersOf({ input, request }: Evidence): { matches: boolean; conflicts: boolean } {
  const given = new Set(
    request.texts
      .flatMap(({ text }) => withoutCommas(text).match(/(?<![\p{L}\d-])\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? [])
      .map(Number),
  )
  const used = argumentValues(input.proposal.args).flatMap((value) =>
    /^\d+(?:\.\d+)?$/.test(value.trim()) && value.length < 8 ? [Number(value)] : [],
  )
  const matches = used.some((value) => given.has(value))
  return { matches, conflicts: used.length > 0 && given.size > 0 && used.every((value) => !given.has(value)) }
}

/** An address whose domain is in no other place of what was read. */
export function isStranger({ untrusted, unknownTargets }: Evidence): boolean {
  return unknownTargets.some(({ kind, value }) => {
    if (kind !== 'email' && kind !== 'url' && kind !== 'host') return false
    const domain = kind === 'email' ? value.replace(/^.*@/, '').toLowerCase() : (hostOf({ kind, value }) ?? value)
    let count = 0
    for (const { read } of untrusted)
      for (let at = read.folded.indexOf(domain); at >= 0 && count < 2; at = read.folded.indexOf(domain, at + 1)) count++
    return count === 1
  })
}
