/** What a clause asks for. Rules read concepts, never words, so they hold in every language of the lexicon. */
import { addresses, opens } from './addresses.ts'
import type { Clause } from './clause.ts'
import { commands } from './commands.ts'
import { ACT, BIT, CUE } from './concept.ts'
import type { Carrier } from './context.ts'
import { type Add, orders } from './order.ts'
import { overrides } from './overrides.ts'
import { setPhrases } from './phrases.ts'
import { bindsReplies, reassigns, sendsOut, shapes, silences, speaksThrough, steersReplies } from './replies.ts'
import type { Suspicion } from './suspicion.ts'
import { WEIGHT } from './weights.ts'

export function suspect(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  const add: Add = (rule, weight, hit, grave) => found.push({ rule, at: hit.start, weight, quoted: hit.quoted, grave })
  const { mask, cues } = clause
  if ((mask & BIT.VOID) !== 0) overrides(clause, carrier, add)
  if (cues !== 0) {
    opens(clause, add)
    found.push(...setPhrases(clause, carrier))
  }
  if ((mask & BIT.AI) !== 0) addresses(clause, add)
  if ((mask & BIT.NOT) !== 0 && (mask & BIT.TELL) !== 0 && (mask & BIT.USER) !== 0) silences(clause, add)
  if ((mask & BIT.ORDERS) !== 0 && (mask & BIT.YOUR) !== 0 && (mask & BIT.NEW) !== 0) reassigns(clause, add)
  if (carrier !== 'typed') {
    if ((mask & BIT.REPLY) !== 0) {
      bindsReplies(clause, add)
      steersReplies(clause, add)
      sendsOut(clause, add)
    }
    if ((mask & BIT.USER) !== 0 && (mask & (BIT.TELL | BIT.SHAPE)) !== 0) speaksThrough(clause, add)
  }
  const lead = clause.hits.find((hit) => (hit.mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0 && orders(clause, hit))
  if (lead === undefined) return found
  if (lead.imperative === 2 && (cues & CUE.human) === 0) add('request', WEIGHT.request, lead)
  if (carrier !== 'typed') {
    shapes(clause, lead, add)
    commands(clause, { lead, carrier }, add)
  }
  return found
}
