/**
 * What a file of an untrusted workspace may do: tighten settings. Keys that are not in the table below are ignored, so
 * that a new setting is closed by default.
 */
import { isAbsolute, normalize, relative } from 'node:path'
import { canonical, isObject } from '../base/json.ts'
import { BUDGET_LEVELS, BUDGET_SCOPES } from '../protocol/budget.ts'
import { TASK_INTENTS, type ToolFamily } from '../protocol/intent.ts'
import { AUTONOMY_LEVELS, type IntentPolicy } from '../protocol/policy.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'
import { FORBIDDING, type Raw, RULES, SCHEMA_KEYS, valueAt, withValue } from './keys.ts'
import { tightening, writtenRules } from './rules.ts'
import type { AgentConfig } from './schema.ts'
import { LOOKING_COMMANDS } from './security.ts'

export interface Narrowing {
  raw: Raw
  /** Keys without effect, and keys of which only the tightening part has an effect. */
  ignored: string[]
  partly: string[]
}

/** The stricter of the current and the requested value. Both are valid. */
type Rule = (held: never, wished: never) => unknown

const lower: Rule = (held: number | undefined, wished: number) => Math.min(held ?? Number.POSITIVE_INFINITY, wished)
const higher: Rule = (held: number, wished: number) => Math.max(held, wished)
const lowerBudget: Rule = (held: number, wished: number) =>
  held === 0 || wished === 0 ? held || wished : Math.min(held, wished)
const onlyOn: Rule = (held: boolean, wished: boolean) => held || wished
const onlyOff: Rule = (held: boolean, wished: boolean) => held && wished
const more: Rule = (held: string[], wished: string[]) => [...new Set([...held, ...wished])]
const fewer: Rule = (held: string[], wished: string[]) => common(wished, held)
const fewerCommands: Rule = (held: string[] | undefined, wished: string[]) =>
  held?.includes('*') ? wished : wished.includes('*') ? held : common(wished, held ?? LOOKING_COMMANDS)
const insideRoots: Rule = (held: string[], wished: string[]) =>
  wished.filter((root) => held.some((outer) => isInside(outer, root)))
/** Ordered values, strictest first. */
const stricter =
  (scale: readonly string[]): Rule =>
  (held: string, wished: string) =>
    scale.indexOf(wished) < scale.indexOf(held) ? wished : held

const GUARD = 'agent.execution.intentGuard'

/** Every workspace file can only tighten these, a trusted one too. */
export const BUDGET_KEYS: readonly string[] = BUDGET_SCOPES.flatMap((scope) =>
  BUDGET_LEVELS.map((level) => `agent.budget.${scope}.${level}`),
)

const NARROWING: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(BUDGET_KEYS.map((key) => [key, lower])),
  'agent.maxOutputTokens': lower,
  'agent.sessionTokenBudget': lowerBudget,
  'agent.security.autonomy': stricter(AUTONOMY_LEVELS),
  'agent.security.allowedCommands': fewerCommands,
  'agent.security.blockedPaths': more,
  'agent.security.unblockedPaths': fewer,
  'agent.security.allowedHosts': fewer,
  'agent.security.injectionCheck': onlyOn,
  'agent.security.provenance': stricter(['deny', 'ask', 'off']),
  'agent.security.trustedSources': fewer,
  'agent.security.reviewerTimeoutMs': lower,
  'agent.security.readablePaths': fewer,
  'agent.security.sandbox': stricter(['required', 'auto', 'off']),
  [`${GUARD}.enabled`]: onlyOn,
  [`${GUARD}.softBlockAfter`]: lower,
  [`${GUARD}.blockBudget`]: lower,
  'agent.scout.enabled': onlyOff,
  'agent.scout.defaultTimeoutMs': lower,
  'agent.scout.maxSteps': lower,
  'agent.scout.maxToolCalls': lower,
  'agent.scout.cooldownTurns': higher,
  'agent.scout.allowedTools': fewer,
  'agent.scout.maxConcurrentScouts': lower,
  'agent.scout.requireReadBeforeReport': onlyOn,
  'agent.scout.forceReportOnToolLimit': onlyOn,
  'agent.scout.tokenBudget': lowerBudget,
  'agent.scout.maxQueue': lower,
  'agent.scout.clip.summary': lower,
  'agent.scout.clip.evidence': lower,
  'agent.scout.clip.quote': lower,
  'agent.scout.clip.note': lower,
  'agent.scout.profiles.light.maxSteps': lower,
  'agent.scout.profiles.light.maxToolCalls': lower,
  'agent.scout.profiles.light.timeoutMs': lower,
  'agent.scout.profiles.light.tokenBudget': lowerBudget,
  'agent.scout.profiles.deep.maxSteps': lower,
  'agent.scout.profiles.deep.maxToolCalls': lower,
  'agent.scout.profiles.deep.timeoutMs': lower,
  'agent.scout.profiles.deep.tokenBudget': lowerBudget,
  'agent.scout.maxProfile': stricter(['light', 'normal', 'deep']),
  'agent.decision.maxAutoRisk': stricter(RISK_LEVELS),
  'agent.decision.minConfidence': higher,
  'agent.decision.blockedActions': more,
  'agent.decision.maxActionsPerBatch': lower,
  'agent.decision.cloudFields': fewer,
  'agent.decision.timeoutMs': lower,
  'agent.docs.roots': insideRoots,
  'agent.context.window': lower,
  'agent.context.ttlMs': lower,
  'agent.feishu.allowedHosts': fewer,
  'agent.memory.enabled': onlyOff,
  'agent.memory.turns': onlyOff,
  'agent.limits.maxSteps': lower,
  'agent.limits.historyMessages': lower,
  'agent.limits.runMs': lower,
  'agent.limits.callMs': lower,
  'agent.limits.observationMaxLen': lower,
  'agent.limits.contextTokens': lower,
  'agent.limits.modelIdleMs': lower,
  'agent.limits.modelTotalMs': lower,
  'agent.limits.modelAttempts': lower,
  'agent.tools.disabled': more,
  'agent.undo.enabled': onlyOn,
  'agent.workflow.env': fewer,
}

