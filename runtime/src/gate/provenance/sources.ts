/** Where the target of a call comes from. */

import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { argumentValues } from '../argument-values.ts'
import { hostOf, mentions, namingSentences } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { CONSEQUENTIAL } from './action.ts'
import { alternatives, covers, type Evidence, isFlagged, OUTSIDE, requestedCount } from './evidence.ts'
import { isLinked, isOwnResult, isPointedAt, isSentTo, ordersOnlyRequested, withoutLabels } from './pointing.ts'
import { isSiteOfWords } from './sites.ts'
import { SOURCES, type Source } from './table.ts'

export interface Origin {
  source: Source
  /** The text asks for it: other texts that only mention the target do not count. */
  isOrder?: true
  text?: UntrustedText | undefined
  target?: TargetFact | undefined
}

/** The least trusted source counts. */
export function worstSource(evidence: Evidence): Origin {
  const origins = evidence.unknownTargets.map((target) => ({ ...sourceOf(evidence, target), target }))
  const rank = ({ source }: Origin) => SOURCES.indexOf(source)
  return origins.reduce<Origin>((worst, one) => (rank(one) > rank(worst) ? one : worst), { source: 'user' })
}

/** One text that orders the deed outweighs any number that only mention the target. */
function sourceOf(evidence: Evidence, target: TargetFact): Origin {
  const { untrusted, action } = evidence
  const isAct = action.weight !== 'change'
  const naming = untrusted.filter((text) => mentions(text.read, target))
  // What a withheld text ordered is no longer known; it may have been this.
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined && (isAct || naming.length === 0)) return { source: 'withheld', text: withheld }
  const isOutside = OUTSIDE.includes(target.kind)
  const unseen = untrusted.find((text) => text.unseen)
  if (unseen !== undefined && (isAct || (naming.length === 0 && isOutside))) return { source: 'picture', text: unseen }
  if (isUsedBefore(evidence, target)) return { source: 'pointed' }
  if (naming.length === 0) {
    const isKnown =
      isColleague(evidence, target) ||
      isOpenSite(evidence, target) ||
      isSiteOfWords(hostOf(target) ?? '', evidence.input.state)
    const isInvented = isAct && isOutside && !isKnown
    return isInvented ? { source: 'nowhere', text: untrusted.at(-1) } : { source: 'seen' }
  }
  const origins = naming.map((text) => ({ ...standingOf(evidence, text, target), text }))
  const against = origins.find(({ isOrder }) => isOrder)
  const best = origins.find(({ source }) => source === 'pointed') ?? origins.find(({ source }) => source === 'seen')
  return (
    against ?? best ?? origins.find(({ source }) => source === 'flagged') ?? { source: 'untrusted', text: naming[0] }
  )
}

/** In a call before anything was read, or in an action that ran without a question. */
function isUsedBefore({ input }: Evidence, target: TargetFact): boolean {
  const { messages, deeds } = input.state
  if (
    deeds.some(({ callId, asked, targets }) => !asked && callId !== input.proposal.id && targets.includes(target.value))
  )
    return true
  for (const message of messages) {
    if (message.role === 'tool') return false
    const calls = message.role === 'assistant' ? (message.calls ?? []) : []
    if (calls.some(({ id, args }) => id !== input.proposal.id && argumentValues(args).includes(target.value)))
      return true
  }
  return false
}

/** A page of a site that the run has opened. */
function isOpenSite({ untrusted }: Evidence, target: TargetFact): boolean {
  const host = hostOf(target)
  return (
    host !== undefined &&
    untrusted.some(
      (text) => !isFlagged(text) && text.values.some((value) => hostOf({ kind: 'url', value: value.text }) === host),
    )
  )
}

/** An address at a domain that a calm text has named, or that the run has used to look something up. */
function isColleague({ untrusted }: Evidence, { kind, value }: TargetFact): boolean {
  if (kind !== 'email') return false
  const domain = value.replace(/^.*@/, '')
  const orders = ({ read }: UntrustedText) => read.naming(domain).some((i) => read.sentences[i]?.orders.size !== 0)
  return untrusted.some(
    (text) =>
      !isFlagged(text) &&
      ((text.read.holds(`@${domain}`) && !orders(text)) || text.values.some((one) => one.text === value)),
  )
}

