import type { Policy } from '../protocol/policy.ts'
import type { RunContext } from './context.ts'

/** The policy with the rules people remembered, as they are now. */
export async function policyInForce({
  policy,
  remembered,
}: Pick<RunContext, 'policy' | 'remembered'>): Promise<Policy> {
  const rules = (await remembered?.current()) ?? []
  if (rules.length === 0) return policy
  return { ...policy, security: { ...policy.security, rules: [...policy.security.rules, ...rules] } }
}
