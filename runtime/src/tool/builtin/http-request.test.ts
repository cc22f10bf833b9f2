import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { until } from '../../../test/support/until.ts'
import { LOCAL } from '../../protocol/principal.ts'
import type { ToolOutput, World } from '../tool.ts'
import { httpRequestTool } from './http-request.ts'

const seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string }[] = []
let here = ''
let there = ''

function answer(request: IncomingMessage, response: ServerResponse): void {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const url = new URL(request.url ?? '/', 'http://x')
    seen.push({ url: url.pathname, method: request.method ?? '', headers: request.headers, body })
    const to = url.searchParams.get('to')
    if (url.pathname === '/redirect') {
      response.writeHead(Number(url.searchParams.get('status') ?? 302), to === null ? {} : { location: to }).end()
    } else if (url.pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url.pathname === '/big') response.end('x'.repeat(3_000_000))
    else if (url.pathname === '/binary') response.end(Buffer.from([1, 0, 2]))
    else if (url.pathname === '/missing') response.writeHead(404).end('no such page')
    else if (url.pathname === '/silent') response.writeHead(200).write('begin')
    else if (url.pathname === '/latin')
      response.writeHead(200, { 'content-type': 'text/plain; charset=latin1' }).end(Buffer.from([0xe9]))
    else response.writeHead(200, { 'content-type': 'text/plain', 'x-hidden': 'h' }).end(`hello ${request.method}`)
  })
}
const servers = [createServer(answer), createServer(answer)]
beforeAll(async () => {
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [a, b] = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  here = a ?? ''
  there = b ?? ''
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const worldWith = (...allowed: string[]): World => ({
  workspace: '/',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: allowed.map((url) => url.replace('http://', '')),
  env: {},
  sandbox: 'off',
})
type Args = Parameters<typeof httpRequestTool.execute>[0]
const send = (args: Args, options: { allowed?: string[]; signal?: AbortSignal } = {}): Promise<ToolOutput> => {
  const world = worldWith(...(options.allowed ?? [here, there]))
  return httpRequestTool.execute(args, callIn(world, options.signal === undefined ? {} : { signal: options.signal }))
}
const facts = (args: Args, ...allowed: string[]) =>
  httpRequestTool.preValidate?.(args, worldWith(...allowed), { sessionId: 's', owner: LOCAL })

describe('what a request would reach', () => {
  test('S0-24, S1-108: network family; a GET is Low for an allowed host and Medium otherwise', async () => {
    expect(httpRequestTool).toMatchObject({ family: 'network', trust: 'external' })
    expect(await facts({ url: 'https://example.com/x' }, 'example.com')).toMatchObject({
      risk: 'Low',
      readOnly: true,
      hosts: [{ host: 'example.com', port: 443, scheme: 'https', method: 'GET' }],
      targets: [{ kind: 'url', value: 'https://example.com/x' }],
    })
    expect(await facts({ url: 'https://example.com' })).toMatchObject({ risk: 'Medium', readOnly: true })
  })

  test('a request that can change or send something is Medium and not read-only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await facts({ url: 'https://example.com', method }, 'example.com')).toMatchObject({
        risk: 'Medium',
        readOnly: false,
      })
    }
    expect(await facts({ url: 'https://example.com', body: 'x' }, 'example.com')).toMatchObject({ readOnly: false })
  })

  test('no name is resolved before the verdict; a literal address is classified', async () => {
    expect((await facts({ url: 'http://example.invalid/' }))?.hosts?.[0]).not.toHaveProperty('address')
    expect((await facts({ url: 'http://0x7f.1:99/' }))?.hosts).toMatchObject([
      { host: '127.0.0.1', port: 99, address: 'loopback' },
    ])
  })

  test('the preview shows the whole request, without its credentials', async () => {
    const given = await facts({
      url: 'https://example.com/a',
      method: 'POST',
      headers: { Authorization: 'Bearer canary', A: 'b' },
      body: 'data',
    })
    expect(given?.preview).toBe('POST https://example.com/a\nAuthorization: ***\nA: b\n\ndata')
  })
})

