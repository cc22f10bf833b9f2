/** Access to sessions, runs and questions of another principal by scope, for every endpoint. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/base/hash.ts'
import { contract } from '../../src/server/contract/contract.ts'
import { makePlace } from '../support/cli.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import { makePng } from '../support/pictures.ts'
import { call, makeServerPlace, speaking, type TestPlace, type TestServer } from '../support/server.ts'

let place: TestPlace
let server: TestServer
let deeds: Deed[]
/** Ada's session, its run, and the question it waits with. */
let ada: { sessionId: string; runId: string; callId: string }

beforeEach(async () => {
  place = makeServerPlace()
  deeds = []
  server = await place.start({
    model: speaking([[{ calls: [call('change', { n: 1 })] }], ['changed']]),
    tools: spyTools(deeds),
    config: { agent: { modelInput: ['image'] } },
  })
  const own = server.as(await tokenWith('ada', 'run,approve'))
  const { sessionId } = await own.call('POST /api/sessions', {})
  const said = {
    params: { id: sessionId },
    body: { text: 'change it', attachments: [{ name: 'a.png', data: png.toString('base64') }] },
  }
  const { runId, question } = await own.call('POST /api/sessions/:id/messages', said)
  ada = { sessionId, runId, callId: question?.callId ?? '' }
})
afterEach(() => place.remove())

const png = makePng()

async function tokenWith(name: string, scopes: string): Promise<string> {
  const cli = makePlace()
  try {
    const words = ['token', 'add', name, '--scopes', scopes, '--data', place.data]
    const { stdout, stderr } = await cli.writ(words, { env: { HOME: place.home } })
    expect(stderr).toContain(name)
    return stdout.trim()
  } finally {
    cli.remove()
  }
}

type Key = keyof typeof contract

/** Endpoints that name a session, a run or a question, each about Ada's. */
const ABOUT: Partial<Record<Key, { path?: () => string; body?: () => object }>> = {
  'GET /api/sessions/:id': { path: () => `/api/sessions/${ada.sessionId}` },
  'GET /api/sessions/:id/events': { path: () => `/api/sessions/${ada.sessionId}/events` },
  'GET /api/runs': { path: () => `/api/runs?session=${ada.sessionId}` },
  'GET /api/runs/:id': { path: () => `/api/runs/${ada.runId}` },
  'GET /api/runs/:id/events': { path: () => `/api/runs/${ada.runId}/events` },
  'GET /api/runs/:id/calls': { path: () => `/api/runs/${ada.runId}/calls?before=9.1` },
  'GET /api/runs/:id/trace': { path: () => `/api/runs/${ada.runId}/trace` },
  'GET /api/runs/:id/files/:sha256': { path: () => `/api/runs/${ada.runId}/files/${sha256(png)}` },
  'GET /api/runs/:id/export': { path: () => `/api/runs/${ada.runId}/export` },
  'GET /api/scouts': { path: () => `/api/scouts?run=${ada.runId}` },
  'POST /api/what-if': { body: () => ({ config: {}, runId: ada.runId }) },
  'POST /api/sessions/:id/messages': {
    path: () => `/api/sessions/${ada.sessionId}/messages`,
    body: () => ({ text: 'hello' }),
  },
  'POST /api/sessions/:id/abort': { path: () => `/api/sessions/${ada.sessionId}/abort` },
  'POST /api/runs/:id/abort': { path: () => `/api/runs/${ada.runId}/abort` },
  'POST /api/runs/:id/resume': { path: () => `/api/runs/${ada.runId}/resume` },
  'GET /api/runs/:id/undo': { path: () => `/api/runs/${ada.runId}/undo` },
  'POST /api/runs/:id/undo': { path: () => `/api/runs/${ada.runId}/undo` },
  'DELETE /api/sessions/:id/approvals/:key': { path: () => `/api/sessions/${ada.sessionId}/approvals/none` },
  'DELETE /api/sessions/:id/rules/:rule': { path: () => `/api/sessions/${ada.sessionId}/rules/none` },
  'PATCH /api/sessions/:id': { path: () => `/api/sessions/${ada.sessionId}`, body: () => ({ title: 'mine' }) },
  'DELETE /api/sessions/:id': { path: () => `/api/sessions/${ada.sessionId}` },
  'POST /api/approvals/:runId': {
    path: () => `/api/approvals/${ada.runId}`,
    body: () => ({ callId: 'another', answer: 'y' }),
  },
}

/** The response to a token for something of Ada's: 200, or the error. */
async function reach(token: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [key, { path, body }] of Object.entries(ABOUT)) {
    const [method = '', plain = ''] = key.split(' ')
    const json = { body: JSON.stringify(body?.() ?? {}), headers: { 'content-type': 'application/json' } }
    const init = method === 'POST' || method === 'PATCH' ? { method, token, ...json } : { method, token }
    const response = await server.request(path?.() ?? plain, init)
    const text = await response.text()
    const code = response.ok ? '' : (JSON.parse(text) as { error: { code: string } }).error.code
    found[key] = code || String(response.status)
  }
  return found
}

const each = (keys: readonly string[], outcome: string) => Object.fromEntries(keys.map((key) => [key, outcome]))
const CHANGES = [
  'PATCH /api/sessions/:id',
  'POST /api/sessions/:id/abort',
  'POST /api/runs/:id/abort',
  'POST /api/runs/:id/resume',
  'GET /api/runs/:id/undo',
  'POST /api/runs/:id/undo',
]
/** Deletes what the journal has recorded, so it needs `admin` even of the owner. */
const ERASES = { 'DELETE /api/sessions/:id': 'SCOPE_MISSING' }
const READS = Object.keys(ABOUT).filter(
  (key) => (key.startsWith('GET ') && !CHANGES.includes(key)) || key === 'POST /api/what-if',
)
const ANSWERS = [
  'DELETE /api/sessions/:id/approvals/:key',
  'DELETE /api/sessions/:id/rules/:rule',
  'POST /api/approvals/:runId',
]

