import { expect, test } from 'vitest'
import { policyWith, type ToolCase, toolInput } from '../../test/support/gate-input.ts'
import { PROFILES } from '../agent/profile.ts'
import { fingerprint } from '../base/hash.ts'
import type { SecurityPolicy } from '../protocol/policy.ts'
import { decide, judge } from './gate.ts'

const ARGS = { path: 'a.txt', content: 'x' }
const review = { model: 'm', decision: 'allow' } as const
const known = { callId: 'call_1', argsHash: fingerprint(ARGS), review }
const withReviewer = (security: Partial<SecurityPolicy> = {}) =>
  policyWith({ security: { reviewer: 'm', ...security } })

const write = (given: ToolCase = {}) =>
  judge(
    toolInput({
      tool: 'file_write',
      args: ARGS,
      policy: withReviewer(),
      ...given,
      facts: { risk: 'Medium', readOnly: false, ...given.facts },
      state: { reviews: [known], ...given.state },
    }),
  ).decision

test('X-REVIEW-1: a recorded approval turns a question about Medium risk into an allow, and mints', () => {
  expect(write({ state: { reviews: [] } })).toBe('ask')
  expect(write()).toBe('allow')
  const input = toolInput({
    tool: 'file_write',
    args: ARGS,
    policy: withReviewer(),
    facts: { risk: 'Medium', readOnly: false },
    state: { reviews: [known] },
  })
  expect(decide(input).writ).toBeDefined()
})

test.each<[string, ToolCase, 'ask' | 'deny']>([
  ['the reviewer says ask', { state: { reviews: [{ ...known, review: { model: 'm', decision: 'ask' } }] } }, 'ask'],
  ['no reviewer is configured any more', { policy: policyWith() }, 'ask'],
  ['it was given for another call', { state: { reviews: [{ ...known, callId: 'call_2' }] } }, 'ask'],
  ['the arguments are others', { args: { ...ARGS, content: 'y' } }, 'ask'],
  ['the file has changed since', { facts: { basis: 'b2' }, state: { reviews: [{ ...known, basis: 'b1' }] } }, 'ask'],
  ['the risk has become High', { facts: { risk: 'High' } }, 'ask'],
  ['provenance is off', { policy: withReviewer({ provenance: 'off' }) }, 'ask'],
  ['a person has changed the call', { state: { edited: { callId: 'call_1', by: 'user' } } }, 'ask'],
  ['the call is asked about every time', { facts: { approvalKeys: [] } }, 'ask'],
  [
    'a command always needs approval',
    { facts: { command: { bases: ['x'], uses: [{ words: ['x'], class: 'publish' }], dangers: [] } } },
    'ask',
  ],
  [
    'a rule asks',
    { policy: withReviewer({ rules: [{ layer: 'user', from: 'f', decide: 'ask', tool: 'file_write' }] }) },
    'ask',
  ],
  [
    'a rule denies',
    { policy: withReviewer({ rules: [{ layer: 'user', from: 'f', decide: 'deny', tool: 'file_write' }] }) },
    'deny',
  ],
  ['the run is ReadOnly', { policy: withReviewer({ autonomy: 'ReadOnly' }) }, 'deny'],
  ['no person could be asked', { profile: PROFILES.routine }, 'deny'],
  ['the arguments do not match the schema', { facts: { form: ['wrong'] } }, 'deny'],
  ['the run is over', { aborted: true }, 'deny'],
])('X-REVIEW-3: an approval has no effect when %s', (_, given, decision) => {
  expect(write(given)).toBe(decision)
})
