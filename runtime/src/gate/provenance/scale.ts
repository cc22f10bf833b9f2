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
  numbersOf,
  type Passage,
  speaksOf,
} from './passage.ts'
import { isPointedAt } from './pointing.ts'

/** What is known about a call before it is weighed. */
export interface Judged {
  warrant: Warrant
  /** The rule that the table or a limit objects with. */
  rule: ProvenanceRule | undefined
}

export const WEIGHTS: Readonly<Record<ScaleFact, number>> = {
  wanted: -15,
  newWords: 13,
  said: -7,
  onlyAsks: 23,
  delegated: -10,
  asked: -4,
  sameNumber: -8,
  newNumber: 3,
  secret: 8,
  explains: 6,
  explainsMuch: 11,
  speaksOfIt: 13,
  urges: 10,
  urgesThis: 13,
  ordersThis: 11,
  ordersDelegated: -12,
  ordersPointed: -2,
  toMachines: 16,
  addsThis: 15,
  toEveryone: 8,
  reasons: 8,
  listed: -7,
  foreign: 15,
  itsLine: -6,
  otherLine: 6,
  suspicious: 6,
  onlyAddress: 6,
  allHere: -9,
  unasked: 10,
  several: 5,
  link: 8,
  flagged: 10,
  ordered: 9,
}

/** Above this, the call is the text's. */
export const LIMIT = 27
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
    .filter(({ fact, weight }) => weight >= TELLING && fact !== judged.rule && fact !== 'onlyAsks')
    .sort((a, b) => b.weight - a.weight)
  return { isOfText: sum > LIMIT, passage, facts: facts.slice(0, 2).map(({ fact }) => fact), degrees }
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
  { warrant, rule }: Judged,
  { content, passage }: { content: Content; passage: Passage | undefined },
): Partial<Record<ScaleFact, number | boolean>> {
  const { action, request } = evidence
  const newWords = content.words.length > 0 && content.others.length === content.words.length && !namesItem(evidence)
  const ofUser = {
    wanted: isWanted(evidence),
    newWords,
    said: content.said,
    onlyAsks: warrant === 'none',
    delegated: warrant === 'delegated',
    asked: warrant === 'asked',
    ...numbersOf(evidence),
    secret: hasSecret(evidence),
    onlyAddress: isStranger(evidence),
    ...linesOf(evidence),
    ...(rule !== undefined && rule in WEIGHTS ? { [rule]: true } : {}),
  }
  if (passage === undefined) return ofUser
  const { share, urges, orders, amount } = passage
  const { sentence } = passage
  const pointedAt = isPointedAt(evidence, passage.text)
  const allHere = pointedAt && requestedCount(request.deeds, action.deed ?? 'send') === Number.POSITIVE_INFINITY
  return {
    ...ofUser,
    explains: share,
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
