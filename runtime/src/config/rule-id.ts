import { fingerprint } from '../base/hash.ts'
import type { Rule } from '../protocol/rule.ts'

const ID_LENGTH = 8

/** Names a remembered rule where it is listed or revoked. `place`: the workspace it holds in, if only there. */
export function ruleId({ tool, when, decide }: Rule, place?: string): string {
  return fingerprint({ tool, when, decide, place }).slice(0, ID_LENGTH)
}
