import type { Policy } from '../protocol/policy.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import type { RunContext } from './context.ts'

/** The last result per policy: the rules of a policy are compiled once per array. */
const MERGED = new WeakMap<Policy, { rules: readonly LayeredRule[]; policy: Policy }>()

/** The policy with the rules people remembered, as they are now. */
export async function policyInForce({
  policy,
  remembered,
}: Pick<RunContext, 'policy' | 'remembered'>): Promise<Policy> {
  const rules = (await remembered?.current()) ?? []
  if (rules.length === 0) return policy
  const known = MERGED.get(policy)
  if (known?.rules === rules) return known.policy
  const merged = { ...policy, security: { ...policy.security, rules: [...policy.security.rules, ...rules] } }
  MERGED.set(policy, { rules, policy: merged })
  return merged
}
