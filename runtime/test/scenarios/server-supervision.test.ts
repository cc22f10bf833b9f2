/** Rules, reasons and edits over HTTP: answered later, perhaps at another server. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace } from '../support/cli.ts'
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

async function tokenWith(name: string, scopes: string): Promise<string> {
  const cli = makePlace()
  try {
    const words = ['token', 'add', name, '--scopes', scopes, '--data', place.data]
    return (await cli.writ(words, { env: { HOME: place.home } })).stdout.trim()
  } finally {
    cli.remove()
  }
}

const change = (n: number): Part[] => [{ calls: [call('change', { n })] }]
const start = (steps: Part[][], token?: string) =>
  place.start({ model: speaking(steps), tools: spyTools(deeds), ...(token === undefined ? {} : { token }) })
const newSession = async (api: TestServer['api']) => (await api.call('POST /api/sessions', {})).sessionId
const say = (api: TestServer['api'], id: string) =>
  api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'change it' } })
const committed = (server: TestServer, id: string) =>
  readUntil(server.api.stream('GET /api/runs/:id/events', { params: { id } }), 'turn.committed')
type Body = {
  answer: 'y' | 'n' | 'a'
  remember?: { offer: number; scope: 'session' | 'workspace' | 'always' }
  reason?: string
  edit?: Record<string, unknown>
}

async function parked(server: TestServer, api = server.api) {
  const id = await newSession(api)
  const { runId, question } = await say(api, id)
  const callId = question?.callId ?? ''
  const answer = (body: Body, by = api) =>
    by.call('POST /api/approvals/:runId', { params: { runId }, body: { callId, ...body } })
  return { id, runId, callId, question, answer }
}

test('a rule remembered for the workspace holds for the next session, is listed, and is revoked at once', async () => {
  const server = await start([change(1), ['ok'], change(2), ['ok'], change(3)])
  const { runId, answer, question } = await parked(server)
  expect(question?.offers).toEqual([{ rules: [{ tool: 'change', decide: 'allow' }] }])
  await answer({ answer: 'y', remember: { offer: 0, scope: 'workspace' } })
  await committed(server, runId)
  const view = await server.api.call('GET /api/runs/:id', { params: { id: runId } })
  expect(view.approvals).toMatchObject([{ answer: 'y', remembered: 'all calls of change' }])

  expect(await say(server.api, await newSession(server.api))).toMatchObject({ stopReason: 'final' })
  const { rules } = await server.api.call('GET /api/rules', {})
  expect(rules).toMatchObject([{ scope: 'workspace', text: 'all calls of change', by: 'admin' }])
  const id = rules[0]?.id ?? ''
  await server.api.call('DELETE /api/rules/:id', { params: { id } })
  await expect(server.api.call('DELETE /api/rules/:id', { params: { id } })).rejects.toMatchObject({ status: 404 })
  expect(await say(server.api, await newSession(server.api))).toMatchObject({ stopReason: 'parked' })
  expect(deeds.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }])
})

test('X-RULES-5: without the right to change the configuration, a rule can be remembered for the session only', async () => {
  const server = await start([change(1), ['ok'], change(2), ['ok'], change(3)])
  const bob = server.as(await tokenWith('bob', 'run,approve'))
  const { id, answer, runId } = await parked(server, bob)
  for (const scope of ['workspace', 'always'] as const)
    await expect(answer({ answer: 'y', remember: { offer: 0, scope } })).rejects.toMatchObject({
      status: 403,
      code: 'SCOPE_MISSING',
    })
  await answer({ answer: 'y', remember: { offer: 0, scope: 'session' } })
  await committed(server, runId)
  expect(await say(bob, id)).toMatchObject({ stopReason: 'final' })

  const { rules } = await bob.call('GET /api/sessions/:id', { params: { id } })
  expect(rules).toMatchObject([{ scope: 'session', text: 'all calls of change' }])
  await bob.call('DELETE /api/sessions/:id/rules/:rule', { params: { id, rule: rules[0]?.id ?? '' } })
  expect((await bob.call('GET /api/sessions/:id', { params: { id } })).rules).toEqual([])
  expect(await say(bob, id)).toMatchObject({ stopReason: 'parked' })
  expect((await server.api.call('GET /api/rules', {})).rules).toEqual([])
})

test.each<[string, Body]>([
  ['an offer that is not there', { answer: 'y', remember: { offer: 4, scope: 'session' } }],
  ['a rule with a no', { answer: 'n', remember: { offer: 0, scope: 'session' } }],
  ['a reason with a yes', { answer: 'y', reason: 'why not' }],
  ['a reason that is too long', { answer: 'n', reason: 'x'.repeat(1001) }],
  ['an edit with a no', { answer: 'n', edit: { n: 2 } }],
  ['an edit with a masked value', { answer: 'y', edit: { n: 1, text: '[REDACTED:secret]' } }],
  ['an edit and a rule', { answer: 'y', edit: { n: 2 }, remember: { offer: 0, scope: 'session' } }],
])('%s is a bad request, and the question stays open', async (_, body) => {
  const server = await start([change(1), ['ok']])
  const { answer } = await parked(server)
  await expect(answer(body)).rejects.toMatchObject({ status: 400 })
  expect((await server.api.call('GET /api/approvals', {})).open).toHaveLength(1)
  expect(deeds).toEqual([])
})

test('an edit given to another server is judged there, asked about again, and runs as changed', async () => {
  const first = await start([change(1)])
  const { runId, callId, answer: _ } = await parked(first)
  await first.stop()
  const second = await start([['changed']], first.token)
  const answer = (body: Body) =>
    second.api.call('POST /api/approvals/:runId', { params: { runId }, body: { callId, ...body } })
  await answer({ answer: 'y', edit: { n: 7 } })
  await expect
    .poll(async () => (await second.api.call('GET /api/approvals', {})).open.map(({ question }) => question.edited))
    .toEqual([true])
  expect(deeds).toEqual([])
  await answer({ answer: 'y' })
  await committed(second, runId)
  expect(deeds).toMatchObject([{ args: { n: 7 } }])
})

test('a reason reaches the model; an approver who does not own the session may give one, but not edit the call', async () => {
  const model = speaking([change(1), ['as you wish']])
  const server = await place.start({ model, tools: spyTools(deeds) })
  const eve = server.as(await tokenWith('eve', 'approve:all'))
  const { answer, runId } = await parked(server)
  await expect(answer({ answer: 'y', edit: { n: 9 } }, eve)).rejects.toMatchObject({ status: 403, code: 'NOT_YOURS' })
  await answer({ answer: 'n', reason: 'not on a Friday' }, eve)
  await committed(server, runId)
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('the user said no: not on a Friday')
  expect(deeds).toEqual([])
})

test('an offer that was changed in the stored journal grants nothing', async () => {
  const first = await start([change(1)])
  const { runId, callId } = await parked(first)
  await first.stop()
  const db = new DatabaseSync(join(place.data, 'journal.db'))
  const row = db.prepare("select seq, data from events where type = 'confirm.asked'").get() as {
    seq: number
    data: string
  }
  const forged = row.data.replaceAll('{"decide":"allow","tool":"change"}', '{"decide":"allow","tool":"*"}')
  expect(forged).not.toBe(row.data)
  db.prepare('update events set data = ? where run_id = ? and seq = ?').run(forged, runId, row.seq)
  db.close()

  const second = await start([['changed']], first.token)
  const body = { callId, answer: 'y', remember: { offer: 0, scope: 'always' } } as const
  await expect(second.api.call('POST /api/approvals/:runId', { params: { runId }, body })).rejects.toMatchObject({
    code: 'RUN_NOT_RESUMABLE',
  })
  expect((await second.api.call('GET /api/rules', {})).rules).toEqual([])
  expect(deeds).toEqual([])
})
