/** How much each rule counts, and what a score comes to. The reference page explains them; measure before changing one. */
import type { Cue } from './concept.ts'

export const WEIGHT = {
  override: 88,
  overrideAll: 58,
  overrideText: 52,
  overrideBare: 38,
  overrideThing: 18,
  address: 48,
  addressHuman: 30,
  /** A machine is called, and nothing is asked of it. */
  greeting: 16,
  roleLine: 20,
  secrecy: 46,
  shapeReply: 50,
  command: 10,
  commandFloor: 20,
  /** However much it asks for, an order alone is a matter for review. */
  commandMost: 80,
  /** Added to the only order in a short record. */
  lone: 6,
  /** Added to the only order in a report, at its end, after "please". */
  loneLast: 14,
  /** At least, for what was written so that a person would not read it. */
  concealed: 40,
  request: 1,
  /** Added where a forged frame and an order stand together. */
  joined: 22,
} as const

/** Of the ready-made turns of phrase; one that is not here only helps to read others. */
export const CUE_WEIGHT: Partial<Record<Cue, number>> = {
  'own-prompt': 50,
  persona: 46,
  verbatim: 46,
  secrecy: WEIGHT.secrecy,
  charter: 40,
  machine: 38,
  unbound: 36,
  'new-orders': 32,
  obstruct: 32,
  precondition: 30,
  completion: 30,
  spokesman: 30,
  role: 30,
  unchecked: 28,
  decode: 28,
  threat: 26,
  standing: 24,
  follow: 18,
}

export const LEVELS = { warn: 22, review: 45, block: 85 } as const
