import { expect, test } from 'vitest'
import { TASK_INTENTS, TOOL_FAMILIES } from '../../../runtime/src/protocol/intent.ts'
import { AUTONOMY_LEVELS } from '../../../runtime/src/protocol/policy.ts'
import { MODES } from '../../../runtime/src/protocol/profile.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../../../runtime/src/protocol/risk.ts'
import { RULE_DECISIONS, RULE_LAYERS } from '../../../runtime/src/protocol/rule.ts'
import { SCOUT_STATES } from '../../../runtime/src/protocol/scout.ts'
import { STOP_REASONS } from '../../../runtime/src/protocol/stop.ts'
import { DENIAL_REASONS, EFFECTS, STAGES } from '../../../runtime/src/protocol/verdict.ts'
import { wordFor } from '../parts/badge.tsx'
import { en } from './en.ts'
import { zh } from './zh.ts'

function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} ${typeof value}`]
  return Object.entries(value).flatMap(([key, child]) => keysOf(child, `${path}.${key}`))
}

test('English and Chinese have the same texts', () => {
  expect(keysOf(zh)).toEqual(keysOf(en))
})

test('no text is empty', () => {
  for (const catalogue of [en, zh]) expect(JSON.stringify(catalogue)).not.toContain('""')
})

test('every denial reason and every stop reason is explained in both languages', () => {
  for (const code of [...DENIAL_REASONS, ...STOP_REASONS]) {
    expect(Object.keys(en.codes)).toContain(code)
    expect(Object.keys(zh.codes)).toContain(code)
  }
})

test('X-CONSOLE-3: every code that is shown has words beside it in both languages', () => {
  const codes = [DENIAL_REASONS, STOP_REASONS, STAGES, EFFECTS, MODES, TASK_INTENTS, TOOL_FAMILIES, RISK_LEVELS]
  const more = [SCOUT_STATES, RULE_LAYERS, RULE_DECISIONS, AUTONOMY_LEVELS, DECISION_ROUTES, ['y', 'a', 'n']]
  for (const code of [...codes, ...more].flat()) {
    expect(wordFor(en, code), code).toBeDefined()
    expect(wordFor(zh, code), code).toMatch(/\p{Script=Han}/u)
  }
})
