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
  isInOneText,
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
  wanted: -13,
  said: -23,
  onlyAsks: 20,
  secret: 12,
  explains: 12,
  explainsMuch: 9,
  speaksOfIt: 10,
  urgesThis: 14,
  ordersThis: 6,
  ordersDelegated: -13,
  toMachines: 11,
  addsThis: 11,
  toEveryone: 6,
  reasons: 6,
  listed: -8,
  foreign: 10,
  itsLine: -6,
  otherLine: 6,
  suspicious: 6,
  onlyAddress: 6,
  unasked: 15,
  link: 5,
  other: 15,
  unspoken: 10,
  usersWords: -18,
  justRead: 12,
  oneText: 7,
  allHere: -5,
  late: 30,
  long: 22,
  flagged: 7,
  ordered: 10,
}

/** Above this, the call is the text's. */
export const LIMIT = 53
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

/** How far each fact holds: yes or no, or a share. */
export function degreesOf(
  evidence: Evidence,
  { warrant, rules }: Judged,
  { content, passage }: { content: Content; passage: Passage | undefined },
): Partial<Record<ScaleFact, number | boolean>> {
  const { action, request } = evidence
  const wanted = isWanted(evidence)
  const ofUser = {
    wanted,
    unspoken: !wanted && isUnspoken(evidence, warrant),
    said: content.said,
    onlyAsks: warrant === 'none',
    secret: hasSecret(evidence),
    usersWords: content.ofUser,
    oneText: isInOneText(evidence),
    onlyAddress: isStranger(evidence),
    ...linesOf(evidence),
    ...Object.fromEntries(rules.filter((rule) => rule in WEIGHTS).map((rule) => [rule, true])),
  }
  if (passage === undefined) return { ...ofUser, late: 0.5 }
  const { share, urges, orders, amount, place, long } = passage
  const { sentence } = passage
  const allHere =
    requestedCount(request.deeds, action.deed ?? 'send') === Number.POSITIVE_INFINITY &&
    isPointedAt(evidence, passage.text)
  return {
    ...ofUser,
    explains: share,
    late: place,
    justRead: passage.text === evidence.untrusted.at(-1),
    long,
    explainsMuch: Math.min(1, amount / MUCH),
    speaksOfIt: passage.kind,
    urgesThis: share * urges,
    ordersThis: orders ? share : 0,
    ordersDelegated: orders && request.delegates,
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
