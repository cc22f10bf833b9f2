/** Doubts about an address that is only read: words in it leave with the request. */
import type { TargetFact } from '../../protocol/facts.ts'
import { hostOf, mentions, namingSentences } from '../targets-in-text.ts'
import { type Doubt, type Evidence, isFlagged } from './evidence.ts'

/** An address with placeholders. */
const PLACEHOLDER = /\bhttps?:\/\/\S{0,300}=(?:[<{[$]|%7b|YOUR|XXX)/i

/** An untrusted text says to open the address, and the model filled it in. */
export function exfiltrationDoubt({ untrusted }: Evidence, target: TargetFact): Doubt | undefined {
  if (hostOf(target) === undefined) return undefined
  const naming = untrusted.filter(({ read }) => mentions(read, target))
  const verbatim = naming.filter(({ read }) => read.holds(target.value.replace(/\/$/, '')))
  const isPlainLink = verbatim.some(({ inspection, retold }) => retold !== true && !isFlagged(inspection))
  if (isPlainLink) return undefined
  const flagged = naming.find(({ inspection }) => isFlagged(inspection))
  if (flagged !== undefined) return { rule: 'flagged', source: flagged, target }
  const ordering = naming.find(({ read }) => namingSentences(read, target).some(({ own }) => own.orders.size > 0))
  if (ordering !== undefined) return { rule: 'carries', source: ordering, target }
  const template = naming.find(({ read }) => PLACEHOLDER.test(read.text))
  if (template !== undefined) return { rule: 'carries', source: template, target }
  if (naming.length > 0 || !/[?=]/.test(target.value)) return undefined
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined) return { rule: 'withheld', source: withheld, target }
  const unseen = untrusted.find((text) => text.unseen)
  return unseen === undefined ? undefined : { rule: 'picture', source: unseen, target }
}
