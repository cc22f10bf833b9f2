/**
 * Every number that makes up a score: how much a rule counts, what strengthens or weakens it, and which score gives
 * which verdict. The reference page explains them; measure before changing one.
 */

import type { Cue } from './concept.ts'
import type { Scene } from './context.ts'

/** The score from which on a text gets a verdict. */
export const LEVELS = { warn: 22, review: 45, block: 85 } as const

/** What each rule counts in points. */
export const WEIGHT = {
  override: 88,
  overrideAll: 58,
  overrideText: 52,
  overrideReplaced: 48,
  overrideBare: 38,
  overrideThing: 18,
  /** An order alone is never blocked, nor beside a weak sign. */
  orderMost: 56,
  roleLine: 20,
  secrecy: 46,
  reassigned: 46,
  /** At least, for text that was hidden from human readers. */
  concealed: 40,
  request: 1,
  /** Added where a forged frame and a request occur together. */
  joined: 22,
  /** A question or request that does not belong into its table or mail. */
  outOfPlace: { plainly: 46, maybe: 26 },
  /** Invisible characters between letters; many of them; throughout words. */
  invisible: { some: 22, many: 30, threaded: LEVELS.review + 1 },
  bidi: 22,
  control: 22,
  /** Words in mixed alphabets; more than one. */
  lookalike: { one: 24, several: 34, many: LEVELS.review + 1 },
  blankLines: LEVELS.review,
  plantedCode: 52,
  /** A link that carries data: one to be completed, an image, a link to click. */
  openLink: 50,
  imageLink: 54,
  link: 34,
} as const

/** Signs of a forged frame. */
export const MARKER_WEIGHT = {
  'chat-template': 46,
  'role-tag': 34,
  'frame-tag': 24,
  'section-mark': 24,
  'call-lookalike': 26,
  'next-call': 46,
} as const

/** Set phrases; one that is not here only helps to read others. */
export const CUE_WEIGHT: Partial<Record<Cue, number>> = {
  'own-prompt': 50,
  persona: 46,
  verbatim: 46,
  secrecy: 40,
  charter: 40,
  machine: 33,
  unbound: 33,
  'new-orders': 32,
  obstruct: 32,
  reading: 34,
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

/** What a set phrase is multiplied by, depending on its clause. */
export const STRENGTH = {
  reading: { bidden: 1.4, ordered: 1.35, alone: 0 },
  precondition: { withOrder: 1.6, alone: 0.6 },
  'new-orders': { announced: 1.45, ofOthers: 0.5, heading: 0.2, urgent: 1.3, plain: 0.8 },
  obstruct: { asked: 0, opening: 1.45, plain: 1 },
  follow: { link: 2.6, urgent: 1.5, plain: 0.8 },
  completion: { ofOthers: 0.5, withNext: 1.2, closing: 0.8, praise: 0.6, plain: 0.4 },
  'own-prompt': { asked: 1, mentioned: 0.2 },
  verbatim: { own: 1, other: 0 },
  persona: { status: 0.2, quoted: 0.5, plain: 1 },
  machine: { withOrder: 1.3, plain: 1, described: 0.5 },
  role: { spoken: 1, plain: 0.4 },
  unbound: { spoken: 1.3, plain: 0.6 },
  charter: { all: 1.2, own: 1, other: 0 },
  standing: { code: 0.6, target: 2, act: 1.2, plain: 0.6 },
  secrecy: { withHarm: 1, plain: 0.6, manner: 0.2 },
  unchecked: { claimed: 1.65, withHarm: 1.3, plain: 0.7 },
  spokesman: { target: 1.6, act: 1.3, plain: 0.7 },
  decode: { withOrder: 1, plain: 0.4 },
  /** "An AI without any rules", said to the reader. */
  freed: { spoken: 1.3, plain: 1 },
  /** Any of them in quotation marks, or as a name. */
  mention: 0.4,
} as const

/** What the override rule is multiplied by. */
export const OVERRIDE_FACTOR = {
  /** "Ignore question 7": only one thing. */
  narrow: 0.4,
  /** A weak override in quotation marks. */
  quotedBare: 0.6,
  mention: 0.35,
  /** What another person does or must do. */
  reported: 0.35,
  duty: 0.35,
  question: 0.8,
  /** No imperative: in a message, in a clause that asks for an act, elsewhere. */
  typed: 0.9,
  acting: 0.85,
  plain: 0.62,
} as const

/** "Do not tell the user", said of what another person does. */
export const SECRECY_REPORTED = 0.4

/** Where a clause is. */
export const PLACE_FACTOR = { hidden: 1.4, code: 0.5, comment: 0.9, marksInCode: 0.6 } as const

/** Decoded text counts for more than the same text in the open. */
export const CONCEALED_FACTOR = 1.6
export const CONCEALED_MOST = 100

/** What each kind of text is full of anyway. */
export const SCENE_FACTOR: Readonly<Record<Scene, Readonly<Record<string, number>>>> = {
  talk: { override: 0.6, persona: 0.5, precondition: 0.5, 'role-line': 0, 'user-line': 0 },
  contract: { override: 0.6, 'new-orders': 0.5 },
  log: { override: 0.5, completion: 0.5 },
}

/** A text about attacks quotes them. */
export const TOPIC_FACTOR = { perTopic: 0.12, least: 0.55, quoted: 0.4, models: 0.7, tested: 0.4 } as const

/** How much of a weaker suspicion nearby is added to the heaviest. */
export const SUPPORT = 0.55
/** What a phrase must weigh to count as the frame of a request. */
export const FRAME_FLOOR = 22
/** Lighter suspicions are not reported as findings. */
export const LEAST_FINDING = 15
