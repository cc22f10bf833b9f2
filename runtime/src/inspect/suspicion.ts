import type { Hit } from './clause.ts'
import { CUE } from './concept.ts'

export interface Suspicion {
  rule: string
  /** Offset in the folded text; later in the original. */
  at: number
  weight: number
  /** The words are in quotation marks. */
  quoted?: boolean
  /** In code, but not in a comment. */
  code?: boolean
}

/** How many words apart two hits may be and still belong together. */
const NEAR = 8

/** English and similar languages put the object after the verb; in others it may come before. */
export function isNear(hit: Hit, other: Hit): boolean {
  const gap = other.word - hit.word
  const turns = hit.free || other.free || (hit.cues & CUE.late) !== 0
  return gap <= NEAR && (gap > 0 || (gap >= -NEAR && turns))
}
