/** The one table: weight of the action, warrant and source decide. What was read can only weaken a warrant. */
import type { ProvenanceRule, Warrant } from '../../i18n/gate.ts'
import type { Weight } from './action.ts'

/**
 * Where a target comes from, the best first: the user; a text the user pointed at, or a result of the run's own actions;
 * another text that asks nothing about it; a text the user pointed at and that asks for it; one that offers several; one
 * that the user did not point at and that asks for it; a suspicious one only; an answer or a memory that repeats what is
 * no longer known; a withheld result or a picture; nowhere.
 */
export const SOURCES = [
  'user',
  'pointed',
  'seen',
  'told',
  'several',
  'ordered',
  'flagged',
  'untrusted',
  'withheld',
  'picture',
  'nowhere',
] as const
export type Source = (typeof SOURCES)[number]

/** Weights of what changes something. */
export type Effective = Exclude<Weight, 'look' | 'open'>

const TABLE: Readonly<Record<Effective, Readonly<Record<Warrant, readonly Source[]>>>> = {
  change: {
    asked: ['user', 'pointed', 'seen', 'told'],
    implied: ['user', 'pointed', 'seen', 'told'],
    delegated: ['user', 'pointed', 'seen', 'told'],
    unsaid: ['user', 'pointed', 'seen'],
    none: [],
  },
  act: {
    asked: ['user', 'pointed', 'seen', 'told'],
    implied: ['user', 'pointed', 'seen'],
    delegated: ['user', 'pointed', 'seen', 'told'],
    unsaid: ['user', 'pointed'],
    none: [],
  },
  grave: {
    asked: ['user', 'pointed', 'seen', 'told'],
    implied: ['user', 'pointed', 'seen'],
    delegated: ['user', 'pointed', 'seen', 'told'],
    unsaid: [],
    none: [],
  },
}

/** Undefined: allowed. Else the rule that a question names. */
export function ruleFor(weight: Effective, warrant: Warrant, source: Source): ProvenanceRule | undefined {
  if (TABLE[weight][warrant].includes(source)) return undefined
  if (source === 'user' || source === 'pointed' || source === 'seen') return 'unasked'
  return source === 'told' ? 'ordered' : source
}
