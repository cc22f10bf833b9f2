/** A model or a program may keep the objects it hands over. What was judged is what runs, whatever becomes of them. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentOptions, createAgent } from '../../src/assembly/agent.ts'
import type { Model } from '../../src/index.ts'

let workspace: string
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-live-')))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

/** Proposes one write with these very arguments, then is done. */
function proposing(args: unknown): Model {
  let asked = 0
  return {
    id: 'own/keeper',
    route: 'CloudLlm',
    reasoning: 'clear',
    async *ask() {
      yield ''
      const usage = { inputTokens: 1, outputTokens: 1 }
      const calls = asked++ === 0 ? [{ id: '1', tool: 'file_write', args }] : []
      return { text: calls.length === 0 ? 'done' : '', calls, usage, truncated: false }
    },
  }
}

async function run(args: unknown, own: Partial<AgentOptions>) {
  const agent = await createAgent({
    workspace,
    data: ':memory:',
    lang: 'en',
    model: proposing(args),
    config: { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } } },
    env: { PATH: process.env.PATH ?? '', HOME: workspace },
    ...own,
  })
  const { runId } = await agent.run('write a.txt')
  const { trace } = await agent.trace(runId)
  await agent.close()
  return { made: ['a.txt', 'b.txt'].filter((name) => existsSync(join(workspace, name))), told: JSON.stringify(trace) }
}

test('arguments that the model changes while a person is asked are written as they were asked about', async () => {
  const args = { path: 'a.txt', content: 'x' }
  const confirm: AgentOptions['confirm'] = async () => {
    args.path = 'b.txt'
    return 'y'
  }
  expect((await run(args, { confirm })).made).toEqual(['a.txt'])
})

test('arguments that read differently each time are read once: verdict, deed and journal agree', async () => {
  let reads = 0
  const args = {
    content: 'x',
    get path() {
      return reads++ % 2 === 0 ? 'b.txt' : 'a.txt'
    },
  }
  const { made, told } = await run(args, { confirm: async () => 'y' })
  const [name = ''] = made
  expect(made).toHaveLength(1)
  expect(told).toContain(name)
  expect(told).not.toContain(name === 'a.txt' ? 'b.txt' : '"a.txt"')
})

test('a program that changes the events it watches changes neither the call nor the journal', async () => {
  const change = (events: readonly { type: string; data: object }[]) => {
    for (const { type, data } of events) {
      if (type !== 'model.replied') continue
      try {
        const { reply } = data as { reply: { calls: { args: { path: string } }[] } }
        for (const { args } of reply.calls) args.path = 'b.txt'
      } catch {}
    }
  }
  const made = await run({ path: 'a.txt', content: 'x' }, { confirm: async () => 'y', onAppend: change })
  expect(made.made).toEqual(['a.txt'])
})

test('an approver cannot widen what "always" covers', async () => {
  const confirm: AgentOptions['confirm'] = async (question) => {
    try {
      ;(question.keys as string[]).push('shell touch')
    } catch {}
    return 'a'
  }
  expect((await run({ path: 'a.txt', content: 'x' }, { confirm })).told).not.toContain('shell touch')
})
