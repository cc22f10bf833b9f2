/** What one scout may use: the configuration's numbers, those of a smaller profile, or what the request narrows them to. */
import { PROFILES } from '../agent/profile.ts'
import type { AgentConfig } from '../config/schema.ts'
import type { Profile } from '../protocol/profile.ts'
import { BUDGET_PROFILES, type BudgetProfile } from '../protocol/scout.ts'
import type { Constraints, ExploreRequest } from './contracts.ts'

export type ScoutConfig = AgentConfig['scout']

/** The wish, or the largest that is allowed. */
export function boundedProfile(wish: BudgetProfile, largest: BudgetProfile): BudgetProfile {
  return BUDGET_PROFILES.indexOf(wish) > BUDGET_PROFILES.indexOf(largest) ? largest : wish
}

export function constraintsFor(
  config: ScoutConfig,
  { profile, constraints }: Pick<ExploreRequest, 'profile' | 'constraints'>,
): Constraints {
  const base = presetOf(config, boundedProfile(profile, config.maxProfile))
  const least = (key: keyof Constraints) => Math.min(base[key], constraints[key] ?? base[key])
  return {
    maxSteps: least('maxSteps'),
    maxToolCalls: least('maxToolCalls'),
    timeoutMs: least('timeoutMs'),
    // A budget of 0 is none, so any wish is less.
    tokenBudget: base.tokenBudget === 0 ? (constraints.tokenBudget ?? 0) : least('tokenBudget'),
  }
}

function presetOf(config: ScoutConfig, profile: BudgetProfile): Constraints {
  if (profile !== 'normal') return config.profiles[profile]
  const { maxSteps, maxToolCalls, defaultTimeoutMs, tokenBudget } = config
  return { maxSteps, maxToolCalls, timeoutMs: defaultTimeoutMs, tokenBudget }
}

export function scoutProfile(
  config: ScoutConfig,
  { constraints, allowedTools }: { constraints: Constraints; allowedTools: readonly string[] },
): Profile {
  const { maxSteps, maxToolCalls, timeoutMs, tokenBudget } = constraints
  const { requireReadBeforeReport, forceReportOnToolLimit } = config
  return {
    ...PROFILES.scout,
    limits: { maxSteps, maxToolCalls, runMs: timeoutMs, tokens: { budget: tokenBudget, mode: 'hard' } },
    exposure: { only: [...allowedTools], hidden: [] },
    atToolLimit: forceReportOnToolLimit ? 'report' : 'none',
    reportNeedsRead: requireReadBeforeReport,
  }
}
