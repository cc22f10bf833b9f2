/** Money budgets: limits in US dollars, and what has been spent against them. */
export const BUDGET_SCOPES = ['run', 'principal', 'day'] as const
/** What a money budget counts: one run, a principal, or a day. */
export type BudgetScope = (typeof BUDGET_SCOPES)[number]

export const BUDGET_LEVELS = ['stop', 'ask', 'warn'] as const
export type BudgetLevel = (typeof BUDGET_LEVELS)[number]

export type BudgetLimits = { readonly [scope in BudgetScope]: { readonly [level in BudgetLevel]?: number | undefined } }

/** `run`: with its child runs. `principal`: all of the owner's runs. `day`: the owner's runs on this UTC day. */
export type Spent = Record<BudgetScope, number>

export interface PassedLimit {
  scope: BudgetScope
  level: BudgetLevel
  limit: number
  spent: number
}

/** Sums of floating-point amounts differ in their last digits. */
const ROUNDING = 1e-9

/** The limits that a call of this price would pass, strongest first. */
export function passedLimits(limits: BudgetLimits, spent: Spent, usd: number): PassedLimit[] {
  return BUDGET_LEVELS.flatMap((level) =>
    BUDGET_SCOPES.flatMap((scope) => {
      const limit = limits[scope][level]
      const isPassed = limit !== undefined && spent[scope] + usd > limit + ROUNDING
      return isPassed ? [{ scope, level, limit, spent: spent[scope] }] : []
    }),
  )
}

export function hasLimits(limits: BudgetLimits): boolean {
  return BUDGET_SCOPES.some((scope) => BUDGET_LEVELS.some((level) => limits[scope][level] !== undefined))
}

/** The name of a UTC day: 2026-11-18. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
