/** The one passage of a text that explains a call best: what it shares with the call that the user's words do not. */

import { onceFor } from '../../base/once-for.ts'
import { URL_IN_TEXT } from '../../language/addresses.ts'
import { fitting } from '../../language/fitting-pattern.ts'
import { holdsSubject, subjectsIn } from '../../language/subjects.ts'
import { tongueOf } from '../../language/tongue.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import { ACTION_KINDS, type ActionKind, MACHINE, URGES } from '../kind-words.ts'
import type { ReadText } from '../read-text.ts'
import { hostOf, mentions, similarTargets } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import type { Action } from './action.ts'
import type { Evidence } from './evidence.ts'
import { isOwnResult } from './pointing.ts'
import type { Request } from './request.ts'

/** The beginning of long arguments is enough. */
const MAX_VALUE = 2_000
const MAX_VALUES = 8_000
/** Of the user's words in a call. */
const MUCH_SAID = 10
/** Longer sentences are not read with their neighbours. */
const LONG = 400
const HAN = /\p{Script=Han}/u
/** Values that say nothing by themselves. */
const GENERIC =
  /^(?:true|false|null|none|default|main|yes|no|view|viewer|reader|write|edit|editor|normal|high|low|personal|work|home|self|company|primary|private|\d{1,2})$/i

/** What a call says, and how much of it the user has said. */
export interface Content {
  /** Its words that are not in the user's. */
  others: readonly string[]
  /** How much of it the user has said, as a share of as much as counts. */
  said: number
  /** How much of the user's words is in it, as a share. */
  ofUser: number
}

export function contentOf(evidence: Evidence): Content {
  const { request, targets, unknownTargets } = evidence
  const known = new Set(targets.filter((target) => !unknownTargets.includes(target)).map(({ value }) => value))
  const given = [...evidence.values, ...unknownTargets.map(({ value }) => value)]
  const values = given
    .filter((value) => !known.has(value.trim()))
    .map((value) => withoutKept(value, evidence).slice(0, MAX_VALUE))
  const words = subjectsIn(values.join('\n').slice(0, MAX_VALUES)).filter((word) => !fitting(word, GENERIC).test(word))
  const isSaid = (word: string) =>
    request.texts.some((text) => text.hasWord(word)) ||
    (/^\d/.test(word) && isSaidNumber(word, new Set(request.texts.flatMap(digitsIn))))
  const others = words.filter((word) => !isSaid(word))
  const lower = given.join('\n').slice(0, MAX_VALUES).toLowerCase()
  const own = [...new Set([...request.names, ...request.subjects])]
  const ofUser = own.length === 0 ? 0 : own.filter((word) => holdsSubject(lower, word)).length / own.length
  return { others, said: Math.min(1, (weightOf(words) - weightOf(others)) / MUCH_SAID), ofUser }
}

/** The beginning of a long file is enough. */
const MOST_KEPT = 20_000

/** Without the lines that a changed file or page had before: they are kept, not written. */
function withoutKept(value: string, { values, untrusted }: Evidence): string {
  if (!value.includes('\n')) return value
  const given = new Set(values)
  const before = untrusted.filter((text) => text.values.some((one) => given.has(one.text)))
  return value
    .slice(0, MOST_KEPT)
    .split('\n')
    .filter((line) => !before.some(({ read }) => line.trim() !== '' && read.text.includes(line.trim())))
    .join('\n')
}

/** Pairs of Chinese signs overlap, and numbers are rarely the same by chance. */
export function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (fitting(word, HAN).test(word) ? 1 : /[\d@]/.test(word) ? 3 : 2), 0)
}

function withoutCommas(text: string): string {
  return text.replace(/(?<=\d)[,\s](?=\d{3})/g, '')
}

const digitsIn = onceFor(({ text }: ReadText) => withoutCommas(text).match(/\d+/g) ?? [])

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
  sentence: ReadText
  /** The share of what the user has not said. */
  share: number
  /** It speaks of such an action. */
  kind: boolean
  /** It reads as an order, or moves its reader in other words: 0 to 1. */
  orders: boolean
  urges: number
  machine: boolean
  /** How much it shares with the call, without regard to how long the call is. */
  amount: number
  /** Where it is in its text, from 0 to 1: what was added to a text is seldom at its beginning. */
  place: number
  /** Prose, not a row or a field: how many words it has, up to as many as count, as a share. */
  long: number
  score: number
}

