import { describe, expect, test } from 'vitest'
import { action, BASIC, final } from '../../test/support/agent-core.ts'
import { collect, engineWith, saying } from '../../test/support/engine.ts'
import type { Engine } from '../agent/turn.ts'
import { audit } from '../journal/verify.ts'
import type { Event } from '../protocol/event.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { agentCoreTool } from './nodes/agent-core.ts'
import { resumeWorkflow } from './resume.ts'
import { runWorkflow } from './start.ts'

const GRANTS = { disabledTools: [], envNames: [] }

/** Tools that remember their calls; the first call of one that `hangs` never comes back, as when the process dies. */
function bench(hangs: string) {
  const calls: string[] = []
  let died = false
  const { promise: stuck, resolve: onStuck } = Promise.withResolvers<void>()
  const make = (name: string, own: object) =>
    defineTool<{ n?: number }>({
      name,
      description: name,
      schema: { type: 'object' },
      risk: 'Low',
      trust: 'internal',
      ...own,
      execute: async (args) => {
        calls.push(name)
        if (name === hangs && !died) {
          died = true
          onStuck()
          await new Promise(() => {})
        }
        return JSON.stringify({ ...args, by: name })
      },
    }) as Tool
  const tools = [
    make('write', {}),
    make('half', {}),
    make('read', { readOnly: true }),
    make('again', { idempotent: true }),
    make('look', { preValidate: () => ({ readOnly: true }) }),
  ]
  return { calls, stuck, tools }
}

const document = (second: string, rest: object = {}) => ({
  name: 'w',
  nodes: [
    { id: 'a', tool: 'write', args: { n: 1 } },
    { id: 'b', tool: second, args: { n: '{{nodes.a.outputs.n}}' }, ...rest },
    { id: 'c', tool: 'write', args: { n: '{{nodes.b.outputs.n}}' } },
    { id: 'rescue', tool: 'read' },
  ],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'b', to: 'rescue', on: 'error' },
  ],
})

async function killed(
  hangs: string,
  given: object,
  input = {},
): Promise<{ engine: Engine; runId: string; calls: string[] }> {
  const { calls, stuck, tools } = bench(hangs)
  const engine = await engineWith({ tools })
  const events: Event[] = []
  const run = runWorkflow(engine, { document: given, input, ...GRANTS })
  const pump = async () => {
    for await (const event of run) events.push(event)
  }
  // The first process hangs. When its time is up, other test files run, and its run was taken over.
  pump().catch(() => {})
  await stuck
  return { engine, runId: events[0]?.runId ?? '', calls }
}

