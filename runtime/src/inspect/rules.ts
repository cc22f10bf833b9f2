/** What a clause asks for. Rules read concepts, never words, so they hold in every language of the lexicon. */
import type { Clause } from './clause.ts'
import { BIT } from './concept.ts'
import type { Carrier } from './context.ts'
import type { Add } from './order.ts'
import { overrides } from './overrides.ts'
import { setPhrases } from './phrases.ts'
import { opens, reassigns, silences } from './replies.ts'
import type { Suspicion } from './suspicion.ts'

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
  return found
}
