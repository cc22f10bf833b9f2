import { describe, expect, test } from 'vitest'
import { policyWith, type ToolCase, toolInput } from '../../test/support/gate-input.ts'
import { PROFILES } from '../agent/profile.ts'
import { judge } from './gate.ts'

const scout = policyWith().scout
const send = (given: ToolCase & { rules?: Partial<typeof scout> } = {}) => {
  const { rules, ...rest } = given
  const policy = policyWith({ scout: { ...scout, ...rules } })
  const judgement = judge(toolInput({ tool: 'explore', policy, ...rest, facts: { family: 'task', ...rest.facts } }))
  return judgement.decision === 'allow' ? [] : judgement.denial.all
}
const busy = (own: object) => ({ facts: { scouts: { asked: 5, running: 0, waiting: 0, free: 20, tokens: 0, ...own } } })
const since = (turns: number) => ({ state: { earlier: { turns, tokens: 0, scoutTurn: 1 } } })

describe('sending scouts', () => {
  test('is allowed by default, and other tools are not checked', () => {
    expect(send(busy({}))).toEqual([])
    expect(judge(toolInput({ tool: 'look', state: { task: 'do not search' } })).decision).toBe('allow')
  })
  test('S4-155: not when scouts are switched off', () => {
    expect(send({ rules: { enabled: false } })).toEqual(['SCOUT_DISABLED'])
  })
  test('S4-176 S4-163: not from inside, whatever the tool is called', () => {
    expect(send({ profile: { ...PROFILES.scout, exposure: { hidden: [] } } })).toContain('SCOUT_ENTRY_FORBIDDEN')
    expect(send({ tool: 'recon', rules: { dispatchToolName: 'recon', enabled: false } })).toEqual(['SCOUT_DISABLED'])
  })
  test('S4-74: not when the user opted out', () => {
    expect(send({ state: { task: '不要检索，直接回答' } })).toEqual(['SCOUT_USER_OPT_OUT'])
  })
  test('S4-159 S4-75: not in the two turns after one that sent some', () => {
    expect([1, 2, 3].map((turns) => send(since(turns)))).toEqual([['SCOUT_COOLDOWN'], ['SCOUT_COOLDOWN'], []])
    expect(send({ ...since(1), rules: { cooldownTurns: 0 } })).toEqual([])
    // The turn that sent them may send more.
    expect(send(since(0))).toEqual([])
  })
  test('S4-73: not beyond the session’s budget, to the token', () => {
    const state = { usage: { inputTokens: 3, outputTokens: 2 }, earlier: { turns: 4, tokens: 80 } }
    const at = (sessionTokenBudget: number) => send({ state, ...busy({ tokens: 15 }), rules: { sessionTokenBudget } })
    expect([100, 101, 0].map(at)).toEqual([['SCOUT_BUDGET_EXHAUSTED'], [], []])
  })
  test('S4-149 S4-166: not when the queue is full; with "reject", not when a scout would have to wait', () => {
    expect(send({ ...busy({ running: 5, waiting: 15 }) })).toEqual([])
    expect(send({ ...busy({ running: 5, waiting: 16 }) })).toEqual(['SCOUT_QUEUE_FULL'])
    expect(send({ ...busy({ running: 1 }), rules: { overflow: 'reject' } })).toEqual(['SCOUT_QUEUE_FULL'])
    expect(send({ ...busy({ free: 4 }), rules: { overflow: 'reject' } })).toEqual(['SCOUT_QUEUE_FULL'])
    expect(send({ ...busy({}), rules: { overflow: 'reject' } })).toEqual([])
  })
  test('S4-76: every reason is named', () => {
    const state = { ...since(1).state, task: 'do not search' }
    expect(send({ state, rules: { enabled: false, sessionTokenBudget: 1 }, ...busy({ tokens: 9 }) })).toEqual([
      'SCOUT_DISABLED',
      'SCOUT_USER_OPT_OUT',
      'SCOUT_BUDGET_EXHAUSTED',
      'SCOUT_COOLDOWN',
    ])
  })
  test('a retried call does not count twice against the limit', () => {
    const profile = { ...PROFILES.scout, exposure: { hidden: [] } }
    const state = { toolCalls: 3, running: { callId: 'call_1', idempotent: true } }
    const at = (id: string) => judge(toolInput({ tool: 'read_doc', profile, state, proposal: { id } })).decision
    expect([at('call_1'), at('call_2')]).toEqual(['allow', 'deny'])
  })
})
