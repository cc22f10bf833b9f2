/** Doubts about an address that is only opened: who named it, who wants it opened, and what would leave with the request. */
import type { TargetFact } from '../../protocol/facts.ts'
import { ASKS_FOR_WEB } from '../action-words.ts'
import { hostOf, mentions, namingSentences } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { type Doubt, type Evidence, isFlagged } from './evidence.ts'
import { isReferredTo } from './pointing.ts'

/** An address with placeholders. */
const PLACEHOLDER = /\bhttps?:\/\/\S{0,300}=(?:[<{[$]|%7b|YOUR|XXX)/i

export function openingDoubt(evidence: Evidence): Doubt | undefined {
  return evidence.unknownTargets.map((target) => doubtAbout(evidence, target)).find((doubt) => doubt !== undefined)
}

function doubtAbout(evidence: Evidence, target: TargetFact): Doubt | undefined {
  if (hostOf(target) === undefined) return undefined
  const { untrusted } = evidence
  const naming = untrusted.filter(({ read }) => mentions(read, target))
  const verbatim = naming.filter(({ read }) => read.holds(target.value.replace(/\/$/, '')))
  const ordering = naming.find((text) => tellsToOpen(text, target))
  const plain = verbatim.find((text) => text.retold !== true && !isFlagged(text))
  if (plain !== undefined) {
    return ordering === undefined || wantsOpened(evidence, ordering)
      ? undefined
      : { rule: 'ordered', source: ordering, target }
  }
  const flagged = naming.find(isFlagged)
  if (flagged !== undefined) return { rule: 'flagged', source: flagged, target }
  if (ordering !== undefined) return { rule: 'carries', source: ordering, target }
  const template = naming.find(({ read }) => PLACEHOLDER.test(read.text))
  if (template !== undefined) return { rule: 'carries', source: template, target }
  if (naming.length > 0) return undefined
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined) return { rule: 'withheld', source: withheld, target }
  const unseen = /[?=]/.test(target.value) ? untrusted.find((text) => text.unseen) : undefined
  return unseen === undefined ? undefined : { rule: 'picture', source: unseen, target }
}

function tellsToOpen({ read }: UntrustedText, target: TargetFact): boolean {
  return namingSentences(read, target).some(({ own }) => own.orders.size > 0)
}

/** The user's words are about pages and links, or point at the text that wants it opened. */
function wantsOpened(evidence: Evidence, ordering: UntrustedText): boolean {
  const { request } = evidence
  if (request.deeds.has('browse') || request.texts.some(({ folded }) => ASKS_FOR_WEB.test(folded))) return true
  return request.delegates && isReferredTo(evidence, ordering)
}