describe('a workflow that was cut off', () => {
  test('goes on where it stood: what is done is not done again', async () => {
    const { engine, runId, calls } = await killed('again', document('again'))
    expect(calls).toEqual(['write', 'again'])
    const { events, result } = await collect(resumeWorkflow(engine, { runId, ...GRANTS }))
    expect(calls).toEqual(['write', 'again', 'again', 'write'])
    expect(result).toMatchObject({ runId, ok: true, outputs: { a: { n: 1 }, b: { n: 1 }, c: { n: 1 } } })
    expect(events[0]).toMatchObject({ type: 'run.resumed', runId })
    expect((await audit(engine.store)).breaches).toEqual([])
    expect((await engine.store.listRuns()).every(({ stopped }) => stopped)).toBe(true)
  })

  test('a call that may have taken effect is unknown and not repeated; what handles failures is told', async () => {
    const { engine, runId, calls } = await killed('half', document('half'))
    const { result } = await collect(resumeWorkflow(engine, { runId, ...GRANTS }))
    expect(calls).toEqual(['write', 'half', 'read'])
    expect(result.nodes.b).toMatchObject({ state: 'failed', error: { code: 'INTERRUPTED' } })
    expect(result.nodes.b?.error?.message).toContain('is unknown')
    expect(result).toMatchObject({ ok: true, nodes: { c: { state: 'skipped' }, rescue: { state: 'done' } } })
  })

  const agentIn = async (says: string[]) => {
    const { tools, stuck, calls } = bench('half')
    const thinking = saying(says.map((text) => ({ text })))
    const core = agentCoreTool(() => ({ ...engine, model: thinking })) as Tool
    const engine: Engine = await engineWith({ tools: [...tools, core] })
    const args = { ...BASIC, allowed_tools: ['read', 'half'], prompt: 'Do it.' }
    const given = { name: 'w', nodes: [{ id: 'agent', tool: 'agent_core', args }] }
    collect(runWorkflow(engine, { document: given, runId: 'run_w', ...GRANTS })).catch(() => {})
    await stuck
    return { engine, thinking, calls }
  }

  test('S3-1 S3-157: an agent that died in its node goes on from its own journal', async () => {
    const { engine, thinking, calls } = await agentIn([action('read'), action('half'), final('It may have been done.')])
    const { result } = await collect(resumeWorkflow(engine, { runId: 'run_w', ...GRANTS }))
    expect(result).toMatchObject({ ok: true, output: 'It may have been done.' })
    // The first step is not thought or done again; what was under way is told to the model as unknown.
    expect(thinking.asked).toBe(3)
    expect(calls).toEqual(['read', 'half'])
    expect(result.outputs.agent).toMatchObject({
      finish_reason: 'final',
      trace: [{ action: { tool: 'read' } }, { action: { tool: 'half' }, error: 'INTERRUPTED' }],
      used_tools: { read: { count: 1 } },
    })
    const runs = await engine.store.listRuns()
    expect(runs.map(({ stopReason }) => stopReason)).toEqual(['final', 'final', 'final'])
    expect((await audit(engine.store)).breaches).toEqual([])
  })

  test('S3-157: the time nothing worked on it does not count against the agent’s timeout', async () => {
    const { engine } = await agentIn([action('half'), final('done')])
    const later = engine.clock.now() + 3_600_000
    const clock = { now: () => later }
    const { result } = await collect(resumeWorkflow({ ...engine, clock }, { runId: 'run_w', ...GRANTS }))
    expect(result.outputs.agent).toMatchObject({ finish_reason: 'final' })
  })

  test('an agent that died in its node is not left open where the workflow is only ended', async () => {
    const { engine, thinking } = await agentIn([action('half')])
    const ending = { runId: 'run_w', signal: AbortSignal.abort(), ...GRANTS }
    const { result } = await collect(resumeWorkflow(engine, ending))
    expect(result).toMatchObject({ ok: false, stopReason: 'aborted' })
    expect(thinking.asked).toBe(1)
    expect((await engine.store.listRuns()).every(({ stopped }) => stopped)).toBe(true)
  })

  test.each(['half', 'again'])(
    'taken up only to end it, it leaves nothing open and does nothing more (%s)',
    async (tool) => {
      const { engine, runId, calls } = await killed(tool, document(tool))
      const { result } = await collect(resumeWorkflow(engine, { runId, signal: AbortSignal.abort(), ...GRANTS }))
      expect(calls).toEqual(['write', tool])
      expect(result).toMatchObject({ ok: false, stopReason: 'aborted', nodes: { b: { state: 'failed' } } })
      expect((await engine.store.listRuns()).every(({ stopped }) => stopped)).toBe(true)
    },
  )

  test('a read whose tool can also write is simply made again', async () => {
    const { engine, runId, calls } = await killed('look', document('look'))
    const { result } = await collect(resumeWorkflow(engine, { runId, ...GRANTS }))
    expect(calls).toEqual(['write', 'look', 'look', 'write'])
    expect(result.ok).toBe(true)
  })

  test('is taken up by one process only', async () => {
    const { engine, runId } = await killed('again', document('again'))
    const both = await Promise.allSettled([1, 2].map(() => collect(resumeWorkflow(engine, { runId, ...GRANTS }))))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'RUN_TAKEN' } })
  })

  test('is over when it is over', async () => {
    const { engine, runId } = await killed('again', document('again'))
    await collect(resumeWorkflow(engine, { runId, ...GRANTS }))
    await expect(collect(resumeWorkflow(engine, { runId, ...GRANTS }))).rejects.toMatchObject({ code: 'RUN_ENDED' })
    await expect(collect(resumeWorkflow(engine, { runId: 'x', ...GRANTS }))).rejects.toMatchObject({
      code: 'RUN_UNKNOWN',
    })
    const [node] = (await engine.store.listRuns()).filter(({ parentRunId }) => parentRunId === runId)
    await expect(collect(resumeWorkflow(engine, { runId: node?.runId ?? '', ...GRANTS }))).rejects.toMatchObject({
      code: 'RUN_NOT_RESUMABLE',
    })
  })

  test('a secret in its input was not kept, so it must be given again, and be the same', async () => {
    const input = { key: `sk-${'b'.repeat(24)}` }
    const secret = document('again', { args: { n: '{{nodes.a.outputs.n}}', key: '{{external.key}}' } })
    const { engine, runId } = await killed('again', secret, input)
    const go = (given: object) => collect(resumeWorkflow(engine, { runId, ...GRANTS, ...given }))
    await expect(go({})).rejects.toMatchObject({ code: 'WORKFLOW_MASKED' })
    await expect(go({ document: secret, input: { key: 'other' } })).rejects.toMatchObject({ code: 'WORKFLOW_CHANGED' })
    expect((await go({ document: secret, input })).result.ok).toBe(true)
  })

  test('is refused again where its tools have since been taken out of service', async () => {
    const { engine, runId } = await killed('again', document('again'))
    const late = { runId, disabledTools: ['again'], envNames: [] }
    await expect(collect(resumeWorkflow(engine, late))).rejects.toMatchObject({ code: 'WORKFLOW_INVALID' })
  })
})
