/** What the user's words bind a wanted action to: a target they named, one of several, a number of times. */
import { ACCOUNT, EMAIL, namedNumbers, URL_IN_TEXT } from '../../language/addresses.ts'
import { meansMany } from '../../language/quantity.ts'
import { holdsSubject } from '../../language/subjects.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { ASKS_FOR_WEB } from '../action-words.ts'
import { argumentValues } from '../argument-values.ts'
import { userTexts } from '../message-texts.ts'
import type { ReadText } from '../read-text.ts'
import { mentions, namingSentences, similarTargets } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { alternatives, covers, type Doubt, type Evidence, isFlagged, OUTSIDE, requestedCount } from './evidence.ts'
import { isLinked, isPointedAt } from './pointing.ts'

/** For these, a second call to the same target is a second deed, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']

export function limitDoubt(evidence: Evidence): Doubt | undefined {
  const carried = carriedDoubt(evidence)
  if (carried !== undefined) return carried
  const isPlain = evidence.action.weight === 'change'
  for (const target of evidence.unknownTargets) {
    // A plain change may touch more than what the user has named, but not other sites and accounts.
    if (isPlain && !OUTSIDE.includes(target.kind)) continue
    const naming = evidence.untrusted.filter(({ read }) => mentions(read, target))
    const [first] = naming
    if (first === undefined) continue
    if (userNamedAnother(evidence, target)) return { rule: 'other', source: first, target }
    if (isForSomeoneElse(evidence, naming, target)) return { rule: 'other', source: first, target }
    const better = naming.find(({ read }) => hasBetterMatch(evidence, read.text, target))
    if (better !== undefined) return { rule: 'several', source: better, target }
  }
  return isPlain ? undefined : surplusDoubt(evidence)
}

/** Longer arguments are prose. */
const SHORT = 120

/** A recipient the user named does not make every link or account safe to send: who wants this one in the call? */
function carriedDoubt(evidence: Evidence): Doubt | undefined {
  const { input, untrusted, targets } = evidence
  const { state, policy, proposal } = input
  const aimed = new Set(targets.map(({ value }) => value))
  const carried = argumentValues(proposal.args)
    .filter((value) => !aimed.has(value.trim()))
    .flatMap((value) => valuesIn(value))
  for (const target of carried) {
    if (isTrustedTarget(target, state, policy.security)) continue
    const naming = untrusted.filter(({ read }) => mentions(read, target))
    const calm = naming.find((text) => !isFlagged(text) && (!isTold(text, target) || isMeant(evidence, text, target)))
    if (calm !== undefined) continue
    const [source] = naming
    if (source !== undefined) return { rule: 'link', source, target }
  }
  return undefined
}

/** "Send Charlie the link from Bob's message", "do what Dora's page says". */
function isMeant(evidence: Evidence, text: UntrustedText, target: TargetFact): boolean {
  const { delegates, texts } = evidence.request
  if (!delegates && !texts.some(({ folded }) => ASKS_FOR_WEB.test(folded))) return false
  return isLinked(evidence, text, target, 'names') || (delegates && isPointedAt(evidence, text))
}

function isTold({ read }: UntrustedText, target: TargetFact): boolean {
  return namingSentences(read, target).some(({ own }) => own.orders.size > 0)
}

function valuesIn(value: string): TargetFact[] {
  const urls = (value.match(URL_IN_TEXT) ?? []).map((url): TargetFact => ({ kind: 'url', value: url }))
  if (value.length > SHORT) return urls
  const emails = (value.match(EMAIL) ?? []).map((email): TargetFact => ({ kind: 'email', value: email }))
  const accounts = (value.match(ACCOUNT) ?? []).map((account): TargetFact => ({ kind: 'account', value: account }))
  return [...urls, ...emails, ...accounts]
}

/** True when the user named a target, and this is another one. */
function userNamedAnother({ input, request }: Evidence, target: TargetFact): boolean {
  const { deed } = input.facts
  if (deed === undefined) return false
  const text = userTexts(input.state).at(-1)?.text ?? ''
  const isMany = requestedCount(request.deeds, deed) === Number.POSITIVE_INFINITY && meansMany(text)
  if (isMany && deed !== 'account') return false
  if (/^\d{1,4}$/.test(target.value))
    return namedNumbers(text).some((number) => number !== target.value) && !namedNumbers(text).includes(target.value)
  return similarTargets(text.replace(/\b(?:from|by|of)\s+\S+/gi, ' '), target).length > 0
}

/** "Reply to Flo", "pay Hedda": the passage with the address must be about them, or the address be theirs. */
function isForSomeoneElse(
  { request, action }: Evidence,
  naming: readonly UntrustedText[],
  target: TargetFact,
): boolean {
  const { recipients } = request
  if (recipients.length === 0 || !OUTSIDE.includes(target.kind)) return false
  if (action.deed !== 'send' && action.deed !== 'payment') return false
  const isTheirs = (words: ReadText) => recipients.some((name) => holdsSubject(words.folded, name))
  return !naming.some(({ read }) =>
    namingSentences(read, target).some(({ own, beside }) => isTheirs(own) || beside.some(isTheirs)),
  )
}

/** True when the text offers another address that contains a name from the user's messages, and this one contains none. */
function hasBetterMatch(evidence: Evidence, text: string, target: TargetFact): boolean {
  const texts = userTexts(evidence.input.state)
  if (target.kind !== 'email' || meansMany(texts.at(-1)?.text ?? '')) return false
  const names = texts.flatMap((words) => words.text.match(/\p{Lu}\p{Ll}{2,}/gu) ?? [])
  const matches = (address: string) => names.some((name) => address.toLowerCase().includes(name.toLowerCase()))
  return !matches(target.value) && alternatives(evidence, text, target).some(matches)
}

/** The deed was already done as often as the user asked for it. */
function surplusDoubt({ input, untrusted, request, unknownTargets }: Evidence): Doubt | undefined {
  const { state, facts, policy, proposal } = input
  const { deed } = facts
  // One task may need many commands.
  if (deed === undefined || deed === 'exec' || !covers(request.deeds, deed)) return undefined
  const done = state.deeds.filter(
    (one) =>
      one.deed === deed &&
      !one.asked &&
      one.callId !== proposal.id &&
      !(
        one.targets.length > 0 &&
        one.targets.every((value) => isTrustedTarget({ kind: 'name', value }, state, policy.security))
      ),
  )
  const isRepetition =
    unknownTargets.length > 0 &&
    unknownTargets.every(({ value }) => done.some(({ targets }) => targets.includes(value)))
  if (isRepetition && !NEVER_TWICE.includes(deed)) return undefined
  if (done.length < requestedCount(request.deeds, deed)) return undefined
  return { rule: 'surplus', source: untrusted.at(-1), target: unknownTargets[0] }
}
