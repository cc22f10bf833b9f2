import type { Hit } from './clause.ts'
import { CUE } from './concept.ts'

export interface Suspicion {
  rule: string
  /** Offset in the folded text, until it is traced back to the original's. */
  at: number
  weight: number
  /** The words stand in quotation marks. */
  quoted?: boolean
}

/** How many words apart two may stand and still belong together. */
const NEAR = 8

/** English and its like put what is meant after the verb; elsewhere it may stand before. */
export function isNear(hit: Hit, other: Hit): boolean {
  const gap = other.word - hit.word
  const turns = hit.free || other.free || (hit.cues & CUE.late) !== 0
  return gap <= NEAR && (gap > 0 || (gap >= -NEAR && turns))
}
