/**
 * What the rules say about a call. A matching deny wins; otherwise the highest layer that matches decides, the
 * strictest within it. In a shell line every command is ruled on by itself, and the strictest ruling counts.
 */
import { present } from '../../base/present.ts'
import { gateTexts } from '../../i18n/gate.ts'
import { ALWAYS_ASKED, type CommandUse } from '../../protocol/command.ts'
import type { SecurityPolicy } from '../../protocol/policy.ts'
import { type LayeredRule, RULE_LAYERS, type RuleDecision } from '../../protocol/rule.ts'
import type { Objection } from '../../protocol/verdict.ts'
import type { ToolInput } from '../gate-input.ts'
import { BUILT_IN_RULES, reasonOf } from './built-in.ts'
import { type RuledCall, ruledCall } from './call.ts'
import { type CompiledRule, compileRule } from './match.ts'
import { rulesFor } from './rule-index.ts'

export interface Ruling {
  decide: RuleDecision
  rule: LayeredRule
  /** An allow that names exactly this command or target: it also holds for calls that always need approval. */
  isExact: boolean
}

type Use = CommandUse | undefined

const STRICTEST_FIRST: readonly RuleDecision[] = ['deny', 'ask', 'allow']

/** Undefined: no rule decides, or rules allow only some of the commands. */
export function rulingOn(input: ToolInput): Ruling | undefined {
  const call = ruledCall(input)
  const { security } = input.policy
  const lists = [input.state.rules ?? [], security.rules, builtInRules(security)]
  const rulings = usesOf(call).map((use) => rulingOnUse(call, lists, use))
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

/** A workflow node that lists its methods has said what it sends. The same array each time: its index is cached. */
const WITH_METHODS = BUILT_IN_RULES.filter(({ tool }) => tool !== 'http_request')

function builtInRules({ allowedMethods }: SecurityPolicy): readonly LayeredRule[] {
  return allowedMethods === undefined ? BUILT_IN_RULES : WITH_METHODS
}

/** True when the rule applies to the call: an allow to every command of it, an ask or a deny to one. */
export function applies(rule: LayeredRule, input: ToolInput): boolean {
  const { matches } = compileRule(rule)
  const call = ruledCall(input)
  const isMatch = (use: Use) => matches(call, use)
  return rule.decide === 'allow' ? usesOf(call).every(isMatch) : usesOf(call).some(isMatch)
}

function usesOf({ facts }: RuledCall): Use[] {
  const uses = facts.command?.uses ?? []
  return uses.length === 0 ? [undefined] : uses
}

function rulingOnUse(call: RuledCall, lists: readonly (readonly LayeredRule[])[], use: Use): Ruling | undefined {
  const exact = ({ isExact }: CompiledRule) => isExact(call, use)
  const isAsked = use !== undefined && ALWAYS_ASKED.includes(use.class)
  const matching = lists
    .flatMap((rules) => rulesFor(rules, call, use))
    .filter((found) => found.rule.decide !== 'allow' || !isAsked || exact(found))
  if (matching.length === 0) return undefined
  const ruled = ({ rule }: CompiledRule) => ({ decide: rule.decide, rule, isExact: false })
  const denies = matching.find(({ rule }) => rule.decide === 'deny')
  if (denies !== undefined) return ruled(denies)
  const layer = RULE_LAYERS.find((name) => matching.some(({ rule }) => rule.layer === name))
  const within = matching.filter(({ rule }) => rule.layer === layer)
  const asks = within.find(({ rule }) => rule.decide === 'ask')
  if (asks !== undefined) return ruled(asks)
  const allows = within.find(exact) ?? within[0]
  return allows && { ...ruled(allows), isExact: exact(allows) }
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
  const { decide } = ruling
  const rule = { from: ruling.rule.from, ...present({ reason: reasonOf(ruling.rule, state.lang) }) }
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
