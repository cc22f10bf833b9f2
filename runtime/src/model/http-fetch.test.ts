import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { httpFetch } from './http-fetch.ts'

const fetch = httpFetch({ totalMs: 20_000 })
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Answers each request with the next of these; the last stays. Counts the connections. */
async function serve(...answers: string[]) {
  const sockets: Socket[] = []
  const asked: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      asked.push(bytes.toString())
      socket.write((answers.length > 1 ? answers.shift() : answers[0]) ?? '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?q=1`, sockets, asked }
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

test('one connection serves one request after another, and two at once have one each', async () => {
  const { url, sockets, asked } = await serve(OK)
  for (let n = 0; n < 3; n++) expect(await textOf(url, { method: 'POST', body: 'hé' })).toBe('ok')
  expect(sockets).toHaveLength(1)
  await Promise.all([textOf(url), textOf(url)])
  expect(sockets).toHaveLength(2)
  expect(asked[0]).toMatch(/^POST \/v1\?q=1 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/)
  expect(asked[0]).toMatch(/content-length: 3\r\n\r\nhé$/)
})

test('a connection that the server closed is not used again', async () => {
  const { url, sockets } = await serve(OK)
  await textOf(url)
  const [first] = sockets
  const closed = once(first as Socket, 'close')
  first?.end()
  await closed
  expect(await textOf(url)).toBe('ok')
  expect(sockets).toHaveLength(2)
})

test('a connection is not used again when the server will close it soon, or after an answer that was not read', async () => {
  const soon = OK.replace('\r\n\r\n', '\r\nkeep-alive: timeout=1\r\n\r\n')
  const { url, sockets } = await serve(soon, OK.replace('length: 2', 'length: 9'), OK)
  await textOf(url)
  const { body } = await fetch(url)
  await body?.getReader().cancel()
  expect(await textOf(url)).toBe('ok')
  expect(sockets).toHaveLength(3)
})

test('an answer without a request closes the connection and is never taken for the next one', async () => {
  const { url, sockets } = await serve(`${OK}HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbad`, OK)
  expect(await textOf(url)).toBe('ok')
  expect(await textOf(url)).toBe('ok')
  expect(sockets).toHaveLength(2)
})

test('a server that does not speak HTTP is not waited for', async () => {
  const { url } = await serve('SSH-2.0-OpenSSH\r\n')
  await expect(fetch(url)).rejects.toThrow('not HTTP')
})

test('a header cannot begin another line, and no retry would change that', async () => {
  const { url, asked } = await serve(OK)
  const sent = fetch(url, { headers: { authorization: 'a\r\nhost: b' } })
  await expect(sent).rejects.toMatchObject({ message: expect.stringContaining('"authorization"'), retryable: false })
  expect(asked).toEqual([])
})

test('the login of an address is sent unless there is a key, and a body waits until it is read', async () => {
  const { url, asked } = await serve(OK)
  const response = await fetch(url.replace('//', '//me:p%40ss@'))
  expect(asked[0]).toContain(`\r\nauthorization: Basic ${btoa('me:p@ss')}\r\n`)
  expect([...response.headers]).toEqual([['content-length', '2']])
  expect(await response.text()).toBe('ok')
  await textOf(url.replace('//', '//me:p@'), { headers: { Authorization: 'Bearer k' } })
  expect(asked[1]).toContain('\r\nAuthorization: Bearer k\r\n')
  expect(asked[1]).not.toContain('Basic')
})

describe('over TLS', () => {
  const [key, cert] = ['key', 'cert'].map((name) =>
    readFileSync(join(import.meta.dirname, `../../test/fixtures/tls/${name}.pem`), 'utf8'),
  )

  async function serveTls(onConnection: (socket: TLSSocket) => void = () => {}) {
    let asked = 0
    const server = createTlsServer({ key, cert }, (_request, response) => {
      asked++
      if (asked === 2) response.setHeader('connection', 'close')
      response.end('ok')
    })
    server.on('secureConnection', onConnection)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { at: (host: string) => `https://${host}:${port}/`, asked: () => asked }
  }

  function trustIt() {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, cert ?? ''])
    closing.push(() => setDefaultCACertificates(before))
  }

  test('a server with a certificate that no authority signed is sent nothing', async () => {
    const { at, asked } = await serveTls()
    await expect(textOf(at('localhost'))).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(asked()).toBe(0)
  })

  test('a server with a certificate for another name is sent nothing', async () => {
    trustIt()
    const { at, asked } = await serveTls()
    await expect(textOf(at('127.0.0.1'))).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(asked()).toBe(0)
  })

  test('a trusted server is asked over one connection, and a later one resumes its session', async () => {
    trustIt()
    const resumed: boolean[] = []
    const { at } = await serveTls((socket) => resumed.push(socket.isSessionReused()))
    for (let n = 0; n < 3; n++) expect(await textOf(at('localhost'))).toBe('ok')
    expect(resumed).toEqual([false, true])
  })
  test('a session that the server refuses is not offered again', async () => {
    trustIt()
    const resumed: boolean[] = []
    const { at } = await serveTls((socket) => {
      resumed.push(socket.isSessionReused())
      if (socket.isSessionReused()) socket.destroy()
    })
    for (let n = 0; n < 2; n++) expect(await textOf(at('localhost'))).toBe('ok')
    await expect(textOf(at('localhost'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await textOf(at('localhost'))).toBe('ok')
    expect(resumed).toEqual([false, true, false])
  })
})
