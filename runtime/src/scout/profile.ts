/** The limits of one scout: from the configuration or a smaller profile, lowered by the request. */
import { PROFILES } from '../agent/profile.ts'
import type { AgentConfig } from '../config/schema.ts'
import type { Profile } from '../protocol/profile.ts'
import { BUDGET_PROFILES, type BudgetProfile } from '../protocol/scout.ts'
import type { Constraints, ExploreRequest } from './contracts.ts'

export type ScoutConfig = AgentConfig['scout']

/** The requested profile, or the largest allowed one. */
export function boundedProfile(requested: BudgetProfile, largest: BudgetProfile): BudgetProfile {
  return BUDGET_PROFILES.indexOf(requested) > BUDGET_PROFILES.indexOf(largest) ? largest : requested
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
    // A budget of 0 means unlimited, so any requested budget is lower.
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
