/** The one table: kind of action, warrant and source decide; what was read can only weaken a warrant. */
import type { ProvenanceRule, Warrant } from '../../i18n/gate.ts'
import type { Weight } from './action.ts'

/**
 * Where a target comes from, the best first: the user; a text the user pointed at, or a result of the run's own actions;
 * another text that asks nothing about it; one that offers several; one that asks for an action on it; a suspicious
 * one only; an answer or a memory that repeats what is no longer known; a withheld result or a picture; nowhere.
 */
export const SOURCES = [
  'user',
  'pointed',
  'seen',
  'several',
  'ordered',
  'flagged',
  'untrusted',
  'withheld',
  'picture',
  'nowhere',
] as const
export type Source = (typeof SOURCES)[number]

type Row = Readonly<Partial<Record<Source, 'allow'>>>

const WANTED: Row = { user: 'allow', pointed: 'allow', seen: 'allow' }
const NOTHING: Row = {}

const TABLE: Readonly<Record<Exclude<Weight, 'look' | 'open'>, Readonly<Record<Warrant, Row>>>> = {
  change: { asked: WANTED, implied: WANTED, delegated: WANTED, none: NOTHING },
  act: { asked: WANTED, implied: WANTED, delegated: { user: 'allow', pointed: 'allow' }, none: NOTHING },
}

/** Undefined: allowed. Else the rule that a question names. */
export function ruleFor(weight: 'change' | 'act', warrant: Warrant, source: Source): ProvenanceRule | undefined {
  if (TABLE[weight][warrant][source] === 'allow') return undefined
  if (source === 'user' || source === 'pointed' || source === 'seen') return 'unasked'
  return source
}
