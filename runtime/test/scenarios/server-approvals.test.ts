/** Questions wait in the journal: they can be answered later and by another process. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { performerOf } from '../../src/assembly/jobs.ts'
import { drain } from '../../src/base/wait.ts'
import type { AgentConfig } from '../../src/config/schema.ts'
import { questionOf } from '../../src/journal/questions.ts'
import type { AppendListener } from '../../src/journal/store.ts'
import type { EventOf } from '../../src/protocol/event.ts'
import type { Frame } from '../../src/server/client.ts'
import type { CallFacts } from '../../src/tool/tool.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import {
  call,
  makeServerPlace,
  type Part,
  readUntil,
  speaking,
  type TestPlace,
  type TestServer,
} from '../support/server.ts'

let place: TestPlace
let deeds: Deed[]
beforeEach(() => {
  place = makeServerPlace()
  deeds = []
})
afterEach(() => place.remove())

const start = (steps: Part[][], token?: string) =>
  place.start({ model: speaking(steps), tools: spyTools(deeds), ...(token === undefined ? {} : { token }) })
const startShowing = (preValidate: () => CallFacts, steps: Part[][]) => {
  const tools = spyTools(deeds).map((tool) => (tool.name === 'change' ? { ...tool, preValidate } : tool))
  return place.start({ model: speaking(steps), tools })
}
const newSession = async ({ api }: TestServer) => (await api.call('POST /api/sessions', {})).sessionId
const say = (server: TestServer, id: string, text: string) =>
  server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
const answer = (
  server: TestServer,
  runId: string,
  body: { callId: string; answer: 'y' | 'n' | 'a'; asked?: number | undefined },
) => server.api.call('POST /api/approvals/:runId', { params: { runId }, body })
const committed = (server: TestServer, id: string) =>
  readUntil(server.api.stream('GET /api/runs/:id/events', { params: { id } }), 'turn.committed')

test('a call that needs approval parks the run, is listed with what will run, and continues when it is answered', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 })] }], ['changed it']])
  const id = await newSession(server)
  const parked = await say(server, id, 'change it')
  expect(parked).toMatchObject({ stopReason: 'parked', reply: '', question: { tool: 'change', risk: 'Medium' } })
  expect(deeds).toEqual([])
  const { runId, question } = parked
  const callId = question?.callId ?? ''

  const { open } = await server.api.call('GET /api/approvals', {})
  expect(open).toMatchObject([
    { runId, sessionId: id, task: 'change it', question: { callId, preview: expect.stringContaining('"n": 1') } },
  ])
  expect((await server.api.call('GET /api/sessions', {})).sessions).toMatchObject([{ state: 'waiting' }])
  expect((await server.api.call('GET /api/sessions/:id', { params: { id } })).question).toMatchObject({ callId })
  await expect(say(server, id, 'never mind')).rejects.toMatchObject({ status: 409, code: 'SESSION_WAITING' })

  expect(await answer(server, runId, { callId, answer: 'y' })).toEqual({ runId })
  await committed(server, runId)
  expect(deeds).toMatchObject([{ tool: 'change', args: { n: 1 } }])
  const view = await server.api.call('GET /api/runs/:id', { params: { id: runId } })
  expect(view).toMatchObject({ run: { stopReason: 'final' }, approvals: [{ callId, answer: 'y', by: 'admin' }] })
  expect((await server.api.call('GET /api/approvals', {})).open).toEqual([])
  await expect(answer(server, runId, { callId, answer: 'y' })).rejects.toMatchObject({
    status: 409,
    code: 'QUESTION_CLOSED',
  })
})

test('an answer given as soon as the question is seen counts, although its run is still being parked', async () => {
  const turns = [1, 2, 3, 4, 5]
  const server = await start(turns.flatMap((n) => [[{ calls: [call('change', { n })] }], ['done']]))
  const id = await newSession(server)
  for (const n of turns) {
    const input = { params: { id }, body: { text: `change ${n}` } }
    const frames = await readUntil(server.api.stream('POST /api/sessions/:id/messages', input), 'confirm.asked')
    const { runId, data } = (frames.at(-1) as Frame).data as EventOf<'confirm.asked'>
    await answer(server, runId, { callId: data.question.callId, answer: 'y' })
    await committed(server, runId)
  }
  expect(deeds).toHaveLength(turns.length)
})

test('a question survives the server that asked it', async () => {
  const first = await start([[{ calls: [call('change', { n: 7 })] }]])
  const id = await newSession(first)
  const { runId, question } = await say(first, id, 'change it')
  await first.stop()

  const second = await start([['changed after all']], first.token)
  const { open } = await second.api.call('GET /api/approvals', {})
  expect(open).toMatchObject([{ runId, question: { callId: question?.callId } }])
  await answer(second, runId, { callId: question?.callId ?? '', answer: 'y' })
  await committed(second, runId)
  expect(deeds).toMatchObject([{ args: { n: 7 } }])
  const { messages } = await second.api.call('GET /api/sessions/:id', { params: { id } })
  expect(messages.at(-1)).toMatchObject({ text: 'changed after all' })
})

test('after a no nothing runs and the model sees the denial', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 })] }], ['as you wish']])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'change it')
  await answer(server, runId, { callId: question?.callId ?? '', answer: 'n' })
  await committed(server, runId)
  expect(deeds).toEqual([])
  const { trace } = await server.api.call('GET /api/runs/:id/trace', { params: { id: runId } })
  expect(trace).toMatchObject([{ error: 'USER_REJECTED' }])
})

test('an answer counts only for its own question; the next one is asked again', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 }), call('danger', { n: 2 })] }], ['done']])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'do both')
  await answer(server, runId, { callId: question?.callId ?? '', answer: 'y' })
  await expect
    .poll(async () => (await server.api.call('GET /api/approvals', {})).open.map((each) => each.question.tool))
    .toEqual(['danger'])
  expect(deeds.map(({ tool }) => tool)).toEqual(['change'])
  await expect(answer(server, runId, { callId: question?.callId ?? '', answer: 'y' })).rejects.toMatchObject({
    status: 409,
  })
})

test('a call whose preview has changed needs approval again', async () => {
  let stage = 'staging'
  const server = await startShowing(
    () => ({ preview: `deploy to ${stage}`, risk: stage === 'staging' ? 'Medium' : 'High' }),
    [[{ calls: [call('change', { n: 1 })] }], ['deployed']],
  )
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'deploy it')
  expect(question).toMatchObject({ risk: 'Medium', preview: 'deploy to staging' })
  const [shown] = (await server.api.call('GET /api/approvals', {})).open
  stage = 'PRODUCTION'
  const yes = { callId: question?.callId ?? '', answer: 'y' as const }
  await answer(server, runId, yes)
  const open = async () => (await server.api.call('GET /api/approvals', {})).open.map((each) => each.question)
  await expect.poll(open).toMatchObject([{ callId: yes.callId, risk: 'High', preview: 'deploy to PRODUCTION' }])
  expect(deeds).toEqual([])
  expect((await server.api.call('GET /api/runs/:id', { params: { id: runId } })).approvals).toEqual([])

  await expect(answer(server, runId, { ...yes, asked: shown?.asked })).rejects.toMatchObject({ status: 409 })
  expect(deeds).toEqual([])
  await answer(server, runId, yes)
  await committed(server, runId)
  expect(deeds).toHaveLength(1)
})

test('an answer lost with its worker is not applied to a changed question', async () => {
  let preview = 'deploy to staging'
  const { workspace, data } = place
  const tools = spyTools(deeds).map((tool) => ({ ...tool, preValidate: () => ({ preview }) }))
  const model = speaking([[{ calls: [call('change', { n: 1 })] }], ['deployed']])
  const agent = await createAgent({ workspace, data, config: {}, model, tools, confirm: async () => 'later' })
  const { runId } = await agent.run('deploy it')
  const callId = (await questionOf(agent.store, runId))?.callId ?? ''
  const { signal } = new AbortController()
  const goOn = () => performerOf(() => agent).resume(runId, { signal, answer: { callId, answer: 'y', by: 'ann' } })
  preview = 'deploy to PRODUCTION'
  for await (const event of goOn()) if (event.type === 'run.parked') break
  const marks = await agent.store.readOf([runId], ['confirm.asked', 'run.parked'])
  expect(marks.map(({ type }) => type)).toEqual(['confirm.asked', 'run.parked', 'confirm.asked'])

  await drain(goOn())
  expect(deeds).toEqual([])
  await drain(goOn())
  expect(deeds).toHaveLength(1)
  await agent.close()
})

test.each([
  ['a secret that the journal masks', () => 'set password = "correct-horse-battery"'],
  ['a time reckoned from now', () => `next ${new Date().toISOString()}`],
])('%s does not change the identity of a question', async (_what, preview) => {
  const server = await startShowing(() => ({ preview: preview() }), [[{ calls: [call('change', { n: 1 })] }], ['set']])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'set it')
  await answer(server, runId, { callId: question?.callId ?? '', answer: 'y' })
  await committed(server, runId)
  expect(deeds).toHaveLength(1)
})

test('a call with a secret is denied with the reason, not parked: an approval could not be used', async () => {
  const secret = 'sk-abcdefghijklmnopqrstuvwxyz012345'
  const server = await start([[{ calls: [call('change', { n: 1, text: secret })] }], ['a variable is needed']])
  const id = await newSession(server)
  expect(await say(server, id, 'change it')).toMatchObject({ stopReason: 'final', reply: 'a variable is needed' })
  expect((await server.api.call('GET /api/approvals', {})).open).toEqual([])
  expect(deeds).toEqual([])
})

test('"always" applies to the session until it is revoked', async () => {
  const step = () => [{ calls: [call('change', { n: 1 })] }]
  const server = await start([step(), ['one'], step(), ['two'], step()])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'change it')
  await answer(server, runId, { callId: question?.callId ?? '', answer: 'a' })
  await committed(server, runId)
  expect(await say(server, id, 'again')).toMatchObject({ reply: 'two' })
  expect((await server.api.call('GET /api/sessions/:id', { params: { id } })).approvals).toEqual(['change'])

  const key = 'change'
  await server.api.call('DELETE /api/sessions/:id/approvals/:key', { params: { id, key } })
  const { runs } = await server.api.call('GET /api/runs', { query: { session: id } })
  const latest = await server.api.call('GET /api/runs/:id', { params: { id: runs[0]?.runId ?? '' } })
  expect(latest.approvals).toMatchObject([{ callId: '', answer: 'n', by: 'admin', keys: [key] }])
  expect(await say(server, id, 'once more')).toMatchObject({ stopReason: 'parked' })
  const again = server.api.call('DELETE /api/sessions/:id/approvals/:key', { params: { id, key } })
  await expect(again).rejects.toMatchObject({ status: 404 })
})

test('a waiting run can be stopped, and the session continues', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 })] }], ['hello again']])
  const id = await newSession(server)
  const { runId } = await say(server, id, 'change it')
  expect(await server.api.call('POST /api/sessions/:id/abort', { params: { id } })).toEqual({ aborted: [runId] })
  expect((await server.api.call('GET /api/runs/:id', { params: { id: runId } })).run.stopReason).toBe('aborted')
  expect(await say(server, id, 'hello')).toMatchObject({ reply: 'hello again' })
  expect(deeds).toEqual([])
})

test('of two concurrent answers, one counts', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 })] }], ['done']])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'change it')
  const said = { callId: question?.callId ?? '', answer: 'y' as const }
  const both = await Promise.allSettled([answer(server, runId, said), answer(server, runId, said)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await committed(server, runId)
  expect(deeds.length).toBe(1)
})

test('a queued message is refused when its turn comes after an open question', async () => {
  const go = Promise.withResolvers<void>()
  const server = await start([[go.promise, { calls: [call('change', { n: 1 })] }], ['never said']])
  const id = await newSession(server)
  const first = say(server, id, 'change it')
  await expect.poll(() => server.running()).toBe(1)
  const second = say(server, id, 'and now?')
  const refused = expect(second).rejects.toMatchObject({ status: 409, code: 'SESSION_WAITING' })
  await expect.poll(() => server.running()).toBe(2)
  go.resolve()
  expect(await first).toMatchObject({ stopReason: 'parked' })
  await refused
  expect((await server.api.call('GET /api/sessions/:id', { params: { id } })).messages).toHaveLength(1)
})

test('revoking an approval during a run applies from the next run on and does not affect the current one', async () => {
  const go = Promise.withResolvers<void>()
  const change = () => [{ calls: [call('change', { n: 1 })] }]
  const server = await start([change(), ['one'], [go.promise, ...change()], ['two'], change()])
  const id = await newSession(server)
  const { runId, question } = await say(server, id, 'change it')
  await answer(server, runId, { callId: question?.callId ?? '', answer: 'a' })
  await committed(server, runId)

  const second = say(server, id, 'change it again')
  await expect.poll(() => server.running()).toBe(1)
  const params = { id, key: 'change' }
  const revoked = server.api.call('DELETE /api/sessions/:id/approvals/:key', { params })
  await expect.poll(() => server.running()).toBe(2)
  go.resolve()
  expect(await second).toMatchObject({ stopReason: 'final', reply: 'two' })
  expect(await revoked).toEqual({ ok: true })
  expect(deeds).toHaveLength(2)
  expect(await say(server, id, 'and again')).toMatchObject({ stopReason: 'parked' })
})

test('revoking an approval on another server does not affect a waiting question', async () => {
  const one = await start([
    [{ calls: [call('change', { n: 1 })] }],
    ['one'],
    [{ calls: [call('danger', { n: 2 })] }],
    ['two'],
  ])
  const id = await newSession(one)
  const first = await say(one, id, 'change it')
  await answer(one, first.runId, { callId: first.question?.callId ?? '', answer: 'a' })
  await committed(one, first.runId)
  const { runId, question } = await say(one, id, 'and something dangerous')

  const two = await start([], one.token)
  await two.api.call('DELETE /api/sessions/:id/approvals/:key', { params: { id, key: 'change' } })
  const { open } = await one.api.call('GET /api/approvals', {})
  expect(open).toMatchObject([{ runId, question: { callId: question?.callId, tool: 'danger' } }])
  await expect(say(one, id, 'never mind')).rejects.toMatchObject({ code: 'SESSION_WAITING' })
  await answer(one, runId, { callId: question?.callId ?? '', answer: 'y' })
  await committed(one, runId)
  expect(deeds.map(({ tool }) => tool)).toEqual(['change', 'danger'])
  const { messages, approvals } = await two.api.call('GET /api/sessions/:id', { params: { id } })
  expect([messages.at(-1)?.text, approvals]).toEqual(['two', []])
})

test('the tightened settings of a run also apply when another process resumes it', async () => {
  const server = await start([[{ calls: [call('change', { n: 1 })] }]])
  writeFileSync(join(place.workspace, 'plans.txt'), 'the plans')
  const id = await newSession(server)
  const { config } = await server.api.call('GET /api/config', {})
  const blockedPaths = [...(config as AgentConfig).security.blockedPaths, 'plans.txt']
  await server.api.call('PUT /api/config', { body: { agent: { security: { blockedPaths } } } })
  const { runId } = await say(server, id, 'change it')
  await server.stop()

  const reads = { calls: [call('file_read', { path: 'plans.txt' })] }
  const { workspace, data, home } = place
  const model = speaking([[reads], ['done'], [reads], ['done']])
  const stored: string[] = []
  const onAppend: AppendListener = (events) => stored.push(...events.map(({ type }) => type))
  const other = await createAgent({
    workspace,
    data,
    env: { HOME: home, PATH: process.env.PATH },
    config: {},
    model,
    tools: spyTools(deeds),
    onAppend,
    confirm: async () => 'y',
  })
  const { reply } = await drain(other.resume(runId))
  const { trace } = await other.trace(runId)
  expect([reply, trace.map(({ error }) => error)]).toEqual(['done', [undefined, 'PRE_VALIDATE_REJECTED/PATH_BLOCKED']])
  expect(deeds).toHaveLength(1)
  expect(stored).toContain('turn.committed')

  const free = await other.run('read the plans')
  expect((await other.trace(free.runId)).trace[0]?.observation).toContain('the plans')
  await other.close()
})
