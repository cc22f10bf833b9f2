/** What a program that embeds Writ relies on. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  defineTool,
  type Event,
  type ScriptEntry,
  type StandardSchema,
  scriptedModel,
  type Tool,
} from '../../src/index.ts'

let workspace: string
let agent: Agent | undefined

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-library-')))
  writeFileSync(join(workspace, 'notes.txt'), 'buy milk\n')
})
afterEach(async () => {
  await agent?.close()
  rmSync(workspace, { recursive: true, force: true })
})

const PLAIN = { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } }

async function open(options: AgentOptions = {}): Promise<Agent> {
  const env = { PATH: process.env.PATH ?? '', HOME: workspace }
  agent = await createAgent({ workspace, data: ':memory:', lang: 'en', model: 'rules', env, ...options })
  return agent
}

async function opened(script: readonly ScriptEntry[], options: AgentOptions = {}): Promise<Agent> {
  return open({ model: scriptedModel(script), config: { agent: PLAIN }, ...options })
}

const READ: readonly ScriptEntry[] = [
  { purpose: 'main', calls: [{ tool: 'file_read', args: { path: 'notes.txt' } }] },
  { purpose: 'main', text: 'Milk.' },
]
const WRITE: readonly ScriptEntry[] = [
  { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'new.txt', content: 'x' } }] },
  { purpose: 'main', text: 'Written.' },
]

describe('X-LIB-4: a stream', () => {
  test('gives the events to a loop and the result beside it', async () => {
    const run = (await opened(READ)).stream('read notes.txt')
    const types: string[] = []
    for await (const event of run) types.push(event.type)
    expect(types.at(0)).toBe('session.opened')
    expect(types.at(-1)).toBe('turn.committed')
    await expect(run.result).resolves.toMatchObject({ reply: 'Milk.', stopReason: 'final' })
  })

  test('gives the result to a caller that reads no event', async () => {
    await expect((await opened(READ)).stream('read notes.txt').result).resolves.toMatchObject({ reply: 'Milk.' })
  })

  test('loses no event where the result is asked for first', async () => {
    const plain: string[] = []
    for await (const event of (await opened(READ)).stream('read notes.txt')) plain.push(event.type)
    await agent?.close()
    const run = (await opened(READ)).stream('read notes.txt')
    const result = run.result
    const types: string[] = []
    for await (const event of run) types.push(event.type)
    expect(types).toEqual(plain)
    await expect(result).resolves.toMatchObject({ reply: 'Milk.' })
  })

  test('still returns its result to who reads it by hand', async () => {
    const run = (await opened(READ)).stream('read notes.txt')
    let next = await run.next()
    while (!next.done) next = await run.next()
    expect(next.value).toMatchObject({ reply: 'Milk.' })
  })

  test('that is left early has no result, and its run can be resumed', async () => {
    const own = await opened(READ)
    const run = own.stream('read notes.txt')
    let runId = ''
    for await (const event of run) {
      runId = event.runId
      if (event.type === 'tool.result') break
    }
    await expect(run.result).rejects.toMatchObject({ code: 'STREAM_LEFT' })
    await expect(own.resume(runId).result).resolves.toMatchObject({ reply: 'Milk.', stopReason: 'final' })
  })

  test('fails for the loop and for the result alike', async () => {
    const own = await opened([])
    const run = own.stream('x', { sessionId: 'ses_unknown' })
    await expect(run.next()).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' })
    await expect(run.result).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' })
  })

  test('of a workflow has the same form', async () => {
    const own = await open()
    const run = own.workflows.stream({
      name: 'w',
      nodes: [{ id: 'a', tool: 'file_read', args: { path: 'notes.txt' } }],
    })
    const types = new Set<string>()
    for await (const event of run) types.add(event.type)
    expect(types).toContain('workflow.started')
    expect(await run.result).toMatchObject({ ok: true, output: expect.stringContaining('buy milk') })
  })
})

describe('X-LIB-5: a result', () => {
  test('has every denied call with its reasons', async () => {
    const { denials } = await (await opened(WRITE)).run('write a file')
    expect(denials).toMatchObject([{ tool: 'file_write', reason: 'NO_CONFIRM_CHANNEL', stage: 'human' }])
  })

  test('of a parked run has the open question; a later answer finishes the run', async () => {
    const own = await opened(WRITE, { confirm: async () => 'later' })
    const parked = await own.run('write a file')
    expect(parked).toMatchObject({ stopReason: 'parked', question: { tool: 'file_write', args: { path: 'new.txt' } } })
    const done = await own.resume(parked.runId, { confirm: async () => 'y' }).result
    expect(done).toMatchObject({ reply: 'Written.', stopReason: 'final', denials: [] })
    expect(done).not.toHaveProperty('question')
  })

  test('can be read again as events and as a trace', async () => {
    const own = await opened(READ)
    const { runId } = await own.run('read notes.txt')
    expect((await own.events(runId)).map(({ type }) => type)).toContain('tool.result')
    expect((await own.trace(runId)).used_tools.file_read?.count).toBe(1)
  })
})

describe('X-LIB-6: sessions and closing', () => {
  test('a session goes on under its id', async () => {
    const own = await opened([...READ, { purpose: 'main', text: 'Bread.' }])
    const { sessionId } = await own.run('read notes.txt')
    await expect(own.run('and bread?', { sessionId })).resolves.toMatchObject({ reply: 'Bread.', sessionId })
  })

  test('an unknown session is refused, for a run as for a workflow, in both languages', async () => {
    const own = await opened(READ)
    const refused = await own.run('x', { sessionId: 'ses_typo' }).catch((error) => error)
    expect(refused).toMatchObject({
      name: 'WritError',
      code: 'SESSION_UNKNOWN',
      hint: expect.stringContaining('sessionId'),
    })
    expect(refused.textIn('zh').message).toContain('ses_typo')
    const document = { name: 'w', nodes: [{ id: 'a', tool: 'file_list', args: { path: '.' } }] }
    await expect(own.workflows.run(document, {}, { sessionId: 'ses_typo' })).rejects.toMatchObject({
      code: 'SESSION_UNKNOWN',
    })
  })

  test('after close everything that needs the journal is AGENT_CLOSED, and closing again does nothing', async () => {
    const own = await open()
    await own.close()
    await own.close()
    const document = { name: 'w', nodes: [{ id: 'a', tool: 'file_list', args: { path: '.' } }] }
    const context = { packages: [], paths: [] }
    for (const use of [
      () => own.run('x'),
      () => own.stream('x').result,
      () => own.stream('x').next(),
      () => own.resume('run_x').result,
      () => own.trace('run_x'),
      () => own.events('run_x'),
      () => own.processMessage('x'),
      () => own.workflows.run(document),
      () => own.decisions.decide({ context }),
      async () => own.memory?.list({ limit: 1 }),
    ]) {
      await expect(use(), String(use)).rejects.toMatchObject({ name: 'WritError', code: 'AGENT_CLOSED' })
    }
  })

  test('a run that is on when its agent is closed stops with AGENT_CLOSED', async () => {
    const own = await opened(READ)
    const run = own.stream('read notes.txt')
    for await (const event of run) if (event.type === 'model.replied') break
    const other = own.stream('read notes.txt')
    await other.next()
    await own.close()
    await expect(other.result).rejects.toMatchObject({ code: 'AGENT_CLOSED' })
  })

  test('`await using` closes the agent', async () => {
    let kept: Agent
    {
      await using own = await open()
      await own.run('read notes.txt')
      kept = own
    }
    await expect(kept.run('x')).rejects.toMatchObject({ code: 'AGENT_CLOSED' })
  })
})

describe('X-LIB-3: a tool is defined with a schema of any kind', () => {
  interface Sent {
    to: string
    copies: number
  }
  /** The model sends an address with a capital and no number of copies. */
  async function sent(tool: Tool, args: unknown = { to: 'Ann@example.org' }): Promise<Event[]> {
    const own = await opened(
      [
        { purpose: 'main', calls: [{ tool: 'send_note', args }] },
        { purpose: 'main', text: 'Done.' },
      ],
      { tools: [tool as Tool], confirm: async () => 'y' },
    )
    const { runId } = await own.run('send a note to Ann@example.org')
    return own.events(runId)
  }
  const about = { name: 'send_note', description: 'Sends a note.' }
  const kept: Sent[] = []
  const execute = (args: Sent) => {
    kept.push(args)
    return `sent to ${args.to}`
  }
  beforeEach(() => {
    kept.length = 0
  })

  test('zod: the model is shown its JSON Schema, the tool gets the parsed value', async () => {
    const schema = z.object({ to: z.string().toLowerCase(), copies: z.int().default(1) })
    const tool = defineTool({ ...about, schema, execute })
    expect(tool.schema).toMatchObject({ type: 'object', required: ['to'], properties: { copies: { type: 'integer' } } })
    await sent(tool)
    expect(kept).toEqual([{ to: 'ann@example.org', copies: 1 }])
  })

  test('zod: what only zod can check is refused before anything runs, and reported to the model', async () => {
    const schema = z.object({ to: z.string().refine((text) => text.endsWith('.com'), 'only .com') })
    let looked = 0
    const preValidate = () => {
      looked += 1
      return {}
    }
    const events = await sent(defineTool({ ...about, schema, preValidate, execute: ({ to }) => to }))
    const [refused] = events.filter((event) => event.type === 'tool.result')
    expect(refused?.data).toMatchObject({
      denial: { reason: 'ARGS_INVALID', message: expect.stringContaining('to: only .com') },
    })
    expect(looked).toBe(0)
  })

  test('any Standard Schema with JSON Schema: also one that answers later', async () => {
    const schema: StandardSchema<Sent> = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: async (value) => ({ value: { ...(value as Sent), copies: 7 } }),
        jsonSchema: { input: () => ({ type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }) },
      },
    }
    await sent(defineTool({ ...about, schema, execute }))
    expect(kept).toEqual([{ to: 'Ann@example.org', copies: 7 }])
  })

  test('a Standard Schema without JSON Schema is an error that says what to do', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'valibot', validate: (value: unknown) => ({ value }) },
    } as const
    expect(() => defineTool({ ...about, schema, execute: () => '' })).toThrow(
      expect.objectContaining({ code: 'TOOL_SCHEMA', hint: expect.stringContaining('toStandardJsonSchema') }),
    )
    const dated = z.object({ at: z.date() })
    expect(() => defineTool({ ...about, schema: dated, execute: () => '' })).toThrow(
      expect.objectContaining({ code: 'TOOL_SCHEMA', hint: expect.stringContaining('JSON Schema') }),
    )
  })

  test('JSON Schema: arguments come as they were sent', async () => {
    const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
    const tool = defineTool({ ...about, schema, execute: ({ to }) => execute({ to, copies: 0 }) })
    await sent(tool)
    expect(kept).toEqual([{ to: 'Ann@example.org', copies: 0 }])
  })

  test('what runs is what was judged: a schema that changes its input changes a copy', async () => {
    const schema: StandardSchema<Sent> = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value) => ({ value: Object.assign(value as Sent, { to: 'eve@example.org', copies: 1 }) }),
        jsonSchema: { input: () => ({ type: 'object' }) },
      },
    }
    const events = await sent(defineTool({ ...about, schema, execute }))
    const [call] = events.filter((event) => event.type === 'tool.call')
    expect(call?.data).toMatchObject({ args: { to: 'Ann@example.org' } })
  })
})