/** What a sentence that shares nothing with the call can reach at most. */
const WITHOUT_SHARE = 1.05

/** Undefined when nothing was read that could explain the call. */
export function bestPassage(evidence: Evidence, { others }: Content): Passage | undefined {
  const { untrusted, input } = evidence
  const all = weightOf(others)
  const reading = { kinds: kindsOf(evidence.action), all }
  const texts = untrusted.flatMap((text) => {
    if (isOwnResult(input.state, text)) return []
    const present = others.filter((word) => text.read.hasWord(word))
    return [{ text, present, shared: sharedWords(text.read, present) }]
  })
  let best: Passage | undefined
  const better = (passage: Passage) => {
    if (best === undefined || passage.score > best.score) best = passage
  }
  // Most calls share something with a text, and then the sentences that share nothing need not be read for what they want.
  for (const { text, present, shared } of texts) {
    const { sentences } = text.read
    // An address is often named in the sentence before the one that wants something.
    const near = new Set([...shared.keys()].flatMap((i) => [i - 1, i, i + 1]))
    for (const i of [...near].sort((a, b) => a - b))
      if (shared.has(i) || moves(sentences[i]))
        better(passageAt({ text, i, present, found: shared.get(i) ?? [] }, reading))
  }
  if (best !== undefined && best.score >= WITHOUT_SHARE) return best
  for (const { text, present, shared } of texts)
    for (const i of movingIn(text.read)) better(passageAt({ text, i, present, found: shared.get(i) ?? [] }, reading))
  return best
}

/** By the index of the sentence. */
function sharedWords(read: ReadText, present: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const shared = new Map<number, string[]>()
  for (const word of present)
    for (const i of read.having(word)) {
      const found = shared.get(i)
      if (found === undefined) shared.set(i, [word])
      else found.push(word)
    }
  return shared
}

function moves(sentence: ReadText | undefined): boolean {
  return sentence !== undefined && (sentence.orders.size > 0 || urgency(sentence) > 0)
}

/** Which sentences move their reader. */
const movingIn = onceFor(({ sentences }: ReadText) => sentences.flatMap((one, i) => (moves(one) ? [i] : [])))

function passageAt(
  { text, i, present, found }: { text: UntrustedText; i: number; present: readonly string[]; found: readonly string[] },
  { kinds, all }: { kinds: readonly ActionKind[]; all: number },
): Passage {
  const { read } = text
  const sentence = read.sentences[i] as ReadText
  const shareOf = (words: readonly string[]) => (all === 0 ? 0 : Math.min(1, weightOf(words) / all))
  const share = shareOf(found)
  const reach = sentence.folded.length < LONG ? 1 : 0
  const around = shareOf(present.filter((word) => read.having(word).some((at) => Math.abs(at - i) <= reach)))
  const orders = sentence.orders.size > 0
  const urges = urgency(sentence)
  const { unlabelled } = sentence
  const kind = speaksOf(kinds, unlabelled)
  const machine = unlabelled.says(MACHINE)
  const push = (kind ? 0.5 : 0) + urges + (orders ? 1 : 0) + (machine ? 0.5 : 0)
  return {
    text,
    sentence,
    share,
    kind,
    orders,
    urges,
    machine,
    amount: weightOf(found),
    place: placeOf(i, read.sentences.length - 1),
    long: lengthOf(sentence),
    score: (share + around / 2) * (1 + push) + 0.3 * push,
  }
}

/** In fewer sentences a place says little. */
const FEW = 4

function placeOf(i: number, last: number): number {
  return last === 0 ? 0.5 : 0.5 + (i / last - 0.5) * Math.min(1, last / FEW)
}

const SIGNS = /\p{Script=Han}/gu
const MANY_WORDS = 40
const MANY_SIGNS = 60

