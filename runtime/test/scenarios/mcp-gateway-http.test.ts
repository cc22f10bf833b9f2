/** The MCP gateway over HTTP: tokens, principals, foreign pages, and clients beside each other. */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call, type GatewayPlace, isAlive, makeGatewayPlace, textOf } from '../support/gateway.ts'

let place: GatewayPlace
beforeEach(() => {
  place = makeGatewayPlace()
})
afterEach(() => place.remove())

const RUN = ['read', 'run']
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

/** With any headers: `fetch` chooses some itself. */
function post(url: string, headers: Record<string, string>, body = INITIALIZE): Promise<number> {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream'
    const sent = request(url, { method: 'POST', headers: { accept, 'content-type': 'application/json', ...headers } })
    sent.on('response', (response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe.each(['auto', 'legacy'] as const)('with protocol %s', (mode) => {
  const negotiated = { versionNegotiation: { mode } }

  test('X-GATEWAY-7: the token is the principal, who owns the session', async () => {
    place.configure({ s: place.plain([{ name: 'echo' }]) })
    const { keyring, connect } = await place.serve({ servers: ['s'] })
    const { secret, token } = await keyring.add('desk', RUN)
    const client = await connect(secret, negotiated)
    expect(textOf(await call(client, 'echo', { a: 1 }))).toBe('{"a":1}')
    expect(place.of('run.started')).toMatchObject([{ owner: token.principal }])
  })

  test('X-GATEWAY-7: an answer approves only where the token may approve', async () => {
    place.configure({ s: place.plain([{ name: 'echo', description: 'Posts a note.' }]) }, { autonomy: 'Supervised' })
    const { keyring, connect } = await place.serve({ servers: ['s'] })
    const answering = async (name: string, scopes: string[]) => {
      const client = await connect((await keyring.add(name, scopes)).secret, {
        ...negotiated,
        capabilities: { elicitation: { form: {} } },
      })
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { approve: true } }))
      return client
    }
    expect(textOf(await call(await answering('one', RUN), 'echo'))).toContain('until a person approves')
    expect(textOf(await call(await answering('two', [...RUN, 'approve']), 'echo', { a: 1 }))).toBe('{"a":1}')
  })

  test('X-GATEWAY-6: a change of the tools reaches the client', async () => {
    place.configure({ s: place.plain([{ name: 'change' }]) })
    const { keyring, connect } = await place.serve({ servers: ['s'] })
    let changes = 0
    const listChanged = { tools: { autoRefresh: false, onChanged: () => void changes++ } }
    const client = await connect((await keyring.add('desk', RUN)).secret, { ...negotiated, listChanged })
    await call(client, 'change', {
      tools: ['change', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    })
    await expect.poll(() => changes).toBeGreaterThan(0)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['change', 'echo'])
  })
})

test('X-GATEWAY-7: without a valid token that may run, nothing is answered and no server started', async () => {
  place.configure({ s: place.plain([{ name: 'echo' }]) })
  const { keyring, url } = await place.serve({ servers: ['s'] })
  const { secret } = await keyring.add('reader', ['read'])
  expect(await post(url, {})).toBe(401)
  expect(await post(url, { authorization: 'Bearer writ_wrong' })).toBe(401)
  expect(await post(url, { authorization: `Bearer ${secret}` })).toBe(403)
  const runner = await keyring.add('runner', RUN)
  expect(await post(url, { authorization: `Bearer ${runner.secret}` }, '{"method":"x"}')).toBe(400)
  await keyring.revoke('runner')
  expect(await post(url, { authorization: `Bearer ${runner.secret}` })).toBe(401)
  expect(place.events).toEqual([])
})

test('X-GATEWAY-7: foreign names and foreign pages are refused, also with a token', async () => {
  place.configure({ s: place.plain([{ name: 'echo' }]) })
  const { keyring, url } = await place.serve({ servers: ['s'] })
  const authorization = `Bearer ${(await keyring.add('desk', RUN)).secret}`
  expect(await post(url, { authorization, host: 'evil.example' })).toBeGreaterThanOrEqual(400)
  expect(await post(url, { authorization, origin: 'https://evil.example' })).toBe(403)
  expect(await post(url, { authorization })).toBe(200)
})

