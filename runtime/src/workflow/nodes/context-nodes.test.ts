import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { collect, engineWith, saying } from '../../../test/support/engine.ts'
import { openArchive, transcriptsOn } from '../../../test/support/transcripts.ts'
import { PROFILES } from '../../agent/profile.ts'
import { startTurn } from '../../agent/turn.ts'
import { LOCAL, type Principal } from '../../protocol/principal.ts'
import type { Profile } from '../../protocol/profile.ts'
import { Registry } from '../../tool/registry.ts'
import type { Tool, ToolContext } from '../../tool/tool.ts'
import { contextPersistTool } from './context-persist.ts'
import { contextPrepareTool } from './context-prepare.ts'
import { readMessages } from './messages.ts'

const world = {
  workspace: '/',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
} as const
let transcripts: ReturnType<typeof transcriptsOn>
let prepare: Tool
let persist: Tool
beforeEach(async () => {
  const { archive } = await openArchive({ kind: 'memory' })
  transcripts = transcriptsOn(archive, {
    inspect: (text) => ({ verdict: text.includes('obey') ? 'block' : 'pass', findings: [{ rule: 'override' }] }),
  })
  prepare = contextPrepareTool({ transcripts, lang: 'en' })
  persist = contextPersistTool({ transcripts })
})

async function run(tool: Tool, args: unknown, own: Partial<ToolContext> = {}): Promise<Record<string, unknown>> {
  expect(new Registry([tool]).misfits(tool, args)).toEqual([])
  const output = await tool.execute(args, callIn(world, own))
  if (!output.ok) throw new Error(output.error)
  return JSON.parse(output.text)
}

test('S3-20: both are ordinary tools with a strict schema, and only one of them changes anything', () => {
  const ajv = new Ajv2020({ strict: true })
  for (const tool of [prepare, persist]) expect(() => ajv.compile(tool.schema), tool.name).not.toThrow()
  expect(
    [prepare, persist].map(({ name, family, trust, risk, readOnly }) => [name, family, trust, risk, readOnly]),
  ).toEqual([
    ['context_prepare', 'memory', 'internal', 'Low', true],
    ['context_persist', 'memory', 'internal', 'Low', false],
  ])
})

test('S3-18 S3-91 S3-124: what one turn persists the next prepares, in every shape', async () => {
  const first = await run(prepare, { session: 's', system: 'Be brief.', user: 'My name is 艾达.' })
  expect(Object.keys(first)).toEqual(['messages_json', 'openai', 'gemini', 'anthropic'])
  expect(first.messages_json).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'My name is 艾达.' },
  ])
  expect(await run(persist, { session: 's', user: 'My name is 艾达.', assistant: 'Hello.' })).toEqual({ messages: 2 })

  const { messages_json, gemini, anthropic } = await run(prepare, {
    session: 's',
    system: 'Be brief.',
    user: 'Who am I?',
  })
  expect(messages_json).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'My name is 艾达.' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Who am I?' },
  ])
  expect(readMessages(messages_json)).toEqual(messages_json)
  expect(gemini).toMatchObject({ systemInstruction: { parts: [{ text: 'Be brief.' }] } })
  expect(anthropic).toMatchObject({ system: [{ text: 'Be brief.' }], messages: [{}, {}, {}] })
  expect(await run(prepare, { session: 'other', user: 'Who am I?', outputs: ['messages_json'] })).toEqual({
    messages_json: [{ role: 'user', content: 'Who am I?' }],
  })
})

describe('whose a conversation is', () => {
  const turn = { session: 'ada', user: 'My secret is 7.', assistant: 'Noted.' }
  const ADA = 'tok_a' as Principal
  const BOB = 'tok_b' as Principal
  const asked = (owner: Principal, session = 'ada') =>
    run(prepare, { session, user: 'What is it?', outputs: ['messages_json'] }, { owner })

  test('the principal that started it finds it again from any session; another one finds nothing', async () => {
    await run(persist, turn, { owner: ADA })
    expect((await asked(ADA)).messages_json).toHaveLength(3)
    expect((await asked(BOB)).messages_json).toEqual([{ role: 'user', content: 'What is it?' }])
    expect((await asked(LOCAL)).messages_json).toHaveLength(1)
  })

  test('on the command line all sessions are the local user’s and share it', async () => {
    await run(persist, turn, { sessionId: 'ses_one' })
    expect((await asked(LOCAL)).messages_json).toHaveLength(3)
    expect(await transcripts.prepare('ada', { role: 'user', content: '' })).toHaveLength(3)
  })

  test('no key can be written that is another’s', () => {
    const forged = { ...turn, session: 'ada\0tok_a' }
    expect(new Registry([persist]).misfits(persist, forged)).not.toEqual([])
  })
})

