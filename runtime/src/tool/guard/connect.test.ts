import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guardedAgent, type Resolve } from './connect.ts'

let hits = 0
const server = createServer((_, response) => {
  hits++
  response.end('hello')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const answering =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

async function call(url: string, allowed: string[], resolve?: Resolve): Promise<string> {
  const agent = guardedAgent(allowed, resolve)
  try {
    return await (await request(url, { dispatcher: agent })).body.text()
  } finally {
    await agent.destroy()
  }
}

describe('a connection', () => {
  test('to a local address opens only when that host and port are allowed', async () => {
    expect(await call(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`])).toBe('hello')
    const before = hits
    for (const [url, allowed] of [
      [`http://127.0.0.1:${port}/`, []],
      [`http://127.0.0.1:${port}/`, ['127.0.0.1']],
      [`http://127.0.0.1:${port}/`, ['127.0.0.1:1']],
      [`http://localhost:${port}/`, [`127.0.0.1:${port}`]],
      [`http://2130706433:${port}/`, []],
      [`http://[::ffff:127.0.0.1]:${port}/`, []],
      [`http://0.0.0.0:${port}/`, []],
      [`http://127.0.0.1.:${port}/`, []],
    ] as const) {
      await expect(call(url, [...allowed]), url).rejects.toMatchObject({ code: 'HOST_FORBIDDEN' })
    }
    expect(hits).toBe(before)
  })

  test('to a name is refused when any of its addresses is closed', async () => {
    const before = hits
    for (const addresses of [
      ['127.0.0.1'],
      ['203.0.114.1', '127.0.0.1'],
      ['::1'],
      ['::ffff:10.0.0.1'],
      ['169.254.169.254'],
      [],
    ]) {
      await expect(call(`http://rebind.test:${port}/`, [], answering(...addresses)), addresses.join()).rejects.toThrow()
    }
    await expect(
      call(`http://rebind.test:${port}/`, [`127.0.0.1:${port}`], answering('127.0.0.1')),
    ).rejects.toMatchObject({
      code: 'HOST_FORBIDDEN',
    })
    expect(hits).toBe(before)
  })

  test('to an allowed private service works, to a metadata service never', async () => {
    expect(await call(`http://service.test:${port}/`, [`service.test:${port}`], answering('127.0.0.1'))).toBe('hello')
    await expect(call('http://meta.test:80/', ['meta.test:80'], answering('169.254.169.254'))).rejects.toMatchObject({
      code: 'HOST_FORBIDDEN',
    })
  })
})
