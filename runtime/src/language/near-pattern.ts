/**
 * A pattern with `\\p{L}` takes longer to compile than most texts to judge. `near` matches wherever it could match, is
 * compiled quickly, and is tried first.
 */
import { fitting } from './fitting-pattern.ts'

export interface NearPattern {
  near: RegExp
  pattern: RegExp
}

/** True when one of the patterns occurs in the text. */
export function anyOccurs(patterns: readonly NearPattern[], text: string): boolean {
  return patterns.some(({ near, pattern }) => fitting(text, near).test(text) && fitting(text, pattern).test(text))
}