/** What the lists show to a token. */
async function lists(token: string) {
  const api = server.as(token)
  return {
    sessions: (await api.call('GET /api/sessions', {})).sessions.length,
    runs: (await api.call('GET /api/runs', {})).runs.length,
    questions: (await api.call('GET /api/approvals', {})).open.length,
    counted: (await api.call('GET /api/stats', {})).runs.started,
  }
}

test('every endpoint about a session, a run or a question is covered here', () => {
  const named = Object.keys(contract).filter((key) => /(?:sessions|runs|approvals)\/:/.test(key))
  expect(named.filter((key) => !(key in ABOUT))).toEqual([])
})

describe('what belongs to another principal', () => {
  test('without an :all scope nothing is visible', async () => {
    const token = await tokenWith('bob', 'run,approve')
    expect(await reach(token)).toEqual({ ...each(Object.keys(ABOUT), 'NOT_YOURS'), ...ERASES })
    expect(await lists(token)).toEqual({ sessions: 0, runs: 0, questions: 0, counted: 0 })
  })

  test('read:all can read everything and change nothing', async () => {
    const token = await tokenWith('auditor', 'read:all')
    expect((await server.as(token).call('GET /api/info', {})).scopes).toEqual(['read', 'read:all'])
    expect(await reach(token)).toEqual({
      ...each(READS, '200'),
      ...each([...CHANGES, ...ANSWERS, 'POST /api/sessions/:id/messages'], 'SCOPE_MISSING'),
      ...ERASES,
    })
    expect(await lists(token)).toEqual({ sessions: 1, runs: 1, questions: 1, counted: 1 })
  })

  test('read:all with run and approve: everything is readable, only own sessions can be changed', async () => {
    const token = await tokenWith('lead', 'run,approve,read:all')
    expect(await reach(token)).toEqual({
      ...each(READS, '200'),
      ...each([...CHANGES, ...ANSWERS, 'POST /api/sessions/:id/messages'], 'NOT_YOURS'),
      ...ERASES,
    })
    expect(deeds).toEqual([])
  })

  test.each([
    ['en', (scope: string) => `Use a token of its principal, or one with the scope ${scope}.`],
    ['zh', (scope: string) => `请使用该主体的令牌，或带有 ${scope} 权限的令牌。`],
  ] as const)('a refusal names the one scope that would help (%s)', async (lang, hint) => {
    const told = async (token: string, path: string, method = 'POST', body: object = {}) => {
      const headers = { 'content-type': 'application/json', 'accept-language': lang }
      const init =
        method === 'GET' ? { method, token, headers } : { method, token, headers, body: JSON.stringify(body) }
      const response = await server.request(path, init)
      return ((await response.json()) as { error: { hint: string } }).error.hint
    }
    const desk = await tokenWith('desk', 'approve:all')
    const lead = await tokenWith('lead', 'run,approve,read:all')
    expect(await told(desk, `/api/runs/${ada.runId}/trace`, 'GET')).toBe(hint('read:all'))
    const answer = { callId: ada.callId, answer: 'y' }
    expect(await told(lead, `/api/approvals/${ada.runId}`, 'POST', answer)).toBe(hint('approve:all'))
    expect(await told(lead, `/api/runs/${ada.runId}/abort`)).toBe(hint('admin'))
    expect(await told(lead, `/api/runs/${ada.runId}/resume`)).toBe(hint('admin'))
  })

  test('approve:all can see and answer all questions, and reads nothing else of other principals', async () => {
    const token = await tokenWith('desk', 'approve:all')
    const api = server.as(token)
    expect((await api.call('GET /api/info', {})).scopes).toEqual(['read', 'approve', 'approve:all'])
    expect(await reach(token)).toEqual({
      ...each(READS, 'NOT_YOURS'),
      ...each([...CHANGES, 'POST /api/sessions/:id/messages'], 'SCOPE_MISSING'),
      ...ERASES,
      'DELETE /api/sessions/:id/approvals/:key': 'APPROVAL_UNKNOWN',
      'DELETE /api/sessions/:id/rules/:rule': 'RULE_UNKNOWN',
      'POST /api/approvals/:runId': 'QUESTION_CLOSED',
    })
    expect(await lists(token)).toEqual({ sessions: 0, runs: 0, questions: 1, counted: 0 })
    const { runId, callId } = ada
    await api.call('POST /api/approvals/:runId', { params: { runId }, body: { callId, answer: 'y' } })
    await expect.poll(() => deeds.length).toBe(1)
    const view = () => server.api.call('GET /api/runs/:id', { params: { id: runId } })
    await expect.poll(async () => (await view()).approvals).toMatchObject([{ callId, answer: 'y', by: 'desk' }])
  })

  test('routines of other principals are listed for read:all and can be changed only by an admin', async () => {
    const routine = { name: 'daily', schedule: '0 9 * * *', task: 'look' }
    await server.api.call('POST /api/routines', { body: routine })
    const names = async (token: string) =>
      (await server.as(token).call('GET /api/routines', {})).routines.map(({ name }) => name)
    const [auditor, bob] = [await tokenWith('auditor', 'read:all,run,approve:all'), await tokenWith('bob', 'run')]
    expect([await names(auditor), await names(bob)]).toEqual([['daily'], []])
    for (const path of ['/api/routines/daily/pause', '/api/routines/daily/run']) {
      const { status } = await server.request(path, { method: 'POST', token: auditor })
      expect({ path, status }).toEqual({ path, status: 403 })
    }
  })
})
