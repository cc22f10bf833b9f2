/** Where the target of a call comes from. */
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { mentions, namingSentences } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { alternatives, covers, type Evidence, isFlagged, OUTSIDE, requestedCount } from './evidence.ts'
import { isPointedAt, isReplyToWriter, ordersOnlyRequested } from './pointing.ts'
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
  const isAct = action.weight === 'act'
  const naming = untrusted.filter(({ read }) => mentions(read, target))
  // What a withheld text ordered is no longer known; it may have been this.
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined && (isAct || naming.length === 0)) return { source: 'withheld', text: withheld }
  const isOutside = OUTSIDE.includes(target.kind)
  const unseen = untrusted.find((text) => text.unseen)
  if (unseen !== undefined && (isAct || (naming.length === 0 && isOutside))) return { source: 'picture', text: unseen }
  if (naming.length === 0)
    return isAct && isOutside ? { source: 'nowhere', text: untrusted.at(-1) } : { source: 'seen' }
  const origins = naming.map((text) => ({ ...standingOf(evidence, text, target), text }))
  const against = origins.find(({ isOrder }) => isOrder)
  const best = origins.find(({ source }) => source === 'pointed') ?? origins.find(({ source }) => source === 'seen')
  return (
    against ?? best ?? origins.find(({ source }) => source === 'flagged') ?? { source: 'untrusted', text: naming[0] }
  )
}

/** What one text that names the target does for it. */
function standingOf(evidence: Evidence, text: UntrustedText, target: TargetFact): Origin {
  const { input, action, request } = evidence
  const { deed } = action
  // A retelling cannot clear what the text itself could not clear.
  if (text.retold) return { source: 'untrusted' }
  const flagged = isFlagged(text)
  // The writer of a text that the user wants answered may ask for things; the reply itself is not on their order.
  const isReply = isReplyToWriter(evidence, text, target)
  const isOrdered = !isReply && orders(text, target, deed)
  const isOwnTool = deed === undefined && input.facts.family !== 'browser'
  const isPointed = isPointedAt(evidence, text, target)
  if (!flagged && !isOrdered && !isOwnTool) return { source: isPointed || isReply ? 'pointed' : 'seen' }
  if (flagged && !(isPointed && ordersOnlyRequested(evidence, text, isOrdered))) return order('flagged', isOrdered)
  // A bare name in an order is ambiguous; an address or an id is not, if it is the only one.
  const bare = deed !== 'write' && isBareName(target)
  if (isOrdered && (!isPointed || bare)) return order('ordered', true)
  const isLimited = requestedCount(request.deeds, deed ?? 'send') < Number.POSITIVE_INFINITY
  if (isOrdered && isLimited && alternatives(evidence, text.read.text, target).length > 0) return order('several', true)
  return { source: isPointed ? 'pointed' : 'untrusted' }
}

function order(source: Source, isOrder: boolean): Origin {
  return isOrder ? { source, isOrder } : { source }
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
