/** What a clause asks for. Rules read concepts, never words, so they hold in every language of the lexicon. */
import type { Clause } from './clause.ts'
import { ACT, BIT, CUE } from './concept.ts'
import type { Carrier } from './context.ts'
import { type Add, orders } from './order.ts'
import { overrides } from './overrides.ts'
import { setPhrases } from './phrases.ts'
import { opens, reassigns, silences } from './replies.ts'
import type { Suspicion } from './suspicion.ts'
import { WEIGHT } from './weights.ts'

export function suspect(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  const add: Add = (rule, weight, hit) => found.push({ rule, at: hit.start, weight, quoted: hit.quoted })
  const { mask, cues } = clause
  if ((mask & BIT.VOID) !== 0) overrides(clause, carrier, add)
  if (cues !== 0) {
    opens(clause, add)
    found.push(...setPhrases(clause, carrier))
  }
  if ((mask & BIT.NOT) !== 0 && (mask & BIT.TELL) !== 0 && (mask & BIT.USER) !== 0) silences(clause, add)
  if ((mask & BIT.ORDERS) !== 0 && (mask & BIT.YOUR) !== 0 && (mask & BIT.NEW) !== 0) reassigns(clause, add)
  // What people type is not weighed: a request only counts after a forged frame.
  const asks = carrier === 'typed' && (cues & CUE.human) === 0
  const lead = asks
    ? clause.hits.find((hit) => (hit.mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0 && orders(clause, hit))
    : undefined
  if (lead?.imperative === 2) add('order', WEIGHT.request, lead)
  return found
}
