/** S0 §6.1 and §6.4: can the task's intent be served at all, and was it served in the end? Pure. */
import { type Lang, messages } from '../i18n/locale.ts'
import type { TaskIntentLabel, ToolFamily } from '../protocol/intent.ts'
import type { IntentGuardPolicy } from '../protocol/policy.ts'

export type GuardResult = { ok: true } | { ok: false; message: string }

export interface GuardedTask {
  label: TaskIntentLabel
  policy: IntentGuardPolicy
  lang: Lang
}

/** Fails when none of the key families has a tool: the required ones, or the allowed ones if none is required. */
export function preflight({ label, policy, lang }: GuardedTask, available: Iterable<ToolFamily>): GuardResult {
  const rules = policy.intents[label]
  if (!policy.enabled || !rules.enabled || !rules.noFallback) return { ok: true }
  const families = rules.requiredSuccessFamilies.length > 0 ? rules.requiredSuccessFamilies : rules.allowedFamilies
  const present = new Set(available)
  // A policy without families requires none.
  if (families.length === 0 || families.some((family) => present.has(family))) return { ok: true }
  return { ok: false, message: messages(lang).intent.preflightFailed({ intent: label, families }) }
}

/** The successful calls that the task's intent requires (S0-88). */
export function hitsFor(
  { label, policy }: Pick<GuardedTask, 'label' | 'policy'>,
  succeeded: Readonly<Partial<Record<ToolFamily, number>>>,
): Partial<Record<ToolFamily, number>> {
  const required = policy.intents[label].requiredSuccessFamilies
  return Object.fromEntries(required.flatMap((family) => (succeeded[family] ? [[family, succeeded[family]]] : [])))
}

/** For a final answer only (S0-96): every other stop keeps its own reason. */
export function completion(
  { label, policy, lang }: GuardedTask,
  hits: Readonly<Partial<Record<ToolFamily, number>>>,
): GuardResult {
  const rules = policy.intents[label]
  const families = rules.requiredSuccessFamilies
  if (!policy.enabled || !rules.enabled || !rules.failTaskIfUnmet || families.length === 0) return { ok: true }
  if (families.some((family) => (hits[family] ?? 0) > 0)) return { ok: true }
  return { ok: false, message: messages(lang).intent.completionFailed({ intent: label, families }) }
}
