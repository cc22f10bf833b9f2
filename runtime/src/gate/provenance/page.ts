import type { TargetFact } from '../../protocol/facts.ts'
import { hostOf, mentions, namingSentences } from '../sightings.ts'
import { type Doubt, isFlagged, type Reading } from './reading.ts'

/** An address with places left for our words. */
const TO_FILL_IN = /\bhttps?:\/\/\S{0,300}=(?:[<{[$]|%7b|YOUR|XXX)/i

/** A page is only read; but an address that a stranger told us to open, filled in by us, carries words out. */
export function carried({ strangers }: Reading, target: TargetFact): Doubt | undefined {
  if (hostOf(target) === undefined) return undefined
  const naming = strangers.filter(({ read }) => mentions(read, target))
  const verbatim = naming.filter(({ read }) => read.holds(target.value.replace(/\/$/, '')))
  const clean = verbatim.some(({ inspection, retold }) => retold !== true && !isFlagged(inspection))
  if (clean) return undefined
  const [flagged] = naming.filter(({ inspection }) => isFlagged(inspection))
  if (flagged !== undefined) return { rule: 'flagged', stranger: flagged, target }
  const ordering = naming.find(({ read }) => namingSentences(read, target).some(({ own }) => own.orders.size > 0))
  if (ordering !== undefined) return { rule: 'carries', stranger: ordering, target }
  const form = naming.find(({ read }) => TO_FILL_IN.test(read.text))
  if (form !== undefined) return { rule: 'carries', stranger: form, target }
  const withheld = strangers.find(({ inspection }) => inspection === 'block')
  return naming.length === 0 && withheld !== undefined && /[?=]/.test(target.value)
    ? { rule: 'withheld', stranger: withheld, target }
    : undefined
}
