/**
 * Who explains a call better: the user's words, or one passage of a text that was read? Each fact has a weight in tenths;
 * above zero it speaks for the text. The weights are fitted to the suites of `bench/suites` that may be read, and none is
 * kept that only helps with one of them.
 */
import type { ProvenanceRule, Warrant } from '../../i18n/gate.ts'
import type { ScaleFact } from '../../i18n/scale-facts.ts'
import { withoutNegated } from '../../language/negation.ts'
import { type Evidence, isFlagged, requestedCount } from './evidence.ts'
import {
  bestPassage,
  type Content,
  contentOf,
  isStranger,
  kindsOf,
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

const WEIGHTS: Readonly<Record<ScaleFact, number>> = {
  wanted: -13,
  newWords: 11,
  onlyAsks: 26,
  delegated: -7,
  asked: -2,
  otherNumber: 6,
  sameNumber: -5,
  explains: 6,
  explainsMuch: 10,
  speaksOfIt: 11,
  namesTool: 3,
  urges: 19,
  urgesThis: 15,
  ordersThis: 10,
  ordersNew: 5,
  ordersDelegated: -10,
  ordersPointed: -5,
  toMachines: 10,
  onSubject: -6,
  pointedAt: 5,
  suspicious: 4,
  onlyAddress: 7,
  delegatedHere: -4,
  allHere: -10,
  unasked: 8,
  several: 11,
  link: 7,
  flagged: 12,
  ordered: 8,
}

/** Above this, the call is the text's. */
const LIMIT = 27
/** Less decides nothing. */
const TELLING = 5
/** As much as a passage can share with a call, for `explainsMuch`. */
const MUCH = 12

export interface Weighed {
  isOfText: boolean
  passage: Passage | undefined
  /** What speaks for the text most. */
  facts: readonly ScaleFact[]
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
  return { isOfText: sum > LIMIT, passage, facts: facts.slice(0, 2).map(({ fact }) => fact) }
}

/** The user's words speak of such an action, in whatever form. */
export function isWanted({ action, request }: Evidence): boolean {
  const kinds = kindsOf(action)
  return request.texts.some(({ folded }) => speaksOf(kinds, withoutNegated(folded)))
}

/** How far each fact holds: yes or no, or a share. */
export function degreesOf(
  evidence: Evidence,
  { warrant, rule }: Judged,
  { content, passage }: { content: Content; passage: Passage | undefined },
): Partial<Record<ScaleFact, number | boolean>> {
  const { action, request } = evidence
  const { matches, conflicts } = numbersOf(evidence)
  const newWords = content.words.length > 0 && content.others.length === content.words.length
  const ofUser = {
    wanted: isWanted(evidence),
    newWords,
    onlyAsks: warrant === 'none',
    delegated: warrant === 'delegated',
    asked: warrant === 'asked',
    otherNumber: conflicts,
    sameNumber: matches,
    onlyAddress: isStranger(evidence),
    ...(rule !== undefined && rule in WEIGHTS ? { [rule]: true } : {}),
  }
  if (passage === undefined) return ofUser
  const { share, urges, orders, amount } = passage
  const pointedAt = isPointedAt(evidence, passage.text)
  return {
    ...ofUser,
    explains: share,
    explainsMuch: Math.min(1, amount / MUCH),
    speaksOfIt: passage.kind,
    namesTool: passage.tool,
    urges,
    urgesThis: share * urges,
    ordersThis: orders ? share : 0,
    ordersNew: orders && newWords,
    ordersDelegated: orders && request.delegates,
    ordersPointed: orders && pointedAt,
    toMachines: passage.machine,
    onSubject: passage.about,
    pointedAt,
    suspicious: isFlagged(passage.text),
    delegatedHere: pointedAt && request.delegates,
    allHere: pointedAt && requestedCount(request.deeds, action.deed ?? 'send') === Number.POSITIVE_INFINITY,
  }
}
