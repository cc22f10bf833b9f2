/** Tries a draft of rules: nothing is stored, and no call is run. */
import { homedir } from 'node:os'
import { callOf, type PlainCall } from '../assembly/policy.ts'
import { present } from '../base/present.ts'
import type { Raw } from '../config/keys.ts'
import { schemaProblems } from '../config/problems.ts'
import { type PlacedRule, placedRules } from '../config/rules.ts'
import { configFile } from '../config/schema.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Rule, RuleExample } from '../protocol/rule.ts'
import type { Judgement } from '../protocol/verdict.ts'
import type { PlacedRuleView, RulesTested, TestedVerdict } from './contract/rules.ts'
import type { CurrentAgent } from './current-agent.ts'

const DRAFT = 'draft'

type Current = Pick<CurrentAgent, 'agent' | 'file'>

export function rulesInForce({ agent, file }: Current): PlacedRuleView[] {
  return agent.policy.rules.map((placed) => {
    const { layer, from, ...rule } = placed.rule
    return { rule, decide: rule.decide, layer, from, own: isOwn(placed, file) }
  })
}

/** What the server stores is the only part of the configuration that a request can replace. */
function isOwn({ origin }: PlacedRule, file: string): boolean {
  return origin === file
}

export async function testRules(
  { agent, file }: Current,
  { rules, calls }: { rules: readonly unknown[]; calls: readonly RuleExample[] },
  lang: Lang,
): Promise<RulesTested> {
  const raw: Raw = { agent: { security: { rules: [...rules] } } }
  const parsed = configFile.safeParse(raw)
  if (!parsed.success) {
    const found = schemaProblems({ origin: DRAFT, raw }, parsed.error.issues)
    const problems = found.map(({ path, message }) => ({ path, message: message[lang] }))
    return { problems, examples: [], calls: [], notes: [] }
  }
  const draft = (rules as readonly Rule[]).map(placeDraft)
  const { policy } = agent
  const others = policy.rules.filter((placed) => !isOwn(placed, file))
  const tried = policy.withRules([...draft, ...others])
  const froms = draft.map(({ rule }) => rule.from)
  const examples = (await tried.examples()).flatMap(({ rule, example, expected, outcome, instead, unclear }) => {
    const at = froms.indexOf(rule.from)
    return at < 0 ? [] : [{ rule: at, example, expected, outcome, ...present({ instead: instead?.from, unclear }) }]
  })
  const judged = await Promise.all(
    calls.map(async (call) => {
      const plain: PlainCall = callOf(call)
      const [now, then] = await Promise.all([policy.judge(plain), tried.judge(plain)])
      return { call, now: verdictOf(now.judgement), draft: verdictOf(then.judgement) }
    }),
  )
  return { problems: [], examples, calls: judged, notes: await tried.notes() }
}

/** Where it could be stored: an allow only in the user's file, the others by the server too. */
function placeDraft(rule: Rule, i: number): PlacedRule {
  const raw: Raw = { agent: { security: { rules: [rule] } } }
  const as = rule.decide === 'allow' ? 'user' : 'session'
  const [placed] = placedRules({ origin: DRAFT, raw }, { as, home: homedir() })
  if (placed === undefined) throw new Error('a rule was not placed')
  return { ...placed, rule: { ...placed.rule, from: `${DRAFT} ${i + 1}` } }
}

function verdictOf(judgement: Judgement): TestedVerdict {
  const { decision, rule } = judgement
  const reason = decision === 'allow' ? undefined : judgement.denial.reason
  return {
    decision,
    ...present({ reason, rule: rule && { decide: rule.decide, layer: rule.layer, from: rule.from } }),
  }
}