describe('sending a request', () => {
  test('status, main headers and body are returned', async () => {
    expect(await send({ url: `${here}/x` })).toEqual({
      ok: true,
      text: 'HTTP 200 OK\ncontent-type: text/plain\n\nhello GET',
    })
  })

  test('method, headers and body arrive', async () => {
    await send({ url: `${here}/post`, method: 'POST', headers: { 'X-A': 'b' }, body: 'data' })
    expect(seen.at(-1)).toMatchObject({ url: '/post', method: 'POST', body: 'data', headers: { 'x-a': 'b' } })
  })

  test('a status of 400 or more is a failure with its body', async () => {
    expect(await send({ url: `${here}/missing` })).toMatchObject({
      ok: false,
      error: 'HTTP 404 Not Found',
      partial: expect.stringContaining('no such page'),
    })
  })

  test('a long body is cut at 1 MB and says so; a binary one is not printed; the charset is respected', async () => {
    const big = await send({ url: `${here}/big` })
    expect(big.ok && big.text.length).toBeLessThan(1_100_000)
    expect(big).toMatchObject({ text: expect.stringContaining('the rest is left out') })
    expect(await send({ url: `${here}/binary` })).toMatchObject({
      text: expect.stringContaining('[binary body of 3 bytes]'),
    })
    expect(await send({ url: `${here}/latin` })).toMatchObject({ text: expect.stringContaining('é') })
  })

  test('redirects are followed, up to a limit', async () => {
    expect(await send({ url: `${here}/redirect?to=/x` })).toMatchObject({
      ok: true,
      text: expect.stringContaining('hello GET'),
    })
    expect(await send({ url: `${here}/loop` })).toMatchObject({ ok: false, code: 'TOO_MANY_REDIRECTS' })
    expect(await send({ url: `${here}/redirect?status=303&to=/x`, method: 'POST', body: 'b' })).toMatchObject({
      text: expect.stringContaining('hello GET'),
    })
    expect(await send({ url: `${here}/redirect?status=307&to=/x`, method: 'POST', body: 'b' })).toMatchObject({
      text: expect.stringContaining('hello POST'),
    })
  })

  test('credentials are not sent to another host', async () => {
    const headers = { Authorization: 'Bearer canary', Cookie: 'canary', 'X-Kept': 'yes' }
    await send({ url: `${here}/redirect?to=${there}/end`, headers })
    expect(seen.at(-1)).toMatchObject({ url: '/end', headers: { 'x-kept': 'yes' } })
    expect(JSON.stringify(seen.at(-1)?.headers)).not.toContain('canary')
    await send({ url: `${here}/redirect?to=/end`, headers })
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer canary' })
    expect(await send({ url: `${here}/redirect?status=307&to=${there}/end`, method: 'POST', body: 'b' })).toMatchObject(
      {
        ok: false,
        code: 'BAD_REDIRECT',
      },
    )
  })

  test('each redirect is judged like the first address', async () => {
    const before = seen.length
    for (const to of [
      'http://169.254.169.254/latest',
      'http://127.0.0.1:1/',
      'http://[::1]/',
      'http://2130706433/',
      there,
    ]) {
      expect(await send({ url: `${here}/redirect?to=${to}` }, { allowed: [here] }), to).toMatchObject({
        ok: false,
        code: 'HOST_FORBIDDEN',
      })
    }
    expect(await send({ url: `${here}/redirect?to=file:///etc/passwd` })).toMatchObject({ ok: false, code: 'BAD_URL' })
    expect(await send({ url: `${here}/redirect?to=http://u:p@127.0.0.1/` })).toMatchObject({
      ok: false,
      code: 'BAD_URL',
    })
    expect(seen.length - before).toBe(7)
  })

  test('local addresses are closed unless that host and port is allowed', async () => {
    const before = seen.length
    expect(await send({ url: `${here}/x` }, { allowed: [] })).toMatchObject({ ok: false, code: 'HOST_FORBIDDEN' })
    expect(await send({ url: `${here}/x` }, { allowed: [there] })).toMatchObject({ ok: false, code: 'HOST_FORBIDDEN' })
    expect(await send({ url: here.replace('127.0.0.1', 'localhost') })).toMatchObject({
      ok: false,
      code: 'HOST_FORBIDDEN',
    })
    expect(await send({ url: 'http://169.254.169.254/' }, { allowed: ['169.254.169.254:80'] })).toMatchObject({
      ok: false,
      code: 'HOST_FORBIDDEN',
    })
    expect(seen.length).toBe(before)
  })

  test('other schemes, user names in the address and smuggled headers are refused', async () => {
    const before = seen.length
    expect(await send({ url: 'ftp://example.com/' })).toMatchObject({ ok: false, code: 'BAD_URL' })
    expect(await send({ url: 'nonsense' })).toMatchObject({ ok: false, code: 'BAD_URL' })
    expect(await send({ url: here.replace('//', '//user:pw@') })).toMatchObject({ ok: false, code: 'BAD_URL' })
    const smuggled: Record<string, string>[] = [
      { 'X-A': 'b\r\nX-B: c' },
      { 'X A': 'b' },
      { 'X-A\n': 'b' },
      { Host: 'evil' },
      { 'Transfer-Encoding': 'chunked' },
      { 'Content-Length': '1' },
    ]
    for (const headers of smuggled) {
      expect(await send({ url: here, headers }), JSON.stringify(headers)).toMatchObject({
        ok: false,
        code: 'BAD_HEADER',
      })
    }
    expect(seen.length).toBe(before)
  })

  test('a hanging server is abandoned when the run is aborted', async () => {
    const abort = new AbortController()
    const sent = send({ url: `${here}/silent` }, { signal: abort.signal })
    await until(() => seen.at(-1)?.url === '/silent')
    abort.abort()
    await expect(sent).rejects.toThrow()
  })

  test('a closed port is a plain failure', async () => {
    expect(await send({ url: 'http://127.0.0.1:1/' }, { allowed: ['127.0.0.1:1'] })).toMatchObject({
      ok: false,
      code: 'TOOL_FAILED',
    })
  })
})
