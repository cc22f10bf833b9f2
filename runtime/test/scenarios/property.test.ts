import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILES } from '../../src/agent/profile.ts'
import { startTurn } from '../../src/agent/turn.ts'
import { parseCompact } from '../../src/base/compact-json.ts'
import { fingerprint } from '../../src/base/hash.ts'
import { fold } from '../../src/journal/fold.ts'
import { foldSession } from '../../src/journal/session.ts'
import { audit } from '../../src/journal/verify.ts'
import { ModelError } from '../../src/model/model.ts'
import { TASK_INTENTS } from '../../src/protocol/intent.ts'
import { AUTONOMY_LEVELS } from '../../src/protocol/policy.ts'
import { openStore } from '../../src/storage/open.ts'
import { collect, type Deed, engineWith, type Line, saying, spyTools } from '../support/engine.ts'
import { policyWith } from '../support/gate-input.ts'

const RUNS = 10_000

const call = fc.record({
  id: fc.constantFrom('a', 'b', 'c', ''),
  tool: fc.constantFrom('look', 'change', 'danger', 'fails', 'throws', 'blind', 'ghost'),
  args: fc.oneof(
    { weight: 6, arbitrary: fc.record({ n: fc.nat(3) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        n: fc.nat(3),
        text: fc.constantFrom('x', 'sk-abcdefghijklmnopqrstuvwx', '\u0000', '\ud800'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .jsonValue({ maxDepth: 2 })
        // JSON has no −0: a journal returns 0.
        .map((value) => parseCompact(JSON.stringify(value))),
    },
  ),
})
const cutOff: Line = { calls: [{ id: 'r', tool: 'look', rawArgs: '{"n":' }] }
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      text: fc.constantFrom('', 'thinking'),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant(cutOff) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }).map((text) => ({ text })) },
  { weight: 1, arbitrary: fc.constant(new ModelError('overloaded', { retryable: false, status: 400 })) },
)
const plan = fc.record({
  lines: fc.array(line, { maxLength: 6 }),
  answers: fc.array(fc.constantFrom('y', 'n', 'a'), { maxLength: 6 }),
  someoneThere: fc.boolean(),
  autonomy: fc.constantFrom(...AUTONOMY_LEVELS),
  mode: fc.constantFrom('chat', 'routine', 'workflow', 'scout'),
  intent: fc.constantFrom(...TASK_INTENTS),
  route: fc.constantFrom('CloudLlm', 'RuleBased', 'Mock'),
  abortAfter: fc.option(fc.nat(12), { freq: 8 }),
  sameSession: fc.boolean(),
})

test(`${RUNS} random runs: nothing acts without a writ, every turn commits, every journal verifies and folds back`, async () => {
  const store = await openStore({ kind: 'memory' })
  const deeds: Deed[] = []
  const tools = spyTools(deeds)
  let sessionId: string | undefined
  const stops: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      deeds.length = 0
      const engine = await engineWith({
        store,
        tools,
        newId: (prefix) => `${prefix}_${++serial}`,
        model: { ...saying(given.lines), route: given.route },
        policy: policyWith({ security: { autonomy: given.autonomy } }),
      })
      const cancel = new AbortController()
      const answers = [...given.answers]
      const profile =
        given.mode === 'chat' || given.mode === 'routine'
          ? PROFILES[given.mode]
          : {
              ...PROFILES[given.mode],
              exposure: { only: ['look', 'change', 'throws'], hidden: [] },
              dialect: 'native' as const,
            }
      const turn = startTurn(engine, {
        task: 'do something',
        sessionId: given.sameSession ? sessionId : undefined,
        profile,
        signal: cancel.signal,
        confirm: given.someoneThere ? async () => answers.shift() ?? 'n' : undefined,
        stream: false,
      })
      let seen = 0
      const { result } = await collect(
        (async function* () {
          for (;;) {
            const next = await turn.next()
            if (next.done) return next.value
            if (++seen === given.abortAfter) cancel.abort()
            yield next.value
          }
        })(),
      )
      sessionId = result.sessionId
      stops[result.stopReason] = (stops[result.stopReason] ?? 0) + 1

      const events = await store.readRun(result.runId)
      for (const deed of deeds) {
        const hash = fingerprint(deed.args)
        const at = events.findIndex(
          (e) => e.type === 'tool.call' && e.data.allowed && e.data.callId === deed.callId && e.data.argsHash === hash,
        )
        const allowedBefore = events
          .slice(0, at)
          .some(
            (e) =>
              e.type === 'gate.decided' &&
              e.data.decision === 'allow' &&
              e.data.argsHash === hash &&
              e.data.callId === deed.callId,
          )
        expect(at >= 0 && allowedBefore, `${deed.tool} acted without a writ`).toBe(true)
      }
      const allowed = events.filter((e) => e.type === 'tool.call' && e.data.allowed)
      expect(deeds.length).toBeLessThanOrEqual(allowed.length)
      expect(events.at(-1)?.type).toBe('turn.committed')
      expect(events.filter((e) => e.type === 'run.stopped')).toHaveLength(1)

      const before = foldSession(await store.readSession(result.sessionId), result.runId)
      expect(fold(events, before)).toEqual(result.state)
    }),
    { numRuns: RUNS },
  )
  const report = await audit(store)
  expect(report.breaches).toEqual([])
  expect(report.runs).toBe(report.seals)
  expect(Object.keys(stops).sort()).toEqual(
    expect.arrayContaining(['aborted', 'final', 'max_steps', 'parse_error', 'provider_error', 'tool_error']),
  )
  await store.close()
}, 240_000)

let serial = 0