export function narrow(held: AgentConfig, wished: Raw): Narrowing {
  const narrowing: Narrowing = { raw: {}, ignored: [], partly: [] }
  for (const { path } of SCHEMA_KEYS) {
    const written = valueAt(wished, path)
    if (written === undefined || path.startsWith(`${GUARD}.intents.`) || path === RULES) continue
    const rule = NARROWING[path]
    const holds = valueAt({ agent: held }, path)
    // The entries of such a list are added, so an omitted entry requests nothing.
    const wish = FORBIDDING.includes(path) ? more(holds as never, written as never) : written
    settle(narrowing, { path, holds, wish, result: rule === undefined ? holds : rule(holds as never, wish as never) })
  }
  narrowIntents(narrowing, held, wished)
  narrowRules(narrowing, wished)
  return narrowing
}

interface Settlement {
  path: string
  holds: unknown
  wish: unknown
  result: unknown
}

function settle(narrowing: Narrowing, { path, holds, wish, result }: Settlement): void {
  if (!same(result, holds)) narrowing.raw = withValue(narrowing.raw, path, result)
  if (same(result, wish)) return
  if (same(result, holds)) narrowing.ignored.push(path)
  else narrowing.partly.push(path)
}

/** Rules add up, so only those that ask or deny are kept. */
function narrowRules(narrowing: Narrowing, wished: Raw): void {
  const written = writtenRules(wished)
  const kept = writtenRules(tightening(wished))
  if (kept.length > 0) narrowing.raw = withValue(narrowing.raw, RULES, kept)
  if (kept.length < written.length) (kept.length === 0 ? narrowing.ignored : narrowing.partly).push(RULES)
}

/** A policy that is not enforced allows everything, so any policy is stricter. */
function narrowIntents(narrowing: Narrowing, held: AgentConfig, wished: Raw): void {
  const guard = held.execution.intentGuard
  for (const label of TASK_INTENTS) {
    const wish = valueAt(wished, `${GUARD}.intents.${label}`)
    if (!isObject(wish)) continue
    const holds = guard.intents[label]
    const result = narrowPolicy(holds, wish, guard.enabled && holds.enabled)
    for (const [key, value] of Object.entries(wish)) {
      const path = `${GUARD}.intents.${label}.${key}`
      settle(narrowing, { path, holds: valueAt(holds, key), wish: value, result: valueAt(result, key) })
    }
  }
}

function narrowPolicy(holds: IntentPolicy, wish: Partial<IntentPolicy>, enforced: boolean): IntentPolicy {
  const enabled = holds.enabled || wish.enabled === true
  const wanted: IntentPolicy = { ...holds, ...wish, enabled }
  if (!enforced) return wanted
  const key = holds.requiredSuccessFamilies.length > 0 ? holds.requiredSuccessFamilies : holds.allowedFamilies
  const required = common(wanted.requiredSuccessFamilies, key)
  return {
    enabled,
    allowedFamilies: common(wanted.allowedFamilies, holds.allowedFamilies),
    softAllowedFamilies: common(wanted.softAllowedFamilies, [...holds.allowedFamilies, ...holds.softAllowedFamilies]),
    softBlockAfter: Math.min(wanted.softBlockAfter, holds.softBlockAfter),
    noFallback: holds.noFallback || wanted.noFallback,
    failTaskIfUnmet: holds.failTaskIfUnmet || wanted.failTaskIfUnmet,
    // One success of any of these is enough, so fewer is stricter, but an empty list would require nothing.
    requiredSuccessFamilies: required.length > 0 ? required : holds.requiredSuccessFamilies,
  }
}

function common<T extends string | ToolFamily>(wished: readonly T[], held: readonly T[]): T[] {
  return wished.filter((item) => held.includes(item))
}

function isInside(outer: string, inner: string): boolean {
  if (isAbsolute(outer) !== isAbsolute(inner)) return false
  const way = relative(normalize(outer), normalize(inner))
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}
