import { expect, test } from 'vitest'
import { callIn } from '../../test/support/call.ts'
import { policyWith, toolInput } from '../../test/support/gate-input.ts'
import { following } from '../base/wait.ts'
import { decide } from '../gate/gate.ts'
import { execute } from './execute.ts'
import { Registry } from './registry.ts'
import { defineTool, type ToolOutput, type World } from './tool.ts'

const world: World = {
  workspace: '/w',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
}

/** Ends when it is aborted, without knowing why. */
const waiting = (code: string) =>
  defineTool({
    name: 'file_read',
    description: 'waits',
    schema: {},
    execute: (_args, { signal }) =>
      new Promise<ToolOutput>((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, error: 'aborted', partial: 'begun', code }))
      }),
  })

interface Ending {
  signal: AbortSignal
  callMs: number
  code?: string
  now?: () => number
}

function running({ signal, callMs, code = 'TOOL_FAILED', now = () => 0 }: Ending) {
  const { writ } = decide(toolInput(), undefined)
  if (writ === undefined) throw new Error('the gate refused a plain call')
  const { runId, sessionId, turnId, owner, readOnly, isHearsay, resultOf, media, emit, note } = callIn(world)
  const registry = new Registry([waiting(code)])
  const place = { world, policy: policyWith(), runId, sessionId, turnId, owner }
  const by = { readOnly, isHearsay, resultOf, media, emit, note, maxLen: 1_000, now }
  const { controller: ending } = following(signal)
  return execute(writ, { ...place, ...by, registry, ending, callMs, callSetting: 'agent.limits.callMs' })
}

const LATE = {
  code: 'TOOL_TIMEOUT',
  text: expect.stringContaining('timed out'),
  partial: 'begun',
  hint: 'The limit is set by agent.limits.callMs.',
}

test('X-MODEL-5: a call that exceeds its time limit ends with TOOL_TIMEOUT, its partial output and the setting', async () => {
  expect(await running({ signal: new AbortController().signal, callMs: 5 })).toMatchObject(LATE)
})

test('a call that the run’s deadline ends is a timeout too', async () => {
  expect(await running({ signal: AbortSignal.timeout(5), callMs: 60_000 })).toMatchObject(LATE)
})

test('a call that a person aborts is not a timeout', async () => {
  const person = new AbortController()
  const ending = running({ signal: person.signal, callMs: 60_000 })
  person.abort()
  expect(await ending).toMatchObject({ code: 'TOOL_FAILED', text: 'aborted' })
})

test('a late call with a more specific error reports that error', async () => {
  const late = await running({ signal: new AbortController().signal, callMs: 5, code: 'PATH_PROTECTED' })
  expect(late).toMatchObject({ code: 'PATH_PROTECTED', text: 'aborted' })
})

test('a call that the run’s deadline ends reports how long it took, not its limit', async () => {
  let now = 0
  const signal = AbortSignal.timeout(5)
  signal.addEventListener('abort', () => {
    now = 1_234
  })
  const late = await running({ signal, callMs: Number.POSITIVE_INFINITY, now: () => now })
  expect(late.text).toBe('file_read timed out and was stopped after 1234 ms')
})
