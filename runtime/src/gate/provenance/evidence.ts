/** What the provenance rules decide by. */
import type { ProvenanceDoubt, ProvenanceRule } from '../../i18n/gate.ts'
import type { ScaleFact } from '../../i18n/scale-facts.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { ToolInput } from '../gate-input.ts'
import type { ReadText } from '../read-text.ts'
import type { RequestedDeeds } from '../requested-deeds.ts'
import { similarTargets } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import type { Action } from './action.ts'
import type { Request } from './request.ts'

export interface Evidence {
  input: ToolInput
  action: Action
  /** The texts and numbers among its arguments. */
  values: readonly string[]
  request: Request
  /** Everything that was read, and memories in the prompt. */
  untrusted: readonly UntrustedText[]
  targets: readonly TargetFact[]
  /** Those that neither the user nor a trusted source has named. */
  unknownTargets: readonly TargetFact[]
}

export interface Doubt {
  rule: ProvenanceRule
  /** The text in question. */
  source: UntrustedText | undefined
  target?: TargetFact | undefined
  /** Nothing outweighs it. */
  isCertain?: boolean
  /** What decided most, where facts were weighed. */
  because?: readonly ScaleFact[]
  facts?: ProvenanceDoubt['facts']
}

/** Targets of these kinds are outside; a name or a path may be new. */
export const OUTSIDE: readonly TargetFact['kind'][] = ['email', 'account', 'phone', 'url', 'host']

/** Which requests cover a deed: an order includes the payment, and any change may need a plain write. */
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

export function covers(requested: { has(deed: Deed): boolean }, deed: Deed): boolean {
  return COVERED_BY[deed].some((one) => requested.has(one))
}

/** How many times the user asked for a deed. */
export function requestedCount(requested: RequestedDeeds, deed: Deed): number {
  return Math.max(0, ...COVERED_BY[deed].map((one) => requested.get(one) ?? 0))
}

export function isFlagged({ inspection }: UntrustedText): boolean {
  return inspection === 'review' || inspection === 'block'
}

/** Targets of the same kind in a text, except trusted ones. */
export function alternatives({ input }: Evidence, text: ReadText, target: TargetFact): string[] {
  const { state, policy } = input
  return similarTargets(text, target).filter(
    (value) => !isTrustedTarget({ kind: target.kind, value }, state, policy.security),
  )
}
