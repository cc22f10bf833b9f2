import { describe, expect, test } from 'vitest'
import { policyWith } from '../../test/support/gate-input.ts'
import { foldSession, type SessionState } from '../journal/session.ts'
import { scoutAdvice } from './trigger-policy.ts'

const fresh = foldSession([])
const gate = policyWith().scout
const about = (task: string, session: Partial<SessionState> = {}, own: Partial<typeof gate> = {}) =>
  scoutAdvice({ task, session: { ...fresh, ...session }, gate: { ...gate, ...own }, maxProfile: 'normal', lang: 'en' })

describe('signals', () => {
  test.each([
    ['帮我核验这个说法：最多 5 个', 'verify'],
    ['Please verify that the cap is five', 'verify'],
    ['比较方案甲和方案乙', 'compare'],
    ['compare A and B in docs', 'compare'],
    ['文档里怎么说缓存的？', 'lookup'],
    ['what do the docs say about caching?', 'lookup'],
  ])('S4-71: %s', (task, reason) => {
    expect(about(task)).toMatchObject({ shouldRun: true, reason })
  })
  test.each(['hello', '你好', 'write a poem about autumn', 'list the files'])('none in: %s', (task) => {
    expect(about(task)).toMatchObject({ shouldRun: false, reason: 'no_signal' })
  })
  test('S4-72: two weak turns recommend scouts once', () => {
    expect(about('and now?', { weak: { turns: 1, rescued: false } }).shouldRun).toBe(false)
    expect(about('and now?', { weak: { turns: 2, rescued: false } })).toMatchObject({
      shouldRun: true,
      reason: 'weak_turns',
    })
    expect(about('and now?', { weak: { turns: 3, rescued: true } }).shouldRun).toBe(false)
  })
})

describe('prohibitions', () => {
  test('S4-73 S4-76: a spent session budget, scouts’ tokens included, beats every signal', () => {
    const spent = { inputTokens: 60, outputTokens: 20 }
    const session = { spent, scouts: { tokens: 20 } }
    expect(about('verify that', session, { sessionTokenBudget: 100 })).toMatchObject({
      shouldRun: false,
      reason: 'SCOUT_BUDGET_EXHAUSTED',
    })
    expect(about('verify that', session, { sessionTokenBudget: 101 }).shouldRun).toBe(true)
  })
  test.each(['不要检索，直接告诉我区别', "don't look anything up, just compare them"])('S4-74 S4-76: %s', (task) => {
    expect(about(task)).toMatchObject({ shouldRun: false, reason: 'SCOUT_USER_OPT_OUT' })
  })
  test('S4-75: no scouts during the cooldown', () => {
    const after = (turns: number) => about('verify that', { turns, scouts: { tokens: 0, lastTurn: 1 } })
    expect([1, 2, 3].map((turns) => after(turns).shouldRun)).toEqual([false, false, true])
    expect(after(1).reason).toBe('SCOUT_COOLDOWN')
  })
  test('no scouts where they are switched off', () => {
    expect(about('verify that', {}, { enabled: false })).toMatchObject({ shouldRun: false, reason: 'SCOUT_DISABLED' })
  })
})

describe('the advice', () => {
  test('S4-77 S4-78 S4-79 S4-81: has S4’s shape, with five tasks at most', () => {
    const advice = about('compare a, b, c, d, e, f and g in the docs')
    expect(Object.keys(advice)).toEqual(['shouldRun', 'reason', 'suggestedTask', 'budgetProfile', 'tasks'])
    expect(advice.tasks).toHaveLength(5)
    expect(advice.tasks.map(({ priority }) => priority)).toEqual([5, 4, 3, 2, 1])
    expect(advice.suggestedTask).toBe('Find what the documents say about a')
    expect([advice.shouldRun, advice.reason]).toEqual([true, expect.stringMatching(/./)])
  })
  test('S4-80: never suggests more than the configuration allows', () => {
    const task = 'verify this thoroughly'
    const deep = scoutAdvice({ task, session: fresh, gate, maxProfile: 'deep', lang: 'en' })
    expect(deep.budgetProfile).toBe('deep')
    expect(about(task).budgetProfile).toBe('normal')
  })
})
