/** What the user's words bind a wanted action to: a target they named, one of several, a number of times. */
import { URL_IN_TEXT } from '../../language/addresses.ts'
import { meansMany } from '../../language/quantity.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { argumentValues } from '../argument-values.ts'
import { userTexts } from '../message-texts.ts'
import { mentions, namingSentences, similarTargets } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import { alternatives, covers, type Doubt, type Evidence, isFlagged, requestedCount } from './evidence.ts'

/** For these, a second call to the same target is a second deed, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']

/** Deeds whose content others will read. */
const SPEAKS: readonly Deed[] = ['send', 'share', 'account']

export function limitDoubt(evidence: Evidence): Doubt | undefined {
  const link = linkDoubt(evidence)
  if (link !== undefined) return link
  for (const target of evidence.unknownTargets) {
    const naming = evidence.untrusted.filter(({ read }) => mentions(read, target))
    const [first] = naming
    if (first === undefined) continue
    if (userNamedAnother(evidence, target)) return { rule: 'other', source: first, target }
    const better = naming.find(({ read }) => hasBetterMatch(evidence, read.text, target))
    if (better !== undefined) return { rule: 'several', source: better, target }
  }
  return surplusDoubt(evidence)
}

/** A recipient the user named does not make every link safe to send: who wants this one in the message? */
function linkDoubt({ input, action, untrusted, targets }: Evidence): Doubt | undefined {
  if (action.deed === undefined || !SPEAKS.includes(action.deed)) return undefined
  const { state, policy, proposal } = input
  const aimed = new Set(targets.map(({ value }) => value))
  const urls = argumentValues(proposal.args)
    .filter((value) => !aimed.has(value.trim()))
    .flatMap((value) => value.match(URL_IN_TEXT) ?? [])
  for (const value of urls) {
    const target: TargetFact = { kind: 'url', value }
    if (isTrustedTarget(target, state, policy.security)) continue
    const naming = untrusted.filter(({ read }) => mentions(read, target))
    const source = naming.find(
      (text) => isFlagged(text) || namingSentences(text.read, target).some(({ own }) => own.orders.size > 0),
    )
    if (source !== undefined) return { rule: 'link', source, target }
  }
  return undefined
}

/** True when the user named a target, and this is another one. */
function userNamedAnother({ input, request }: Evidence, target: TargetFact): boolean {
  const { deed } = input.facts
  if (deed === undefined) return false
  const text = userTexts(input.state).at(-1)?.text ?? ''
  if (requestedCount(request.deeds, deed) === Number.POSITIVE_INFINITY && meansMany(text)) return false
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
