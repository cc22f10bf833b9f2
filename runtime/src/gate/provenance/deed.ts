/** Doubts about the deed itself: was it requested, and how often? */
import type { Deed } from '../../protocol/facts.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { CONSEQUENTIAL, covers, type Doubt, type Evidence, isFlagged, requestedCount } from './evidence.ts'

/** For these, a second call to the same target is a second deed, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']

/** The deed was suggested only by an untrusted text. */
export function deedDoubt(evidence: Evidence): Doubt | undefined {
  const { deed } = evidence.input.facts
  if (deed === undefined) return undefined
  // After a prompt injection only the exact deed counts; a deed that it may need could be the injected one.
  const wasInjected = evidence.untrusted.some(({ inspection }) => isFlagged(inspection))
  const isRequested = wasInjected ? evidence.requested.has(deed) : covers(evidence.requested, deed)
  const source = isRequested ? undefined : suggestingText(evidence, deed)
  return source === undefined ? undefined : { rule: 'unasked', source }
}

/**
 * A text that could have suggested the deed. Tasks leave much unsaid, so where something is to be done only an order for
 * this very deed is doubtful; where the user only asks for information, any prose is.
 */
function suggestingText({ input, untrusted, onlyReads }: Evidence, deed: Deed): UntrustedText | undefined {
  // A workflow is written down completely.
  if (input.state.profile.mode === 'workflow') return untrusted.at(-1)
  const ordering =
    untrusted.find(({ read, inspection }) => isFlagged(inspection) || covers(read.orders, deed)) ??
    untrusted.find(({ unseen }) => unseen && (onlyReads || CONSEQUENTIAL.includes(deed)))
  if (ordering !== undefined || !onlyReads) return ordering
  return (
    untrusted.find(({ read, inspection }) => inspection !== 'pass' || read.orders.size > 0) ??
    untrusted.find(({ read }) => deed !== 'write' && (covers(read.requests, deed) || read.sentences.some(isProse)))
  )
}

/** A written sentence and not a row of a list: it may order something in words that are not recognised. */
function isProse({ text }: { text: string }): boolean {
  const words = text.match(/\p{L}[\p{L}'’-]*/gu) ?? []
  const plain = words.filter((word) => /^\p{Ll}{2,}/u.test(word))
  return (
    (plain.length >= 6 && plain.length >= words.length / 2) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{12}/u.test(text)
  )
}

/** The deed was already done as often as the user asked for it. */
export function countDoubt({ input, untrusted, requested, unknownTargets }: Evidence): Doubt | undefined {
  const { state, facts, policy, proposal } = input
  const { deed } = facts
  // One task may need many commands.
  if (deed === undefined || deed === 'exec' || !CONSEQUENTIAL.includes(deed) || !covers(requested, deed))
    return undefined
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
  if (done.length < requestedCount(requested, deed)) return undefined
  return { rule: 'surplus', source: untrusted.at(-1), target: unknownTargets[0] }
}
