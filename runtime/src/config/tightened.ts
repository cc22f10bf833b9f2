/** While it is unclear who changed the settings: the stricter of those before and those now. */
import { canonical } from '../base/json.ts'
import type { Policy } from '../protocol/policy.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import { merge, type Raw } from './keys.ts'
import { narrow } from './narrow.ts'
import { toPolicy } from './policy.ts'
import type { AgentConfig } from './schema.ts'

interface InForce {
  config: AgentConfig
  policy: Policy
}

export function tightenedPolicy(held: InForce, now: InForce): Policy {
  const { raw } = narrow(held.config, { agent: now.config })
  const { agent } = merge({ agent: held.config } as Raw, raw) as { agent: AgentConfig }
  return toPolicy(agent, tightenedRules(held.policy.security.rules, now.policy.security.rules))
}

/** Every ask and deny of both, and the allows that both have. */
function tightenedRules(held: readonly LayeredRule[], now: readonly LayeredRule[]): LayeredRule[] {
  const [known, still] = [new Set(held.map(identity)), new Set(now.map(identity))]
  return [
    ...held.filter((rule) => rule.decide !== 'allow' || still.has(identity(rule))),
    ...now.filter((rule) => rule.decide !== 'allow' && !known.has(identity(rule))),
  ]
}

/** The same rule on another line is the same rule. */
function identity(rule: LayeredRule): string {
  return canonical({ ...rule, from: '' })
}
