import { describe, expect, test } from 'vitest'
import type { ModelUse } from '../protocol/policy.ts'
import { type Classified, combine, isUnclassified } from './classifier.ts'
import type { Verdict } from './score.ts'

const clean: Classified = { found: false }
const alarm: Classified = { found: true, at: 7, score: 0.981 }
const failed: Classified = { failed: 'late' }
const RULES: Verdict[] = ['pass', 'warn', 'review', 'block']
const rulesSay = (verdict: Verdict) => ({
  verdict,
  findings: verdict === 'pass' ? [] : [{ rule: 'override', at: 3, weight: 88 }],
})

describe('X-CLASSIFIER-1: what the rules and the model say together', () => {
  test.each<[ModelUse, Classified, Verdict[]]>([
    ['review', clean, ['pass', 'warn', 'review', 'block']],
    ['review', alarm, ['review', 'review', 'review', 'block']],
    ['review', failed, ['review', 'review', 'review', 'block']],
    ['either', clean, ['pass', 'warn', 'review', 'block']],
    ['either', alarm, ['block', 'block', 'block', 'block']],
    ['either', failed, ['block', 'block', 'block', 'block']],
    ['both', clean, ['pass', 'warn', 'review', 'review']],
    ['both', alarm, ['review', 'review', 'block', 'block']],
    ['both', failed, ['review', 'review', 'review', 'block']],
  ])('%s: %o turns pass, warn, review, block into %j', (use, model, verdicts) => {
    expect(RULES.map((rules) => combine(rulesSay(rules), model, use).verdict)).toEqual(verdicts)
  })

  test('a failure never passes a text that could have been found', () => {
    for (const use of ['review', 'either', 'both'] as const)
      for (const rules of RULES) expect(['review', 'block']).toContain(combine(rulesSay(rules), failed, use).verdict)
  })

  test('the model’s finding names its place and score, a failure its reason', () => {
    expect(combine(rulesSay('warn'), alarm, 'review').findings).toEqual([
      { rule: 'override', at: 3, weight: 88 },
      { rule: 'model', at: 7, weight: 98 },
    ])
    const unread = combine(rulesSay('pass'), { failed: 'too-long' }, 'either')
    expect(unread.findings).toEqual([{ rule: 'model-too-long', at: 0, weight: 0 }])
    expect(isUnclassified(unread)).toBe(true)
    expect(isUnclassified(combine(rulesSay('warn'), failed, 'either'))).toBe(false)
    expect(isUnclassified(rulesSay('pass'))).toBe(false)
  })
})
