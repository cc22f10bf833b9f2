/** What the rules of provenance go by. */
import type { ProvenanceRule } from '../../i18n/gate.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { Asks } from '../asks.ts'
import type { ToolMatter } from '../matter.ts'
import { alikeIn, isVouchedFor, type Stranger } from '../sightings.ts'

export interface Reading {
  matter: ToolMatter
  strangers: readonly Stranger[]
  asked: Asks
  /** The user's words ask for no deed and only want to know something. */
  onlyReads: boolean
  foreign: readonly TargetFact[]
}

export interface Doubt {
  rule: ProvenanceRule
  stranger: Stranger | undefined
  target?: TargetFact
}

/** Which requests cover a deed: to order is to pay, and any change may need a plain write. */
const COVERED_BY: Readonly<Record<Deed, readonly Deed[]>> = {
  exec: ['exec'],
  payment: ['payment', 'order'],
  delete: ['delete'],
  share: ['share'],
  account: ['account'],
  order: ['order', 'payment'],
  send: ['send'],
  write: ['write', 'exec', 'payment', 'delete', 'share', 'account', 'order', 'send'],
  browse: ['browse'],
  read: [],
}
/** These reach others or cannot be undone; a plain write does neither. */
export const GRAVE: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']

export function covers(asked: { has(deed: Deed): boolean }, deed: Deed): boolean {
  return COVERED_BY[deed].some((one) => asked.has(one))
}

export function allowance(asks: Asks, deed: Deed): number {
  return Math.max(0, ...COVERED_BY[deed].map((one) => asks.get(one) ?? 0))
}

export function isFlagged(inspection: Stranger['inspection']): boolean {
  return inspection === 'review' || inspection === 'block'
}

export function othersLike({ matter }: Reading, text: string, target: TargetFact): string[] {
  const { state, policy } = matter
  return alikeIn(text, target).filter((value) => !isVouchedFor({ kind: target.kind, value }, state, policy.security))
}

export function valuesOf(args: unknown): string[] {
  if (typeof args === 'string') return [args]
  if (typeof args === 'number') return [String(args)]
  if (typeof args !== 'object' || args === null) return []
  return Object.values(args).flatMap(valuesOf)
}
