/** Authentication, server names, origins and request limits. */
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '../../src/server/contract/contract.ts'
import { makePlace } from '../support/cli.ts'
import { makeServerPlace, readUntil, speaking, type TestPlace, type TestServer } from '../support/server.ts'

let place: TestPlace
let server: TestServer
beforeEach(async () => {
  place = makeServerPlace()
  server = await place.start({ model: speaking([]) })
})
afterEach(() => place.remove())

async function failure(response: Promise<Response>) {
  const answer = await response
  const { error } = (await answer.json()) as { error: { code: string; hint?: string } }
  expect({ code: error.code, hint: error.hint }).toEqual({ code: error.code, hint: expect.stringMatching(/\w/) })
  return { status: answer.status, code: error.code }
}

/** A request with any Host header, which fetch would not send. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<{ status: number; body: string }> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    request.on('error', reject)
    request.end()
  })
}

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

describe('tokens', () => {
  test('every endpoint except health requires one', async () => {
    for (const [key, { scope }] of Object.entries(contract)) {
      const [method = '', path = ''] = key.split(' ')
      const response = await server.request(path.replace(/:\w+/g, 'x'), { method, token: null })
      expect({ key, status: response.status }).toEqual({ key, status: scope === 'none' ? 200 : 401 })
      await response.body?.cancel()
    }
    expect(await failure(server.request('/v1/chat/completions', { method: 'POST', token: null }))).toMatchObject({
      status: 401,
    })
    expect(await failure(server.request('/api/info', { token: 'writ_guess' }))).toEqual({
      status: 401,
      code: 'BAD_TOKEN',
    })
  })

  test('only the hash of a token is stored, and tokens are not logged', async () => {
    const db = new DatabaseSync(join(place.data, 'journal.db'), { readOnly: true })
    const rows = JSON.stringify(db.prepare('select * from tokens').all())
    db.close()
    expect(rows).toContain('"admin"')
    expect(rows).not.toContain(server.token)
    await server.api.call('GET /api/info', {})
    expect(JSON.stringify(server.log)).not.toContain(server.token)
    expect(readFileSync(join(place.data, 'journal.db')).includes(server.token)).toBe(false)
  })

  test('the first token is created once', async () => {
    await server.stop()
    const again = await place.start({ token: server.token })
    expect(again.firstToken).toBeUndefined()
    expect(await again.api.call('GET /api/info', {})).toMatchObject({
      token: 'admin',
      scopes: ['read', 'run', 'approve', 'read:all', 'approve:all', 'admin'],
    })
  })

  test('a token can do only what its scopes allow', async () => {
    const reader = server.as(await tokenWith('reader', 'read'))
    expect((await reader.call('GET /api/info', {})).scopes).toEqual(['read'])
    await expect(reader.call('POST /api/sessions', {})).rejects.toMatchObject({ status: 403, code: 'SCOPE_MISSING' })
    const runner = server.as(await tokenWith('runner', 'run'))
    const { sessionId } = await runner.call('POST /api/sessions', {})
    expect(sessionId).toMatch(/^ses_/)
    const approving = runner.call('POST /api/approvals/:runId', {
      params: { runId: 'x' },
      body: { callId: 'c', answer: 'y' },
    })
    await expect(approving).rejects.toMatchObject({ status: 403 })
    await expect(runner.call('PUT /api/config', { body: { agent: {} } })).rejects.toMatchObject({ status: 403 })
  })

  test('secrets in workflows are shown to tokens that may edit workflows, and masked for others', async () => {
    const params = { name: 'hook' }
    const webhook = 'https://open.feishu.cn/open-apis/bot/v2/hook/0123456789abcdef-canary'
    const node = { id: 'a', tool: 'feishu_bot', args: { msg_type: 'text', text: 'hello', webhook } }
    await server.api.call('PUT /api/workflows/:name', { params, body: { document: { name: 'hook', nodes: [node] } } })
    const seen = async (api: TestServer['api']) =>
      JSON.stringify(await api.call('GET /api/workflows/:name', { params }))
    expect(await seen(server.api)).toContain('canary')
    expect(await seen(server.as(await tokenWith('reader', 'read')))).not.toContain('canary')
  })

  test('secrets in settings are masked', async () => {
    const key = 'sk-canary0123456789canary'
    const servers = { s: { command: 'true', args: ['--key', key], enabled: false } }
    const { request } = await place.start({ token: server.token, config: { agent: { mcp: { servers } } } })
    const text = await (await request('/api/config')).text()
    expect(text).toContain('--key')
    expect(text).not.toContain(key)
  })

  test('a revoked token is rejected immediately', async () => {
    const token = await tokenWith('guest', 'read')
    const guest = server.as(token)
    await guest.call('GET /api/info', {})
    const cli = makePlace()
    const env = { HOME: place.home }
    await cli.writ(['token', 'revoke', 'guest', '--data', place.data], { env })
    const { stdout } = await cli.writ(['token', 'list', '--data', place.data], { env })
    cli.remove()
    await expect(guest.call('GET /api/info', {})).rejects.toMatchObject({ status: 401 })
    expect(stdout).toContain('admin')
    expect(stdout).not.toContain('guest')
  })

  test('guessing tokens is slowed down and logged, and does not lock out other addresses', async () => {
    for (let i = 0; i < 10; i++) {
      expect((await failure(server.request('/api/info', { token: `writ_${i}` }))).status).toBe(401)
    }
    const waiting = await server.request('/api/info', { token: 'writ_next' })
    expect(waiting.status).toBe(429)
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(server.log.filter(({ what }) => what === 'auth.failed').length).toBeGreaterThanOrEqual(10)
  })

  test('a known token is not slowed down by guessing from the same address', async () => {
    await server.api.call('GET /api/info', {})
    for (let i = 0; i < 12; i++) await server.request('/api/info', { token: `writ_${i}` })
    expect((await server.request('/api/info')).status).toBe(200)
  })
})

describe('ownership', () => {
  test('a session and its runs belong to the principal that created it; an admin sees all', async () => {
    const [ada, bob] = [
      server.as(await tokenWith('ada', 'run,approve')),
      server.as(await tokenWith('bob', 'run,approve')),
    ]
    const { sessionId: id } = await ada.call('POST /api/sessions', {})
    const { runId } = await ada.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'hello' } })

    const no = { status: 403, code: 'NOT_YOURS' }
    await expect(bob.call('GET /api/sessions/:id', { params: { id } })).rejects.toMatchObject(no)
    await expect(
      bob.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'hi' } }),
    ).rejects.toMatchObject(no)
    await expect(bob.call('POST /api/sessions/:id/abort', { params: { id } })).rejects.toMatchObject(no)
    await expect(bob.stream('GET /api/sessions/:id/events', { params: { id } }).next()).rejects.toMatchObject(no)
    await expect(bob.call('GET /api/runs/:id', { params: { id: runId } })).rejects.toMatchObject(no)
    await expect(bob.call('GET /api/runs/:id/export', { params: { id: runId } })).rejects.toMatchObject(no)
    await expect(bob.call('POST /api/what-if', { body: { config: {}, runId } })).rejects.toMatchObject(no)
    await expect(bob.call('GET /api/runs', { query: { session: id } })).rejects.toMatchObject(no)
    expect((await bob.call('GET /api/runs', {})).runs).toEqual([])
    expect((await bob.call('GET /api/sessions', {})).sessions).toEqual([])
    expect(await bob.call('GET /api/stats', {})).toMatchObject({ runs: { started: 0 } })

    expect((await ada.call('GET /api/runs', {})).runs).toMatchObject([{ runId }])
    expect((await server.api.call('GET /api/sessions/:id', { params: { id } })).messages.length).toBe(2)
    await expect(ada.call('GET /api/sessions/:id', { params: { id: 'ses_none' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a transcript of workflows belongs to their principal: knowing its session key is not enough', async () => {
    const bob = server.as(await tokenWith('bob', 'run'))
    const said = { session: '{{external.who}}', user: '{{external.text}}' }
    const document = {
      name: 'talk',
      nodes: [
        { id: 'prepare', tool: 'context_prepare', args: { ...said, outputs: ['messages_json'] } },
        { id: 'persist', tool: 'context_persist', args: { ...said, assistant: 'Noted.' } },
      ],
      edges: [{ from: 'prepare', to: 'persist' }],
    }
    await server.api.call('PUT /api/workflows/:name', { params: { name: 'talk' }, body: { document } })
    const heard = async (api: typeof bob, text: string) => {
      const body = { input: { who: 'ada', text } }
      const { outputs } = await api.call('POST /api/workflows/:name/run', { params: { name: 'talk' }, body })
      return JSON.stringify(outputs.prepare)
    }
    await heard(server.api, 'The code is 4711.')
    expect(await heard(server.api, 'And now?')).toContain('4711')
    expect(await heard(bob, 'What is the code?')).not.toContain('4711')
  })
})

describe('names and pages', () => {
  test('an unknown server name is rejected, whatever it resolves to', async () => {
    const { host } = new URL(server.url)
    const authorization = `Bearer ${server.token}`
    expect((await raw('/api/info', { host, authorization })).status).toBe(200)
    expect((await raw('/api/info', { host: host.replace('127.0.0.1', 'localhost'), authorization })).status).toBe(200)
    for (const name of ['evil.example', 'evil.example:4770', '127.0.0.1.evil.example']) {
      const { status, body } = await raw('/api/info', { host: name, authorization })
      expect({ name, status, refused: status === 400 || body.includes('HOST_FORBIDDEN') }).toMatchObject({
        name,
        refused: true,
      })
    }
    expect((await raw('/', { host: 'evil.example' })).status).toBe(403)
  })

  test('a configured server name is accepted', async () => {
    await server.stop()
    server = await place.start({
      token: server.token,
      config: { agent: { server: { allowedHosts: ['agent.example.org'] } } },
    })
    expect((await raw('/healthz', { host: 'agent.example.org' })).status).toBe(200)
  })

  test('pages of other origins are rejected, even with a token', async () => {
    const origin = (value: string, method = 'GET') =>
      server.request('/api/info', { method, headers: { origin: value } })
    expect((await origin(server.url)).status).toBe(200)
    expect(await failure(origin('https://evil.example'))).toEqual({ status: 403, code: 'ORIGIN_FORBIDDEN' })
    expect(await failure(origin('null'))).toEqual({ status: 403, code: 'ORIGIN_FORBIDDEN' })
    expect((await origin('https://evil.example', 'OPTIONS')).status).toBe(403)
    const preflight = await server.request('/api/sessions', { method: 'OPTIONS', headers: { origin: server.url } })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    expect((await server.request('/api/info', { headers: site })).status).toBe(403)
  })

  test('responses forbid frames, content sniffing and third-party scripts', async () => {
    for (const path of ['/', '/api/info', '/nowhere']) {
      const { headers } = await server.request(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })
})

describe('request size and format', () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    server.request('/api/policy/explain', { method: 'POST', body, headers })

  test('a body above a megabyte is rejected, with or without Content-Length', async () => {
    const large = JSON.stringify({ task: 'x'.repeat(1024 * 1024) })
    expect(await failure(post(large))).toEqual({ status: 413, code: 'TOO_LARGE' })
    const { sessionId: id } = await server.api.call('POST /api/sessions', {})
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large))
        controller.close()
      },
    })
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit
    expect((await server.request(`/api/sessions/${id}/messages`, init)).status).toBe(413)
  })

  test('invalid JSON input is rejected with the name of the invalid field', async () => {
    expect(await failure(post('{"task": ""}'))).toEqual({ status: 400, code: 'INVALID_REQUEST' })
    expect((await (await post('{"task": 5}')).json()) as object).toMatchObject({ error: { field: 'task' } })
    expect(await failure(post('{"tsk": "x"}'))).toMatchObject({ status: 400 })
    expect(await failure(post('no json'))).toMatchObject({ status: 400 })
    expect(await failure(post('{"task":"x"}', { 'content-type': 'text/plain' }))).toEqual({
      status: 415,
      code: 'MEDIA_TYPE',
    })
    expect(await failure(server.request('/api/runs?limit=0'))).toMatchObject({ status: 400 })
    expect(await failure(server.request('/api/nothing'))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(await failure(server.request('/api/sessions/a%00b'))).toMatchObject({ status: 404 })
  })

  test('console paths never leave their folder', async () => {
    for (const path of [
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%5c..%5cpackage.json',
      '/%00',
      '/%',
    ]) {
      const { body } = await raw(path, { host: new URL(server.url).host })
      expect(body).not.toContain('"version"')
    }
  })

  test('a silent connection is closed, and does not block shutdown', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await server.stop()
    await closed
  })

  test('an unknown Last-Event-ID is rejected', async () => {
    const { sessionId: id } = await server.api.call('POST /api/sessions', {})
    const stream = server.api.stream('GET /api/sessions/:id/events', { params: { id }, lastEventId: '1; drop' })
    await expect(readUntil(stream, 'never')).rejects.toMatchObject({ status: 400, code: 'BAD_CURSOR' })
  })
})
