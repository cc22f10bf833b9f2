/** Ready-made turns of phrase, each as strong as what its clause does with it. */
import { type Clause, type Hit, isMention } from './clause.ts'
import { ACT, BIT, CUE, type Cue, HARM, TARGET } from './concept.ts'
import type { Carrier } from './context.ts'
import { isNear, type Suspicion } from './suspicion.ts'
import { CUE_WEIGHT } from './weights.ts'

interface Phrase {
  clause: Clause
  hit: Hit
  carrier: Carrier
}

const CLOSES = [...'.!:。'].map((char) => char.charCodeAt(0))
const ASKING = BIT.TELL | BIT.SHAPE | BIT.SEND | BIT.FETCH
const SPOKEN = BIT.YOU | BIT.YOUR | BIT.AI

/** What is not here counts as it is. */
const STRENGTH: Partial<Record<Cue, (phrase: Phrase) => number>> = {
  precondition: ({ clause }) => {
    const begs = has(clause, BIT.PLEASE | BIT.SECRET)
    const concerns = has(clause, BIT.ORDERS | BIT.USER | BIT.REPLY | TARGET)
    return begs || (concerns && orders(clause)) ? 1.6 : 0.6
  },
  'new-orders': ({ clause }) => (has(clause, BIT.URGENT | BIT.MUST | BIT.YOU) ? 1.3 : 0.8),
  follow: ({ clause }) => (has(clause, BIT.URGENT | BIT.MUST) && has(clause, BIT.YOU) ? 1.5 : 0.8),
  completion: ({ clause, hit }) => {
    if (has(clause, BIT.NEW | BIT.PRIOR | BIT.YOUR)) return 1.2
    return CLOSES.includes(hit.next) ? 0.8 : 0.4
  },
  'own-prompt': ({ clause, hit }) => {
    const asked = clause.hits.some(
      (verb) => (verb.mask & ASKING) !== 0 && (verb.imperative > 0 || clause.question) && isNear(verb, hit),
    )
    return asked ? 1 : 0.2
  },
  persona: ({ hit }) => (hit.told ? 0.5 : 1),
  role: ({ clause, hit }) => {
    const spoken = has(clause, SPOKEN | BIT.MUST | BIT.PLEASE) || hit.word <= 1
    return spoken && !hit.told ? 1 : 0.4
  },
  unbound: ({ clause }) => (has(clause, SPOKEN) ? 1.3 : 0.6),
  standing: ({ clause, carrier }) => {
    if (carrier === 'code') return 0.6
    if (has(clause, BIT.AMOUNT | TARGET)) return 2
    return has(clause, ACT | BIT.SHAPE) ? 1.2 : 0.6
  },
  secrecy: ({ clause }) => (has(clause, HARM | BIT.USER | BIT.AI) ? 1 : 0.4),
  unchecked: ({ clause }) => (has(clause, HARM) ? 1.3 : 0.7),
  spokesman: ({ clause }) => (has(clause, ACT | BIT.AMOUNT | TARGET) ? 1.3 : 0.7),
  decode: ({ clause }) => (orders(clause) ? 1 : 0.4),
}
const WEIGHED = (Object.entries(CUE_WEIGHT) as [Cue, number][]).map(([cue, weight]) => ({ cue, weight }))

export function turnsOfPhrase(clause: Clause, carrier: Carrier): Suspicion[] {
  const found: Suspicion[] = []
  for (const { cue, weight } of WEIGHED) {
    if ((clause.cues & CUE[cue]) === 0) continue
    const hit = clause.hits.find(({ cues }) => (cues & CUE[cue]) !== 0)
    if (hit === undefined) continue
    const strength = STRENGTH[cue]?.({ clause, hit, carrier }) ?? 1
    found.push({ rule: cue, at: hit.start, weight: weight * strength * (isMention(clause, hit) ? 0.4 : 1) })
  }
  return found
}

function has({ mask }: Clause, concepts: number): boolean {
  return (mask & concepts) !== 0
}

function orders({ hits }: Clause): boolean {
  return hits.some(({ imperative, mask }) => imperative > 0 && (mask & (ACT | BIT.SHAPE | BIT.TELL)) !== 0)
}
