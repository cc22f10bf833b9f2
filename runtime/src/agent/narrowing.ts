/** Restrictions of one run beyond the configuration. They can only tighten it. */
import { present } from '../base/present.ts'
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
    security: { ...security, ...present({ allowedDomains, allowedMethods }) },
    ...present({ rateLimit }),
  }
}

/** For `run.started`: no configuration sets these fields, so their values came from a narrowing. */
export function narrowingOf({ security, rateLimit }: Policy): PolicyNarrowing | undefined {
  const { allowedDomains, allowedMethods } = security
  const narrowing = present({ allowedDomains, allowedMethods, rateLimit })
  return Object.keys(narrowing).length === 0 ? undefined : narrowing
}

function both<T>(one: T | undefined, other: T | undefined, shared: (one: T, other: T) => T): T | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return shared(one, other)
}
