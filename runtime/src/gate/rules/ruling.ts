/**
 * What the rules say about a call. A matching deny wins; otherwise the highest layer that matches decides, the
 * strictest within it. In a shell line every command is ruled on by itself, and the strictest ruling counts.
 */
import { present } from '../../base/present.ts'
import { gateTexts } from '../../i18n/gate.ts'
import type { CommandUse } from '../../protocol/command.ts'
import type { Policy } from '../../protocol/policy.ts'
import { type LayeredRule, RULE_LAYERS, type RuleDecision } from '../../protocol/rule.ts'
import type { Objection } from '../../protocol/verdict.ts'
import type { ToolInput } from '../gate-input.ts'
import { BUILT_IN_RULES } from './built-in.ts'
import { isExact, matches } from './match.ts'

export interface Ruling {
  decide: RuleDecision
  rule: LayeredRule
  /** An allow that names exactly this command or target: it also holds for calls that always need approval. */
  isExact: boolean
}

const STRICTEST_FIRST: readonly RuleDecision[] = ['deny', 'ask', 'allow']

/** Undefined: no rule decides, or rules allow only some of the commands. */
export function rulingOn(input: ToolInput): Ruling | undefined {
  const { facts, policy, state } = input
  const rules = [...(state.rules ?? []), ...policy.security.rules, ...builtInRules(policy)]
  const uses: (CommandUse | undefined)[] = facts.command?.uses ?? [undefined]
  const rulings = uses.map((use) => rulingOnUse(input, rules, use))
  for (const decide of STRICTEST_FIRST) {
    const found = rulings.find((ruling) => ruling?.decide === decide)
    if (found === undefined) continue
    if (decide !== 'allow') return found
    // One command without a rule leaves the call without one.
    if (rulings.every((ruling) => ruling !== undefined))
      return { ...found, isExact: rulings.every((ruling) => ruling?.isExact === true) }
  }
  return undefined
}

/** A node that lists its methods has said what it sends. */
function builtInRules({ security }: Policy): readonly LayeredRule[] {
  return security.allowedMethods === undefined
    ? BUILT_IN_RULES
    : BUILT_IN_RULES.filter(({ tool }) => tool !== 'http_request')
}

function rulingOnUse(input: ToolInput, rules: readonly LayeredRule[], use: CommandUse | undefined): Ruling | undefined {
  const matching = rules.filter((rule) => matches(rule, input, use))
  const denies = matching.find((rule) => rule.decide === 'deny')
  if (denies !== undefined) return { decide: 'deny', rule: denies, isExact: false }
  const layer = RULE_LAYERS.find((name) => matching.some((rule) => rule.layer === name))
  const within = matching.filter((rule) => rule.layer === layer)
  const asks = within.find((rule) => rule.decide === 'ask')
  if (asks !== undefined) return { decide: 'ask', rule: asks, isExact: false }
  const allows = within.find((rule) => isExact(rule, use)) ?? within[0]
  return allows && { decide: 'allow', rule: allows, isExact: isExact(allows, use) }
}

/** An allow lifts the automatic risk and the command list; for High risk only if it is exact. Nothing else. */
export function isLifted(objection: Objection, ruling: Ruling | undefined, { facts }: ToolInput): boolean {
  if (ruling?.decide !== 'allow') return false
  switch (objection.reason) {
    case 'RiskExceedsConfig':
    case 'RiskExceedsCapability':
      return facts.risk !== 'High' || ruling.isExact
    case 'PRE_VALIDATE_REJECTED':
      return objection.code === 'COMMAND_FORBIDDEN' && facts.command?.unparsed === undefined
    default:
      return false
  }
}

export function ruleObjections(ruling: Ruling | undefined, { state }: ToolInput): Objection[] {
  if (ruling === undefined || ruling.decide === 'allow') return []
  const { rule, decide } = ruling
  const texts = gateTexts(state.lang)
  const isDeny = decide === 'deny'
  return [
    {
      stage: 'content',
      reason: isDeny ? 'RULE_DENIED' : 'RULE_ASKED',
      rule: decide,
      effect: 'recover',
      message: isDeny ? texts.ruleDenied(rule) : texts.ruleAsked(rule),
      ...present({ hint: isDeny ? texts.ruleHint(rule) : undefined }),
    },
  ]
}
