/** Which deeds a text requests, and how many of each. The same patterns read the user's task and untrusted texts. */

import { fitting } from '../language/fitting-pattern.ts'
import { foldCase } from '../language/letter-case.ts'
import { withoutNegated } from '../language/negation.ts'
import { timesPerVerb } from '../language/quantity.ts'
import { isQuestion } from '../language/questions.ts'
import { CJK_REQUEST, obliges, THANKS } from '../language/requests.ts'
import { sentencesOf } from '../language/sentences.ts'
import type { Deed } from '../protocol/facts.ts'
import { countDeeds, countSigns, type Reading } from './deed-index.ts'
import { delegates } from './deed-words.ts'

export type RequestedDeeds = ReadonlyMap<Deed, number>

const GERUND = /\b(mind|needs?|about) (\p{L}{2,}?)(?:([lnptgmb])\3)?ing\b/gu

/** "How long do I have to send it back?" asks; what comes after a comma or "and" may tell. */
const QUESTION = /^[^,;:]*?(?=[,;:]|\sand\s|$)/u

/** What a user's own text requests. */
export function requestedDeeds(text: string): RequestedDeeds {
  const requests = new Map<Deed, number>()
  for (const original of sentencesOf(text)) {
    // "Would you mind asking …", "it needs cancelling".
    const folded = foldCase(original)
    const sentence = folded.includes('ing') ? folded.replace(fitting(folded, GERUND), '$1 to $2$3') : folded
    // A question only mentions deeds; a request within it ("…, and mail it to Jo") still counts.
    if (isQuestion(sentence)) addRequests(sentence.replace(QUESTION, ' '), 'at-start', requests)
    else addRequests(sentence, 'anywhere', requests)
    if (delegates(sentence)) requests.set('write', Number.POSITIVE_INFINITY)
  }
  return requests
}

/** Deeds that were requested as data, once each. A request to share also covers a message about it. */
export function requestsFor(deeds: readonly Deed[]): RequestedDeeds {
  const requests = new Map<Deed, number>()
  // Reading needs no request.
  for (const deed of deeds) if (deed !== 'read') requests.set(deed, 1)
  if (requests.has('share')) requests.set('send', Math.max(1, requests.get('send') ?? 0))
  return requests
}

/** The requests of several messages together. */
export function combineRequests(all: readonly RequestedDeeds[]): RequestedDeeds {
  const [only, ...more] = all
  if (only !== undefined && more.length === 0) return only
  const sum = new Map<Deed, number>()
  for (const requests of all) for (const [deed, times] of requests) sum.set(deed, (sum.get(deed) ?? 0) + times)
  return sum
}

/** What a sentence of an untrusted text orders: only what reads as an order. */
export function orderedDeeds(original: string): RequestedDeeds {
  const sentence = foldCase(original)
  const orders = new Map<Deed, number>()
  addRequests(sentence, 'at-start', orders)
  if (orders.size === 0 && obliges(sentence)) orders.set('write', 1)
  return orders
}

/** Of a sentence in small letters. */
function addRequests(sentence: string, reading: Reading, requests: Map<Deed, number>): void {
  const text = withoutNegated(sentence.replace(fitting(sentence, THANKS), ' '))
  const counts = [countDeeds(text, reading)]
  if (reading === 'anywhere' || fitting(text, CJK_REQUEST).test(text)) counts.push(countSigns(text))
  let times: number | undefined
  for (const [deed, count] of counts.flatMap((found) => [...found])) {
    times ??= timesPerVerb(text)
    requests.set(deed, (requests.get(deed) ?? 0) + count * times)
  }
}
