/** The money budget of an agent, as its configuration sets it. */
import type { Budget } from '../agent/budget.ts'
import type { Clock } from '../base/clock.ts'
import type { AgentConfig } from '../config/schema.ts'
import { countEarlier } from '../journal/earlier-spending.ts'
import { PRICES } from '../journal/prices.ts'
import type { Store } from '../journal/store.ts'
import type { Spending } from '../ports/spending.ts'
import { hasLimits, utcDay } from '../protocol/budget.ts'
import type { Principal } from '../protocol/principal.ts'

/** How soon a process with a budget notices what one without a budget has spent. */
const RECOUNT_MS = 60_000

export function openBudget(
  { budget: limits, prices: own }: Pick<AgentConfig, 'budget' | 'prices'>,
  { spending, store, clock }: { spending: Spending; store: Store; clock: Clock },
): Budget | undefined {
  if (!hasLimits(limits)) return undefined
  const prices = { ...PRICES, ...own }
  const deps = { spending, store, prices }
  const isTotalLimited = Object.values(limits.principal).some((limit) => limit !== undefined)
  const counted = new Map<Principal, { at: number; done: Promise<void> }>()
  return {
    ...deps,
    limits,
    approved: new Map(),
    warned: new Map(),
    countEarlier(owner) {
      const now = clock.now()
      const last = counted.get(owner)
      if (last !== undefined && now - last.at < RECOUNT_MS) return last.done
      const since = isTotalLimited ? 0 : Date.parse(utcDay(now))
      const done = countEarlier(deps, owner, since)
      counted.set(owner, { at: now, done })
      // A failed count is tried again: without it the budget would be too large.
      done.catch(() => counted.delete(owner))
      return done
    },
  }
}