test('X-GATEWAY-7: a client cannot use the session of another, and each has servers of its own', async () => {
  place.configure({ s: place.plain([{ name: 'pid' }]) })
  const { keyring, connect, url } = await place.serve({ servers: ['s'] })
  const [one, two] = [await keyring.add('one', RUN), await keyring.add('two', RUN)]
  const [first, second] = [await connect(one.secret), await connect(two.secret)]
  expect(textOf(await call(first, 'pid'))).not.toBe(textOf(await call(second, 'pid')))
  const session = (first.transport as { sessionId?: string }).sessionId ?? ''
  const list = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
  const with_ = (secret: string) => post(url, { authorization: `Bearer ${secret}`, 'mcp-session-id': session }, list)
  expect(await with_(two.secret)).toBe(404)
  expect(await with_(one.secret)).toBe(200)
  expect(new Set(place.of('run.started').map(({ owner }) => owner)).size).toBe(2)
})

test('X-GATEWAY-9: a request with the id of one that has no answer yet is refused, and the first gets its answer', async () => {
  place.configure({ s: place.plain([{ name: 'hang' }, { name: 'echo' }]) })
  const { keyring, connect, url } = await place.serve({ servers: ['s'] })
  const { secret } = await keyring.add('one', RUN)
  const { transport } = await connect(secret)
  const { sessionId = '' } = transport as { sessionId?: string }
  const headers = {
    authorization: `Bearer ${secret}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': sessionId,
  }
  const send = (message: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const made = (id: number | string, name: string) => ({ id, method: 'tools/call', params: { name, arguments: {} } })
  const leave = (requestId: number) => send({ method: 'notifications/cancelled', params: { requestId } })
  const slow = await send(made(70, 'hang'))
  const same = await send(made(70, 'echo'))
  expect(same.status).toBe(400)
  expect(await same.text()).toContain('an id is in use')
  expect((await send(made('70', 'echo'))).status, 'a text is another id').toBe(200)
  await leave(70)
  const again = await send(made(70, 'echo'))
  expect(again.status, 'cancelled').toBe(200)
  expect(await again.text()).toContain('"text":"{}"')
  expect((await send(made(70, 'echo'))).status, 'answered').toBe(200)
  await slow.body?.cancel()
})

test('X-GATEWAY-7: a client that ends its session ends its servers', async () => {
  place.configure({ s: place.plain([{ name: 'pid' }]) })
  const { keyring, connect } = await place.serve({ servers: ['s'] })
  const client = await connect((await keyring.add('one', RUN)).secret)
  const pid = Number(textOf(await call(client, 'pid')))
  await (client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession()
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('X-GATEWAY-7: a revoked token ends the session of its client, its stream and its servers', async () => {
  place.configure({ s: place.plain([{ name: 'pid' }]) })
  const { keyring, connect, url } = await place.serve({ servers: ['s'] })
  const [one, two] = [await keyring.add('one', RUN), await keyring.add('two', RUN)]
  const [client, other] = [await connect(one.secret), await connect(two.secret)]
  const [pid, kept] = [Number(textOf(await call(client, 'pid'))), Number(textOf(await call(other, 'pid')))]
  const accept = 'application/json, text/event-stream'
  const authorization = `Bearer ${one.secret}`
  const headers = { authorization, accept, 'content-type': 'application/json' }
  const opened = await fetch(url, { method: 'POST', headers, body: INITIALIZE })
  const id = opened.headers.get('mcp-session-id') ?? ''
  const stream = await fetch(url, { headers: { authorization, accept: 'text/event-stream', 'mcp-session-id': id } })
  expect(stream.status).toBe(200)
  await keyring.revoke('one')
  expect(await stream.text(), 'it ends').toBe('')
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(isAlive(kept)).toBe(true)
})
