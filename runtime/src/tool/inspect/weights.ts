/** How much each rule counts, and what a score comes to. The reference page explains them; measure before changing one. */
export const WEIGHT = {
  override: 72,
  overrideAll: 58,
  overrideText: 52,
  overrideBare: 38,
  machine: 38,
  address: 48,
  addressHuman: 30,
  precondition: 30,
  newOrders: 32,
  follow: 18,
  spokesman: 30,
  completion: 30,
  ownPrompt: 50,
  persona: 46,
  role: 30,
  unbound: 36,
  standing: 24,
  secrecy: 46,
  unchecked: 28,
  threat: 26,
  decode: 28,
  shapeReply: 50,
  command: 10,
  commandFloor: 20,
  /** Added to the only order in a short record. */
  lone: 6,
  /** Added to the only order in a report, at its end, after "please". */
  loneLast: 14,
  request: 1,
  /** Added where a forged frame and an order stand together. */
  joined: 22,
} as const

export const LEVELS = { warn: 22, review: 45, block: 85 } as const
