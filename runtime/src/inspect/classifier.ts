/** A text-classification model that reads results beside the rules, and what the two say together. Pure. */
import type { ModelUse } from '../protocol/policy.ts'
import { type Inspection, inspect } from './inspect.ts'
import type { Verdict } from './score.ts'

/** Why a text was not classified, or not all of it. */
export type ClassifierFailure = 'late' | 'crashed' | 'too-long'

/** What the model said: `score` is the probability of its labels for injection, `at` where that part of the text begins. */
export type Classified = { found: false } | { found: true; at: number; score: number } | { failed: ClassifierFailure }

export interface Classifier {
  use: ModelUse
  /** Never rejects: a failure is an answer too. */
  classify(text: string): Promise<Classified>
}

/** Inspects with the rules, and with the model where there is one. */
export type Inspect = (text: string, options: { tool?: string }) => Promise<Inspection>

export async function inspectByRules(text: string, options: { tool?: string }): Promise<Inspection> {
  return inspect(text, options)
}

/** A finding of the model has the rule `model`; of a failure `model-late`, `model-crashed` or `model-too-long`. */
const MODEL_RULE = 'model'
const SEVERITIES: readonly Verdict[] = ['pass', 'warn', 'review', 'block']

/** Only failures: nothing was found, but not all was read. */
export function isUnclassified({ findings }: Pick<Inspection, 'findings'>): boolean {
  return findings.length > 0 && findings.every(({ rule }) => rule.startsWith(`${MODEL_RULE}-`))
}

export function combine(rules: Inspection, model: Classified, use: ModelUse): Inspection {
  const verdict = verdictOf(rules.verdict, model, use)
  if ('failed' in model) return withFinding(rules, verdict, { rule: `${MODEL_RULE}-${model.failed}`, at: 0, weight: 0 })
  if (!model.found) return { ...rules, verdict }
  return withFinding(rules, verdict, { rule: MODEL_RULE, at: model.at, weight: Math.round(model.score * 100) })
}

function verdictOf(rules: Verdict, model: Classified, use: ModelUse): Verdict {
  const isFailed = 'failed' in model
  const alarm = isFailed || model.found
  switch (use) {
    case 'review':
      return alarm ? stricter(rules, 'review') : rules
    case 'either':
      return alarm ? 'block' : rules
    case 'both':
      // A model that failed cannot clear what the rules block, nor confirm what they only suspect.
      if (isFailed) return stricter(rules, 'review')
      if (!model.found) return rules === 'block' ? 'review' : rules
      return rules === 'block' || rules === 'review' ? 'block' : 'review'
  }
}

function stricter(one: Verdict, other: Verdict): Verdict {
  return SEVERITIES.indexOf(one) >= SEVERITIES.indexOf(other) ? one : other
}

function withFinding({ findings }: Inspection, verdict: Verdict, finding: Inspection['findings'][number]): Inspection {
  return { verdict, findings: [...findings, finding].sort((a, b) => a.at - b.at) }
}
