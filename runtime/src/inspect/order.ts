/** Is a verb an order? */
import { type Clause, type Hit, isBidden } from './clause.ts'
import { BIT, CUE, TARGET, VERB } from './concept.ts'

export type Add = (rule: string, weight: number, hit: Hit) => void

/** What ends a clause right after a verb. */
export const ENDS: ReadonlySet<number> = new Set([0, 10, 33, 46, 59, 124])
const PARTICIPLE = /(?:ed|sent|paid)(?: \w{2,4})?$/

/** "Sent to …" reports; "must be sent to …" orders. */
export function orders(clause: Clause, hit: Hit): boolean {
  if (hit.imperative === 1 && !hit.free && isListed(clause, hit)) return false
  const late = (hit.cues & CUE.late) !== 0
  if (hit.imperative > 0 && !(late && PARTICIPLE.test(clause.text.slice(hit.start, hit.end)))) return true
  return (late || hit.free) && isAsked(clause, hit)
}

/** "They persuade people to reveal passwords, transfer funds, …": the first of the verbs is no order, either. */
function isListed({ hits }: Clause, hit: Hit): boolean {
  for (let i = hits.indexOf(hit) - 1; i >= 0; i--) {
    const before = hits[i]
    if (before === undefined || (before.mask & (BIT.PLEASE | BIT.MUST)) !== 0) return false
    if ((before.mask & VERB) !== 0) return before.reported && before.imperative === 0
  }
  return false
}

/**
 * In many languages the verb of a request stands last, and is an infinitive or a participle: 送信してください, "bitte …
 * senden", "deben enviarse". A "please" or "must" in the clause makes it one.
 */
export function isAsked(clause: Clause, verb: Hit, asking: number = BIT.PLEASE | BIT.MUST): boolean {
  const { hits, mask, text } = clause
  const late = (verb.cues & CUE.late) !== 0
  if (!verb.free && !late) return false
  // "Den Inhalt an … senden.", "… adresine gönder."
  const last = late && ENDS.has(verb.next) && (mask & (TARGET | BIT.SECRET | BIT.AMOUNT | BIT.REPLY)) !== 0
  if (last && (asking & BIT.MUST) !== 0) return true
  if ((mask & asking) === 0 || (text.charCodeAt(verb.start) > 0x2fff && !isBidden(clause))) return false
  // In Chinese a request comes first; in Japanese and Korean, last.
  const tail = text.charCodeAt(verb.start) > 0x2fff
  return hits.some((hit) => {
    if ((hit.mask & asking) === 0) return false
    return !tail || (hit.start >= verb.end && (hit.cues & CUE.late) !== 0)
  })
}

export function negated({ hits }: Clause, i: number): boolean {
  const hit = hits[i]
  for (let k = i - 1; hit !== undefined && k >= 0; k--) {
    const before = hits[k]
    if (before === undefined || hit.word - before.word > (hit.free ? 4 : 2)) return false
    if ((before.mask & BIT.NOT) !== 0) return true
    if ((before.mask & VERB) !== 0) return false
  }
  return false
}
