/** What a run is held to beyond the configuration. It can only take away. */
import { sharedDomains } from '../gate/domain.ts'
import type { Policy, PolicyNarrowing } from '../protocol/policy.ts'

export function narrowedTo(policy: Policy, own: PolicyNarrowing | undefined): Policy {
  if (own === undefined) return policy
  const { security } = policy
  const allowedDomains = both(security.allowedDomains, own.allowedDomains, sharedDomains)
  const allowedMethods = both(security.allowedMethods, own.allowedMethods, (one, other) =>
    one.filter((method) => other.includes(method)),
  )
  const rateLimit = both(policy.rateLimit, own.rateLimit, (one, other) => ({
    perSecond: Math.min(one.perSecond, other.perSecond),
    burst: Math.min(one.burst, other.burst),
  }))
  return {
    ...policy,
    security: {
      ...security,
      ...(allowedDomains === undefined ? {} : { allowedDomains }),
      ...(allowedMethods === undefined ? {} : { allowedMethods }),
    },
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
}

/** The same as a record: no configuration sets these, so what is there came from a narrowing. */
export function narrowingOf({ security, rateLimit }: Policy): PolicyNarrowing | undefined {
  const { allowedDomains, allowedMethods } = security
  if (allowedDomains === undefined && allowedMethods === undefined && rateLimit === undefined) return undefined
  return {
    ...(allowedDomains === undefined ? {} : { allowedDomains }),
    ...(allowedMethods === undefined ? {} : { allowedMethods }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
}

function both<T>(one: T | undefined, other: T | undefined, shared: (one: T, other: T) => T): T | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return shared(one, other)
}