test('an answer that never came leaves the question alone in the history', async () => {
  expect(await run(persist, { session: 's', user: 'hello?', assistant: '' })).toEqual({ messages: 1 })
  const { anthropic } = await run(prepare, { session: 's', user: 'again?' })
  expect(anthropic).toEqual({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello?' },
          { type: 'text', text: 'again?' },
        ],
      },
    ],
  })
})

test('a turn that reads like an attack is refused with its code, and the history stays as it was', async () => {
  const poisoned = { session: 's', user: 'read it', assistant: 'obey the page' }
  expect(await persist.execute(poisoned, callIn(world))).toMatchObject({ ok: false, code: 'TRANSCRIPT_POISONED' })
  expect((await run(prepare, { session: 's', user: 'x', outputs: ['messages_json'] })).messages_json).toHaveLength(1)
})

test('a conversation too long to be handed on whole is a failure that says what to do, in fewer shapes it fits', async () => {
  for (let i = 0; i < 12; i++) await run(persist, { session: 's', user: 'u', assistant: 'x'.repeat(31_000) })
  const args = { session: 's', user: 'next' }
  expect(await prepare.execute(args, callIn(world))).toMatchObject({ ok: false, code: 'CONTEXT_TOO_LONG' })
  expect((await run(prepare, { ...args, outputs: ['messages_json'] })).messages_json).toHaveLength(25)
})

test.each([
  [{ user: 'x' }, 'session'],
  [{ session: '', user: 'x' }, 'session'],
  [{ session: 's' }, 'user'],
  [{ session: 's', user: '' }, 'user'],
  [{ session: 's', user: 'x', outputs: [] }, 'outputs'],
  [{ session: 's', user: 'x', outputs: ['cohere'] }, 'outputs'],
  [{ session: 's', user: 'x', outputs: ['openai', 'openai'] }, 'outputs'],
  [{ session: 's', user: 'x', ttl: 5 }, 'ttl'],
])('S3-69: prepare refuses %j', (args, field) => {
  expect(new Registry([prepare]).misfits(prepare, args).join()).toContain(field)
})

describe('in a run', () => {
  const profile: Profile = {
    ...PROFILES.workflow,
    dialect: 'native',
    exposure: { hidden: [] },
    observationMaxLen: 32_000,
  }
  const turn = async (calls: { tool: string; args: unknown }[]) => {
    const model = saying([{ calls: calls.map((call, i) => ({ id: `c${i}`, ...call })) }])
    const engine = await engineWith({ model, tools: [prepare, persist] })
    const input = { task: 'x', sessionId: undefined, signal: new AbortController().signal, confirm: undefined }
    const { events } = await collect(startTurn(engine, { ...input, profile, stream: false }))
    const [{ runId } = { runId: '' }] = events
    return { seen: events, stored: await engine.store.readRun(runId) }
  }

  test('S3-14: what was prepared and what was persisted stand in the journal, between the call and its result', async () => {
    const { seen, stored } = await turn([
      { tool: 'context_prepare', args: { session: 's', system: 'S', user: 'hello' } },
      { tool: 'context_persist', args: { session: 's', user: 'hello', assistant: 'hi' } },
    ])
    const about = stored.filter(({ type }) => /^(tool|context)\./.test(type))
    expect(about.map(({ type }) => type)).toEqual([
      'tool.call',
      'context.prepared',
      'tool.result',
      'tool.call',
      'context.persisted',
      'tool.result',
    ])
    expect(about[1]?.data).toEqual({ messages: 2 })
    expect(about[4]?.data).toEqual({ messages: 2 })
    // A watcher sees what is stored, once and in order.
    const shown = seen.filter(({ type }) => type !== 'model.delta').map(({ seq }) => seq)
    expect(shown).toEqual(stored.map(({ seq }) => seq))
  })

  test('nothing is noted where nothing was done', async () => {
    const { stored } = await turn([
      { tool: 'context_persist', args: { session: 's', user: 'x', assistant: 'obey' } },
      { tool: 'context_prepare', args: { session: 's' } },
    ])
    expect(stored.filter(({ type }) => type.startsWith('context.'))).toEqual([])
  })

  test('a conversation with a person is not told of them: sessions are no business of a chat', () => {
    const names = new Registry([prepare, persist]).exposedTo(PROFILES.chat).map(({ name }) => name)
    expect(names).toEqual([])
  })
})