/** What one text that names the target does for it. */
function standingOf(evidence: Evidence, text: UntrustedText, target: TargetFact): Origin {
  const { input, action } = evidence
  // A retelling cannot clear what the text itself could not clear.
  if (text.retold) return { source: 'untrusted' }
  const isOrdered = orders(evidence, text, target)
  const isOwnTool = action.deed === undefined && input.facts.family !== 'browser'
  if (isFlagged(text) || isOwnTool) {
    const isSent = isSentTo(evidence, text, action.deed ?? 'send')
    if (isFlagged(text) && !(isSent && ordersOnlyRequested(evidence, text, isOrdered))) {
      const isInnocent = text.inspection === 'review' && !isOrdered && (isSent || isPointedAt(evidence, text))
      return isInnocent ? { source: 'pointed' } : order('flagged', isOrdered)
    }
    if (isOwnTool) return order(isSent ? 'pointed' : isOrdered ? 'ordered' : 'untrusted', isOrdered)
  }
  return isOrdered ? toldBy(evidence, text, target) : { source: isAboutIt(evidence, text, target) ? 'pointed' : 'seen' }
}

/** A whole text counts only where the user leaves the choice to it; else the passage about what they spoke of. */
function isAboutIt(evidence: Evidence, text: UntrustedText, target: TargetFact): boolean {
  const { input, action, request } = evidence
  return (
    isLinked(evidence, text, target, 'words') ||
    isOwnResult(input.state, text) ||
    (request.delegates && isPointedAt(evidence, text)) ||
    isSentTo(evidence, text, action.deed ?? 'send')
  )
}

/** The text asks for it: did the user point at the text for that, and is there only one it could mean? */
function toldBy(evidence: Evidence, text: UntrustedText, target: TargetFact): Origin {
  const { input, action, request } = evidence
  const { deed = 'send' } = action
  // A bare name in an order is ambiguous; an address or an id is not, if it is the only one.
  if (deed !== 'write' && isBareName(target)) return order('ordered', true)
  // A list that a search returned was not pointed at for what it asks.
  const isExplicit = () => request.delegates || isSentTo(evidence, text, deed) || isOwnResult(input.state, text)
  const isMeant =
    isLinked(evidence, text, target, 'names') ||
    (action.weight === 'grave' ? isExplicit() && isPointedAt(evidence, text) : isPointedAt(evidence, text)) ||
    isSentTo(evidence, text, deed)
  if (!isMeant) return order('ordered', true)
  const isLimited = requestedCount(request.deeds, deed) < Number.POSITIVE_INFINITY
  if (isLimited && alternatives(evidence, text.read, target).length > 0) return order('several', true)
  return order('told', true)
}

function order(source: Source, isOrder: boolean): Origin {
  return isOrder ? { source, isOrder } : { source }
}

/** "It", "there": a sentence about what the one before has named. */
const REFERS = /\b(?:it|this|that|them|there|him|her|these|those|above|below)\b|[这该此它他她其]/u

/** True when the text that names the target also tells us to do something with it. */
function orders({ action }: Evidence, { read }: UntrustedText, target: TargetFact): boolean {
  const { deed } = action
  const isOutside = OUTSIDE.includes(target.kind)
  return namingSentences(read, target).some(({ own, beside }) => {
    const ordered = withoutLabels(own, target, action).orders
    if (ordered.size > 0 && (isOutside || deed === undefined || isFor(ordered, deed))) return true
    // "kitchen" is in many sentences; an address or an id is what the next sentence is about.
    if (deed === undefined || isBareName(target)) return false
    return beside.some((sentence) => covers(sentence.orders, deed) && (isOutside || REFERS.test(sentence.folded)))
  })
}

/** A plain change may be ordered as anything; "please update" does not order a payment. */
function isFor(ordered: ReadonlySet<Deed>, deed: Deed): boolean {
  return covers(ordered, deed) || CONSEQUENTIAL.some((one) => ordered.has(one))
}

function isBareName({ kind, value }: TargetFact): boolean {
  return kind === 'name' && !/\d/.test(value)
}
