/** Doubts about the target of a call that changes or sends something. */
import { meansMany } from '../../language/quantity.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { userTexts } from '../message-texts.ts'
import { mentions, namingSentences, similarTargets } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import {
  alternatives,
  CONSEQUENTIAL,
  covers,
  type Doubt,
  type Evidence,
  isFlagged,
  requestedCount,
} from './evidence.ts'
import { isReplyToWriter, isSentTo, ordersOnlyRequested } from './user-intent.ts'

/** Targets of these kinds are outside; a name or a path may be new. */
const OUTSIDE: readonly TargetFact['kind'][] = ['email', 'account', 'phone', 'url', 'host']

/** One text that orders the deed outweighs any number that only mention the target. */
export function targetDoubt(evidence: Evidence, target: TargetFact): Doubt | undefined {
  const { input, untrusted } = evidence
  const { deed, family } = input.facts
  const naming = untrusted.filter(({ read }) => mentions(read, target))
  const isConsequential = deed !== undefined && CONSEQUENTIAL.includes(deed)
  // What a withheld text ordered is no longer known; it may have been this.
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined && (isConsequential || naming.length === 0))
    return { rule: 'withheld', source: withheld, target }
  // Our own tools declare no deed; a network tool that does not only read sends.
  const sends = isConsequential || (deed === undefined && family === 'network')
  const unseen = untrusted.find((text) => text.unseen)
  if (unseen !== undefined && (isConsequential || (naming.length === 0 && (sends || OUTSIDE.includes(target.kind)))))
    return { rule: 'picture', source: unseen, target }
  if (naming.length === 0) {
    return sends && OUTSIDE.includes(target.kind) ? { rule: 'nowhere', source: untrusted.at(-1), target } : undefined
  }
  let isCleared = false
  for (const source of naming) {
    // A retelling cannot clear what the text itself could not clear.
    if (source.retold) continue
    const flagged = isFlagged(source.inspection)
    // The writer of a text that the user wants answered may ask for things; the reply itself is not on their order.
    const isOrdered = orders(source, target, deed) && !isReplyToWriter(evidence, source, target)
    if (!flagged && !isOrdered && (deed !== undefined || family === 'browser')) {
      isCleared = true
      continue
    }
    const sentHere = isSentTo(evidence, source)
    if (flagged && !(sentHere && ordersOnlyRequested(evidence, source, isOrdered))) {
      if (isOrdered) return { rule: 'flagged', source, target }
      continue
    }
    // A bare name in an order is ambiguous; an address or an id is not, if it is the only one.
    const bare = deed !== 'write' && isBareName(target)
    if (isOrdered && (!sentHere || bare)) return { rule: 'ordered', source, target }
    const isLimited = requestedCount(evidence.requested, deed ?? 'send') < Number.POSITIVE_INFINITY
    if (isOrdered && isLimited && alternatives(evidence, source.read.text, target).length > 0)
      return { rule: 'several', source, target }
    isCleared ||= sentHere
  }
  const [first] = naming
  if (!isCleared) {
    const flagged = naming.find(({ inspection }) => isFlagged(inspection))
    return flagged === undefined
      ? { rule: 'untrusted', source: first, target }
      : { rule: 'flagged', source: flagged, target }
  }
  if (userNamedAnother(evidence, target)) return { rule: 'other', source: first, target }
  const better = naming.find(({ read }) => hasBetterMatch(evidence, read.text, target))
  return better === undefined ? undefined : { rule: 'several', source: better, target }
}

/** True when the text that names the target also tells us to do something with it. */
function orders({ read }: UntrustedText, target: TargetFact, deed: Deed | undefined): boolean {
  return namingSentences(read, target).some(({ own, beside }) => {
    if (own.orders.size > 0) return true
    // "kitchen" is in many sentences; an address or an id is what the next sentence is about.
    if (deed === undefined || isBareName(target)) return false
    return beside.some((sentence) => covers(sentence.orders, deed))
  })
}

function isBareName({ kind, value }: TargetFact): boolean {
  return kind === 'name' && !/\d/.test(value)
}

/** True when the user named a target, and this is another one. */
function userNamedAnother({ input, requested }: Evidence, target: TargetFact): boolean {
  const { deed } = input.facts
  if (deed === undefined || !CONSEQUENTIAL.includes(deed)) return false
  const text = userTexts(input.state).at(-1)?.text ?? ''
  if (requestedCount(requested, deed) === Number.POSITIVE_INFINITY && meansMany(text)) return false
  return similarTargets(text.replace(/\b(?:from|by|of)\s+\S+/gi, ' '), target).length > 0
}

/** True when the text offers another address that contains a name from the user's messages, and this one contains none. */
function hasBetterMatch(evidence: Evidence, text: string, target: TargetFact): boolean {
  const texts = userTexts(evidence.input.state)
  if (target.kind !== 'email' || meansMany(texts.at(-1)?.text ?? '')) return false
  const names = texts.flatMap((words) => words.text.match(/\p{Lu}\p{Ll}{2,}/gu) ?? [])
  const matches = (address: string) => names.some((name) => address.toLowerCase().includes(name.toLowerCase()))
  return !matches(target.value) && alternatives(evidence, text, target).some(matches)
}
