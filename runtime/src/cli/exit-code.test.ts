import { expect, test } from 'vitest'
import { STOP_REASONS } from '../protocol/stop.ts'
import { exitCode } from './exit-code.ts'

const nothing = new Set<never>()

test('every stop reason has its exit code', () => {
  expect(Object.fromEntries(STOP_REASONS.map((reason) => [reason, exitCode(reason, nothing)]))).toEqual({
    final: 0,
    reported: 0,
    clarification: 0,
    max_steps: 6,
    max_tool_calls: 6,
    repeated_call: 6,
    token_budget: 6,
    money_budget: 6,
    timeout: 6,
    parse_error: 7,
    tool_error: 7,
    provider_error: 7,
    invalid_result: 7,
    invalid_input: 2,
    tool_policy_blocked: 3,
    protected_changed: 3,
    intent_execution_failed: 4,
    aborted: 130,
    interrupted: 1,
    internal_error: 1,
  })
})

test('a missing approval changes the exit code of a success only', () => {
  expect(exitCode('final', new Set(['USER_REJECTED']))).toBe(5)
  expect(exitCode('final', new Set(['NO_CONFIRM_CHANNEL']))).toBe(5)
  expect(exitCode('final', new Set(['PRE_VALIDATE_REJECTED']))).toBe(0)
  expect(exitCode('max_steps', new Set(['USER_REJECTED']))).toBe(6)
})
