import type { Deed } from '../../protocol/facts.ts'
import { isVouchedFor, type Stranger } from '../sightings.ts'
import { allowance, covers, type Doubt, GRAVE, isFlagged, type Reading } from './reading.ts'

/** Once more to the same one is a second payment, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']

/** The deed itself: nobody but a stranger has brought it up. */
export function unasked(reading: Reading): Doubt | undefined {
  const { deed } = reading.matter.facts
  if (deed === undefined) return undefined
  // After planted orders only the very deed will do; what it may need besides could be what was planted.
  const isTricked = reading.strangers.some(({ inspection }) => isFlagged(inspection))
  const isAsked = isTricked ? reading.asked.has(deed) : covers(reading.asked, deed)
  const stranger = isAsked ? undefined : suggesting(reading, deed)
  return stranger === undefined ? undefined : { rule: 'unasked', stranger }
}

/**
 * Whoever could have suggested the deed. Where something is to be done, people leave much unsaid, and only an order for
 * this very deed is doubtful; where something is to be found out, any text that somebody wrote is.
 */
function suggesting({ matter, strangers, onlyReads }: Reading, deed: Deed): Stranger | undefined {
  // A workflow is written down: nothing in it is left unsaid.
  if (matter.state.profile.mode === 'workflow') return strangers.at(-1)
  const ordering = strangers.find(({ read, inspection }) => isFlagged(inspection) || covers(read.orders, deed))
  if (ordering !== undefined || !onlyReads) return ordering
  return (
    strangers.find(({ read, inspection }) => inspection !== 'pass' || read.orders.size > 0) ??
    strangers.find(({ read }) => deed !== 'write' && (covers(read.asks, deed) || read.sentences.some(isProse)))
  )
}

/** A sentence somebody wrote, and no row of a list: it may order something in words nobody knows here. */
function isProse({ text }: { text: string }): boolean {
  const words = text.match(/\p{L}[\p{L}'’-]*/gu) ?? []
  const plain = words.filter((word) => /^\p{Ll}{2,}/u.test(word))
  return (
    (plain.length >= 6 && plain.length >= words.length / 2) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{12}/u.test(text)
  )
}

export function oneTooMany({ matter, strangers, asked, foreign }: Reading): Doubt | undefined {
  const { state, facts, policy, proposal } = matter
  const { deed } = facts
  // One task may well need many commands.
  if (deed === undefined || deed === 'exec' || !GRAVE.includes(deed) || !covers(asked, deed)) return undefined
  const done = state.deeds.filter(
    (one) =>
      one.deed === deed &&
      !one.asked &&
      one.callId !== proposal.id &&
      !(
        one.targets.length > 0 &&
        one.targets.every((value) => isVouchedFor({ kind: 'name', value }, state, policy.security))
      ),
  )
  const again = foreign.length > 0 && foreign.every(({ value }) => done.some(({ targets }) => targets.includes(value)))
  if (again && !NEVER_TWICE.includes(deed)) return undefined
  if (done.length < allowance(asked, deed)) return undefined
  const [target] = foreign
  return { rule: 'surplus', stranger: strangers.at(-1), ...(target === undefined ? {} : { target }) }
}
