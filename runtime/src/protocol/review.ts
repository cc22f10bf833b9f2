/** What a reviewer is shown: the user's words, and about the call only facts from closed sets. */
import type { CommandClass } from './command.ts'
import type { Deed, TargetFact } from './facts.ts'
import type { ToolFamily } from './intent.ts'
import type { DenialReason } from './verdict.ts'

/**
 * - `user`: in the user's words.
 * - `untrusted`: in a text from an untrusted source.
 * - `own`: in a result of Writ's own tools.
 * - `model`: in none of these.
 */
export type ValueOrigin = 'user' | 'untrusted' | 'own' | 'model'

/** A value among the arguments of a call. `text` only where it is in the user's words. */
export interface ReviewedValue {
  kind: TargetFact['kind'] | 'text' | 'number' | 'boolean' | 'null'
  origin: ValueOrigin
  length: number
  text?: string
}

/** Everything a reviewer is shown of a call. */
export interface ReviewCase {
  /** The user's last messages, the newest last. */
  user: string[]
  call: {
    /** Only of built-in tools: other names come from servers and programs. */
    tool?: string
    family: ToolFamily
    deed?: Deed
    risk: 'Medium'
    /** Classes of its shell commands. */
    commands?: CommandClass[]
    values: ReviewedValue[]
    /** Values that are not listed. */
    more?: number
  }
  facts: {
    reasons: DenialReason[]
    /** How many untrusted texts the run has read, and the worst verdict of their inspection. */
    untrustedTexts: number
    inspection: 'pass' | 'warn' | 'review' | 'block'
    targetsNamedByUser: number
    targets: number
  }
}
