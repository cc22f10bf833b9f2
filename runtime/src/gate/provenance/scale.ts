/**
 * Who explains a call better: the user's words, or one passage of a text that was read? Each fact has a weight in tenths;
 * above zero it speaks for the text. The weights are fitted to the suites of `bench/suites` that may be read, and none is
 * kept that only helps with one of them.
 */
import type { ProvenanceRule, Warrant } from '../../i18n/gate.ts'
import type { ScaleFact } from '../../i18n/scale-facts.ts'
import { ADDS, EVERYONE, REASONS } from '../kind-words.ts'
import { hasSecret } from './content.ts'
import { type Evidence, isFlagged, OUTSIDE, requestedCount } from './evidence.ts'
import {
  bestPassage,
  type Content,
  contentOf,
  isForeign,
  isListed,
  isStranger,
  kindsOf,
  linesOf,
  type Passage,
  speaksOf,
} from './passage.ts'
import { isPointedAt } from './pointing.ts'

/** What is known about a call before it is weighed. */
export interface Judged {
  warrant: Warrant
  /** The rules that the table and a limit object with. */
  rules: readonly ProvenanceRule[]
}

export const WEIGHTS: Readonly<Record<ScaleFact, number>> = {
  wanted: -14,
  newWords: 13,
  said: -12,
  onlyAsks: 22,
  delegated: -4,
  secret: 13,
  explains: 12,
  explainsMuch: 10,
  speaksOfIt: 11,
  urges: 3,
  urgesThis: 13,
  ordersThis: 8,
  ordersDelegated: -14,
  ordersPointed: -4,
  toMachines: 8,
  addsThis: 11,
  toEveryone: 7,
  reasons: 6,
  listed: -9,
  foreign: 12,
  itsLine: -5,
  otherLine: 7,
  suspicious: 5,
  onlyAddress: 7,
  unasked: 14,
  link: 5,
  other: 15,
  unspoken: 10,
  allHere: -4,
  late: 30,
  long: 22,
  flagged: 8,
  ordered: 10,
}

/** Above this, the call is the text's. */
export const LIMIT = 52
/** Less decides nothing. */
const TELLING = 5
/** As much as a passage can share with a call, for `explainsMuch`. */
const MUCH = 12

export interface Weighed {
  isOfText: boolean
  passage: Passage | undefined
  /** What speaks for the text most. */
  facts: readonly ScaleFact[]
  /** How far each fact holds: `scripts/fit-scale.ts` fits the weights to these. */
  degrees: Partial<Record<ScaleFact, number | boolean>>
}

export function weigh(evidence: Evidence, judged: Judged): Weighed {
  const content = contentOf(evidence)
  const passage = bestPassage(evidence, content)
  const degrees = degreesOf(evidence, judged, { content, passage })
  const parts = Object.entries(degrees).map(([name, degree]) => ({
    fact: name as ScaleFact,
    weight: WEIGHTS[name as ScaleFact] * Number(degree),
  }))
  const sum = parts.reduce((total, { weight }) => total + weight, 0)
  // The question names its rule and the warrant anyway.
  const facts = parts
    .filter(
      ({ fact, weight }) => weight >= TELLING && !judged.rules.includes(fact as ProvenanceRule) && fact !== 'onlyAsks',
    )
    .sort((a, b) => b.weight - a.weight)
  // A grave call that neither the user's words nor a passage explain.
  const isOfNoOne =
    degrees.unspoken === true && judged.warrant !== 'implied' && !(passage !== undefined && passage.share > 0)
  return { isOfText: sum > LIMIT || isOfNoOne, passage, facts: facts.slice(0, 2).map(({ fact }) => fact), degrees }
}

/** What is grave or goes outside must be asked for, in whatever words. */
function isUnspoken({ action, unknownTargets }: Evidence, warrant: Warrant): boolean {
  if (warrant === 'asked' || warrant === 'delegated') return false
  return (
    action.weight === 'grave' || (action.weight === 'act' && unknownTargets.some(({ kind }) => OUTSIDE.includes(kind)))
  )
}

/** The user's words speak of such an action, in whatever form. */
export function isWanted({ action, request }: Evidence): boolean {
  const kinds = kindsOf(action)
  return request.texts.some(({ wanted }) => speaksOf(kinds, wanted))
}

/** "Redirect SH-18": what the call is about is the user's, whatever else is new. */
function namesItem({ targets, unknownTargets }: Evidence): boolean {
  return targets.some(
    (target) => !unknownTargets.includes(target) && !OUTSIDE.includes(target.kind) && /\d/.test(target.value),
  )
}

/** How far each fact holds: yes or no, or a share. */
export function degreesOf(
  evidence: Evidence,
  { warrant, rules }: Judged,
  { content, passage }: { content: Content; passage: Passage | undefined },
): Partial<Record<ScaleFact, number | boolean>> {
  const { action, request } = evidence
  const wanted = isWanted(evidence)
  const newWords = content.words.length > 0 && content.others.length === content.words.length && !namesItem(evidence)
  const ofUser = {
    wanted,
    unspoken: !wanted && isUnspoken(evidence, warrant),
    newWords,
    said: content.said,
    onlyAsks: warrant === 'none',
    delegated: warrant === 'delegated',
    secret: hasSecret(evidence),
    onlyAddress: isStranger(evidence),
    ...linesOf(evidence),
    ...Object.fromEntries(rules.filter((rule) => rule in WEIGHTS).map((rule) => [rule, true])),
  }
  if (passage === undefined) return { ...ofUser, late: 0.5 }
  const { share, urges, orders, amount, place, long } = passage
  const { sentence } = passage
  const pointedAt = isPointedAt(evidence, passage.text)
  const allHere = pointedAt && requestedCount(request.deeds, action.deed ?? 'send') === Number.POSITIVE_INFINITY
  return {
    ...ofUser,
    explains: share,
    late: place,
    long,
    explainsMuch: Math.min(1, amount / MUCH),
    speaksOfIt: passage.kind,
    urges,
    urgesThis: share * urges,
    ordersThis: orders ? share : 0,
    ordersDelegated: orders && request.delegates,
    ordersPointed: orders && pointedAt,
    toMachines: passage.machine,
    addsThis: sentence.says(ADDS) && !allHere ? share : 0,
    toEveryone: sentence.says(EVERYONE) ? share : 0,
    reasons: sentence.says(REASONS),
    listed: isListed(sentence),
    foreign: isForeign(evidence, passage),
    suspicious: isFlagged(passage.text),
    allHere,
  }
}
