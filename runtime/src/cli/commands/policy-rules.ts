/** `policy rules`: all rules in force, the highest layer first. */
import { policyInForce } from '../../agent/policy-in-force.ts'
import { createAgent } from '../../assembly/agent.ts'
import { BUILT_IN_RULES, reasonOf } from '../../gate/rules/built-in.ts'
import { scriptedModel } from '../../model/scripted.ts'
import type { Policy } from '../../protocol/policy.ts'
import { type LayeredRule, RULE_LAYERS } from '../../protocol/rule.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { policyTexts } from '../policy-texts.ts'
import { conditionText } from '../rule-text.ts'
import { textTable } from '../table.ts'
import { workspaceFlags } from '../workspace-flags.ts'

export async function policyRules(given: Given, io: Io): Promise<number> {
  const agent = await createAgent({
    ...workspaceFlags(given, io),
    data: ':memory:',
    model: scriptedModel([]),
    judging: true,
  })
  try {
    const rules = rulesInForce(await policyInForce(agent.engine))
    io.stdout(given.switches.has('json') ? `${JSON.stringify(rules)}\n` : `${table(rules, io)}\n`)
    return 0
  } finally {
    await agent.close()
  }
}

function rulesInForce({ security }: Policy): LayeredRule[] {
  const all = [...security.rules, ...BUILT_IN_RULES]
  return RULE_LAYERS.flatMap((layer) => all.filter((rule) => rule.layer === layer))
}

function table(rules: readonly LayeredRule[], io: Io): string {
  const { decide, layer, rule, place, reason } = policyTexts(io.lang).columns
  const rows = rules.map((each) => [
    each.decide,
    each.layer,
    conditionText(each),
    oneLine(each.from),
    oneLine(reasonOf(each, io.lang) ?? ''),
  ])
  return textTable([[decide, layer, rule, place, reason], ...rows])
}