const lengthOf = onceFor(({ folded }: ReadText) => {
  const words = folded.match(/[a-zà-ÿ']+/g)?.length ?? 0
  const signs = folded.match(fitting(folded, SIGNS))?.length ?? 0
  return Math.min(1, words / MANY_WORDS + signs / MANY_SIGNS)
})

/** The name of a field, or the border of a column. */
const FIELD = /"[\w.-]+":|\s\|\s|\t|^\s*[\w-]+: /gm

/** A row of data. */
export const isListed = onceFor(({ text }: ReadText) => (text.match(fitting(text, FIELD))?.length ?? 0) > 1)

const tongueIn = onceFor(({ folded }: ReadText) => tongueOf(folded))

/** In another language than the user's words and the rest of the text; English texts are read everywhere. */
export function isForeign({ request }: Evidence, { text: { read }, sentence }: Passage): boolean {
  const tongue = tongueIn(sentence)
  if (tongue === undefined || request.texts.some((text) => tongueIn(text) === tongue)) return false
  const beside = read.sentences.filter((one) => one !== sentence).flatMap((one) => tongueIn(one) ?? [])
  if (tongue === 'en' && beside.length === 0) return false
  const around = [...request.texts.flatMap((one) => tongueIn(one) ?? []), ...beside]
  return around.filter((one) => one === tongue).length * 2 < around.length
}

/** How much a sentence moves its reader, from 0 to 1. */
export const urgency = onceFor(
  ({ folded }: ReadText) => Math.min(3, new Set(folded.match(fitting(folded, URGES))).size) / 3,
)

export const kindsOf = onceFor(({ deed, words, selected }: Action): readonly ActionKind[] => {
  if (deed === undefined) return []
  const all = [...words, ...selected]
  const named = ACTION_KINDS.filter(({ deeds, tool }) => deeds.includes(deed) && all.some((word) => tool().has(word)))
  // What is also more than a record is that.
  const exact = named.filter((kind) => kind !== ACTION_KINDS.at(-1))
  if (exact.length > 0) return exact
  return named.length > 0 ? named : ACTION_KINDS.filter(({ deeds }) => deeds[0] === deed)
})

export function speaksOf(kinds: readonly ActionKind[], text: ReadText): boolean {
  return kinds.some(({ said }) => text.says(said))
}

/** By the user's last message, and by sentence. */
const spoken = new WeakMap<ReadText, WeakMap<ReadText, number>>()

/** How many of the user's words a sentence has. */
function spokenIn(sentence: ReadText | undefined, { names, subjects, texts }: Request): number {
  const last = texts.at(-1)
  if (sentence === undefined || last === undefined) return 0
  const counts = spoken.get(last) ?? new WeakMap<ReadText, number>()
  spoken.set(last, counts)
  let count = counts.get(sentence)
  if (count === undefined) {
    count = [...new Set([...names, ...subjects])].filter((word) => holdsSubject(sentence.folded, word)).length
    counts.set(sentence, count)
  }
  return count
}

/** Is what names a target about what the user spoke of, or is what names another one of its kind? */
export function linesOf({ request, untrusted, unknownTargets }: Evidence): { itsLine: boolean; otherLine: boolean } {
  let [itsLine, otherLine] = [false, false]
  for (const target of unknownTargets)
    for (const { read } of untrusted) {
      if (!read.holds(target.value)) continue
      const about = (value: string) =>
        Math.max(0, ...read.naming(value).map((i) => spokenIn(read.sentences[i], request)))
      const own = about(target.value)
      if (similarTargets(read, target).some((other) => about(other) > own)) otherLine = true
      else itsLine ||= own > 0
    }
  return { itsLine, otherLine }
}

/** An address whose domain is in no other place of what was read. */
export function isStranger({ untrusted, unknownTargets, values, request }: Evidence): boolean {
  const links = values
    .flatMap((value) => value.match(URL_IN_TEXT) ?? [])
    .filter((value) => !request.texts.some((text) => text.holds(value)))
    .map((value): TargetFact => ({ kind: 'url', value }))
  return [...unknownTargets, ...links].some(({ kind, value }) => {
    if (kind !== 'email' && kind !== 'url' && kind !== 'host') return false
    const domain = kind === 'email' ? value.replace(/^.*@/, '').toLowerCase() : (hostOf({ kind, value }) ?? value)
    return untrusted.reduce((count, { read }) => count + read.timesNamed(domain), 0) === 1
  })
}

/** No second text, such as a list of contacts or of payees, has the target. */
export function isInOneText({ untrusted, unknownTargets }: Evidence): boolean {
  return unknownTargets.some((target) => untrusted.filter(({ read }) => mentions(read, target)).length === 1)
}
