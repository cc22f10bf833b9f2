/** The rules of a configuration file, each with its layer and its place. */
import { present } from '../base/present.ts'
import type { LayeredRule, Rule, RuleLayer } from '../protocol/rule.ts'
import type { JsonText, Position } from './json-text.ts'
import { type Raw, RULES, valueAt, withoutValue, withValue } from './keys.ts'
import { printable } from './problems.ts'

export interface PlacedRule {
  rule: LayeredRule
  /** The file, and the key path of the rule in it. */
  origin: string
  path: string
  /** The position of a part of the rule; undefined for settings that are not in a file. */
  where(part: readonly (string | number)[]): Position | undefined
}

export function placedRules(
  { origin, raw, json }: { origin: string; raw: Raw; json?: JsonText | undefined },
  { as: layer, home }: { as: RuleLayer; home: string },
): PlacedRule[] {
  return writtenRules(raw).map((written, i) => {
    const path = [...RULES.split('.'), String(i)]
    const where = (part: readonly (string | number)[]) => json?.locate([...path, ...part])
    const start = where([])
    const from = start === undefined ? `${origin} ${RULES}[${i}]` : `${origin}:${start.line}:${start.column}`
    const reason = written.reason === undefined ? undefined : printable(written.reason)
    const rule = { ...written, ...homed(written, home), ...present({ reason }), layer, from: printable(from) }
    return { rule, origin, path: path.join('.'), where }
  })
}

/** `~/x` in a pattern is a path of the user's home. */
function homed({ when }: Rule, home: string): Pick<Rule, 'when'> {
  if (when?.path === undefined) return {}
  const paths = [when.path].flat().map((pattern) => pattern.replace(/^~(?=\/|$)/, () => home))
  return { when: { ...when, path: paths } }
}

export function writtenRules(raw: Raw): Rule[] {
  const list = valueAt(raw, RULES)
  return Array.isArray(list) ? list : []
}

/** What a workspace's rules may do: ask and deny. */
export function tightening(raw: Raw): Raw {
  const kept = writtenRules(raw).filter(({ decide }) => decide !== 'allow')
  return kept.length === 0 ? withoutValue(raw, RULES) : withValue(raw, RULES, kept)
}

/** The text of an untrusted folder must not reach the model, so its reasons stay out. */
export function withoutReason({ rule, ...place }: PlacedRule): PlacedRule {
  const { reason: _, ...rest } = rule
  return { ...place, rule: rest }
}
