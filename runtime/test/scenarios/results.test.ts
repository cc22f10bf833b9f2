/** What a model is told of a call, word for word. */
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent, defineTool, type Event, type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { isAlive } from '../support/chromium.ts'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const broken = defineTool({
  name: 'broken',
  description: 'Cannot run.',
  schema: { type: 'object' },
  readOnly: true,
  execute: () => {
    throw new Error('no such device')
  },
})

async function told(calls: { tool: string; args: unknown }[], config: object = {}): Promise<string[]> {
  const requests: { messages: { role: string; content: string }[] }[] = []
  const script: ScriptEntry[] = [
    { purpose: 'main', calls },
    { purpose: 'main', text: 'done' },
  ]
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    // Other processes of this user may start meanwhile; what they note in their configuration is not this run's.
    env: { ...process.env, XDG_CONFIG_HOME: join(place.root, 'xdg') },
    lang: 'en',
    model: scriptedModel(script),
    tools: [broken],
    record: (line) => requests.push(JSON.parse(line)),
    confirm: async () => 'y',
    config,
  })
  await agent.run('go')
  await agent.close()
  return (
    requests
      .at(-1)
      ?.messages.filter((message) => message.role === 'tool')
      .map((message) => message.content) ?? []
  )
}

/** Inside the fence a process has another number than outside. */
const UNFENCED = { agent: { security: { sandbox: 'off' } } }
const shell = (command: string, more: object = {}) => ({ tool: 'shell', args: { command, ...more } })

test('X-MODEL-2: the same call for the same long result, of which only a part is shown, ends the run', async () => {
  place.file('long.txt', 'a line of text\n'.repeat(500))
  place.file('agent.config.json', { agent: { limits: { observationMaxLen: 1000, contextTokens: 6000 } } })
  const script = place.script('../script.json', [
    { purpose: 'main', calls: [{ tool: 'file_read', args: { path: 'long.txt' } }], times: 9 },
  ])
  const { code, stdout } = await place.writ(['run', 'read long.txt', '--script', script, '--json'])
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, events.at(-1)]).toEqual([6, expect.objectContaining({ stopReason: 'repeated_call' })])
  const shown = events.flatMap(({ type, data }) => (type === 'tool.result' ? [data.observation.text] : []))
  expect([shown.length, new Set(shown).size]).toEqual([3, 3])
})

test.each([
  ['en', 'failed: '],
  ['zh', '失败：'],
])('X-MODEL-15: the trace in %s says in words that a call failed; its data keep the marks', async (lang, words) => {
  place.file('agent.config.json', { agent: { security: { sandbox: 'off' } } })
  const script = place.script('../script.json', [
    { purpose: 'main', calls: [shell('echo half; exit 3')] },
    { purpose: 'main', text: 'done' },
  ])
  await place.writ(['run', 'run it', '--script', script, '--yes'])
  const { stdout } = await place.writ(['trace', '--last', '--lang', lang])
  expect(stdout).toContain(words)
  expect(stdout).not.toMatch(/\[失败\]|\[部分输出\]/)
  expect((await place.writ(['trace', '--last', '--json'])).stdout).toContain('[失败] ')
})

describe('results', () => {
  test('S1-122: success is the output itself', async () => {
    place.file('a.txt', 'plain words\n')
    expect(await told([{ tool: 'file_read', args: { path: 'a.txt' } }])).toEqual(['plain words\n'])
  })
  test('S1-123 S1-124 S1-126 S1-127: failure says so, with what was printed before it on lines of its own', async () => {
    const [text] = await told([shell('echo half; exit 3')], UNFENCED)
    expect(text).toMatch(/^\[失败\] .*3.*\n\[部分输出\]\n[\s\S]*half/)
  })
  test('S1-125 S1-61 S1-109: what could not run is an error with its code', async () => {
    const [thrown, unknown, refused] = await told([
      { tool: 'broken', args: {} },
      { tool: 'ghost', args: {} },
      { tool: 'file_read', args: { path: '../x' } },
    ])
    expect(thrown).toBe('[错误] TOOL_EXCEPTION: no such device')
    expect(unknown).toMatch(/^\[错误\] UNKNOWN_TOOL: .*ghost/)
    expect(refused).toMatch(/^\[错误\] PRE_VALIDATE_REJECTED\/PATH_OUTSIDE_WORKSPACE: /)
  })
  test('S1-130 S1-131: a command that times out is killed with its children, and its output is kept', async () => {
    const [text] = await told([shell('echo started; sleep 300 & echo $! > child; wait', { timeoutMs: 2000 })], UNFENCED)
    expect(text).toMatch(/^\[失败\] [\s\S]*\[部分输出\]\n[\s\S]*started/)
    const pid = Number(place.read('child'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
  test('S1-53 S1-129: three calls a reply, ten replies: thirty calls, one after the other', async () => {
    const spans: [number, number][] = []
    const slow = defineTool({
      name: 'slow',
      description: 'Takes a moment.',
      schema: { type: 'object' },
      readOnly: true,
      async execute() {
        const start = spans.length
        spans.push([start, -1])
        await immediate()
        spans[start] = [start, spans.length]
        return 'ok'
      },
    })
    const script = Array.from({ length: 20 }, (_, n) => {
      return { purpose: 'main' as const, calls: [1, 2, 3].map((i) => ({ tool: 'slow', args: { n: 3 * n + i } })) }
    })
    const agent = await createAgent({
      workspace: place.workspace,
      data: ':memory:',
      model: scriptedModel(script),
      tools: [slow],
      config: {},
    })
    const events: Event[] = []
    for await (const event of agent.stream('go')) events.push(event)
    await agent.close()
    expect(events.at(-1)?.data).toMatchObject({ stopReason: 'max_steps' })
    expect(spans).toHaveLength(30)
    for (const [start, end] of spans) expect(end).toBe(start + 1)
  })
})
