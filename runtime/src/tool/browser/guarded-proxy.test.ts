import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../../test/support/site.ts'
import { type GuardedProxy, openGuardedProxy, type ProxyRules } from './guarded-proxy.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function site(): Promise<Site> {
  const started = await startSite({
    '/': 'hello',
    '/old': (_, response) => response.writeHead(302, { location: '/' }).end(),
  })
  stops.push(started.stop)
  return started
}

async function proxy(allowed: string[], resolve?: ProxyRules['resolve']): Promise<GuardedProxy> {
  const opened = await openGuardedProxy({ allowedHosts: () => allowed, ...(resolve === undefined ? {} : { resolve }) })
  stops.push(opened.close)
  return opened
}

/** Status and body of a plain request through the proxy. */
async function get(through: GuardedProxy, url: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(through.url)
  const asked = request({ host: hostname, port, path: url, headers: { host: new URL(url).host } }).end()
  const [response] = await once(asked, 'response')
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, body }
}

/** The status line of a tunnel, and the tunnel. */
async function tunnel(through: GuardedProxy, authority: string): Promise<{ status: string; socket: Socket }> {
  const { hostname, port } = new URL(through.url)
  const socket = connect(Number(port), hostname)
  stops.push(async () => void socket.destroy())
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const [data] = await once(socket, 'data')
  return { status: String(data).split('\r\n')[0] ?? '', socket }
}

const port = (of: Site) => of.host.split(':')[1]

describe('an allowed host', () => {
  test('answers through the proxy', async () => {
    const open = await site()
    const through = await proxy([open.host])
    expect(await get(through, open.url())).toEqual({ status: 200, body: 'hello' })
    expect((await get(through, open.url('/old'))).status).toBe(302)
    expect(through.failures).toEqual([])
  })
  test('answers through a tunnel', async () => {
    const open = await site()
    const { status, socket } = await tunnel(await proxy([open.host]), open.host)
    expect(status).toBe('HTTP/1.1 200 Connection established')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
  })
  test('is closed again as soon as it is removed from the list', async () => {
    const open = await site()
    const allowed = [open.host]
    const through = await proxy(allowed)
    await get(through, open.url())
    allowed.pop()
    expect((await get(through, open.url())).status).toBe(403)
  })
})

describe('a closed address', () => {
  test('is closed in every spelling', async () => {
    const closed = await site()
    const through = await proxy([])
    const spellings = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0']
    for (const spelling of spellings) {
      expect((await get(through, `http://${spelling}:${port(closed)}/`)).status, spelling).toBe(403)
      expect((await tunnel(through, `${spelling}:${port(closed)}`)).status, spelling).toBe('HTTP/1.1 403 Forbidden')
    }
    expect(closed.visits).toEqual([])
  })
  test('is not opened by an entry for another port', async () => {
    const open = await site()
    const closed = await site()
    expect((await get(await proxy([open.host]), closed.url())).status).toBe(403)
    expect(closed.visits).toEqual([])
  })
  test('stays closed when it is a metadata service, whatever the list says', async () => {
    const through = await proxy(['169.254.169.254:80', 'metadata.google.internal:80'])
    expect((await get(through, 'http://169.254.169.254/latest/')).status).toBe(403)
    expect((await get(through, 'http://metadata.google.internal/')).status).toBe(403)
    expect(through.failures.map(({ host, refused }) => [host, refused?.code])).toEqual([
      ['169.254.169.254', 'HOST_FORBIDDEN'],
      ['metadata.google.internal', 'HOST_FORBIDDEN'],
    ])
  })
})

describe('a name that resolves to a closed address', () => {
  test('is refused when only one of its addresses is closed', async () => {
    const closed = await site()
    const addresses = [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const through = await proxy([], async () => addresses)
    expect(await get(through, `http://rebind.test:${port(closed)}/`)).toEqual({
      status: 403,
      body: `the browser may not connect to rebind.test:${port(closed)}: it resolves to 127.0.0.1, a loopback address`,
    })
    expect(closed.visits).toEqual([])
  })
  test('is refused when it resolves differently after the check', async () => {
    const [open, closed] = [await site(), await site()]
    let asked = 0
    const through = await proxy([`turns.test:${port(open)}`], async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
    })
    expect((await get(through, `http://turns.test:${port(open)}/`)).status).toBe(200)
    expect(asked, 'one look-up for one connection').toBe(1)
    expect((await get(through, `http://turns.test:${port(open)}/`)).status).toBe(403)
    expect((await get(through, `http://turns.test:${port(closed)}/`)).status).toBe(403)
    expect(closed.visits).toEqual([])
  })
})

describe('when only some domains are allowed', () => {
  test('S3-100: no other is reached or even resolved, and only the default ports are open unless another is listed', async () => {
    const looked: string[] = []
    const through = await openGuardedProxy({
      allowedHosts: () => [],
      allowedDomains: () => ['a.test', '*.b.test'],
      async resolve(host) {
        looked.push(host)
        throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      },
    })
    stops.push(through.close)
    for (const url of ['http://evil.test/', 'http://a.test:8080/', 'http://b.test/']) {
      expect((await get(through, url)).status, url).toBe(403)
    }
    expect((await tunnel(through, 'evil.test:443')).status).toBe('HTTP/1.1 403 Forbidden')
    expect(through.failures.map(({ refused }) => refused?.code)).toEqual(Array(4).fill('DOMAIN_NOT_ALLOWED'))
    expect(looked).toEqual([])
    for (const url of ['http://a.test/', 'http://x.b.test/']) expect((await get(through, url)).status, url).toBe(502)
  })
  test('an open tunnel is closed when its host is removed from the list', async () => {
    const [kept, left] = [await site(), await site()]
    let listed: string[] | undefined
    const through = await openGuardedProxy({ allowedHosts: () => [kept.host, left.host], allowedDomains: () => listed })
    stops.push(through.close)
    const [stays, goes] = [await tunnel(through, kept.host), await tunnel(through, left.host)]
    listed = [kept.host]
    through.closeDisallowed()
    await once(goes.socket, 'close')
    stays.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(String((await once(stays.socket, 'data'))[0])).toContain('200 OK')
  })
})

describe('the proxy', () => {
  test('distinguishes an unreachable host from a closed one', async () => {
    const gone = await site()
    const through = await proxy([gone.host])
    await gone.stop()
    stops.splice(stops.indexOf(gone.stop), 1)
    expect(await get(through, gone.url())).toEqual({
      status: 502,
      body: `${gone.host} cannot be reached: ECONNREFUSED`,
    })
    expect(through.failures.map(({ refused }) => refused?.code)).toEqual([undefined])
  })
  test('names a host without an address', async () => {
    const through = await proxy([], async () => {
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    })
    const { status, body } = await get(through, 'http://no.test/')
    expect([status, body]).toEqual([502, 'no.test:80 cannot be reached: ENOTFOUND'])
  })
  test('blocks Chromium’s background requests and does not blame the page for them', async () => {
    const through = await proxy([])
    expect((await tunnel(through, 'content-autofill.googleapis.com:443')).status).toBe('HTTP/1.1 403 Forbidden')
    expect(through.failures).toEqual([])
  })
  test('serves nothing itself and does not forward to itself', async () => {
    const through = await proxy([])
    const own = new URL(through.url)
    const asked = request({ host: own.hostname, port: own.port, path: '/' }).end()
    expect((await once(asked, 'response'))[0].statusCode).toBe(400)
    expect((await get(through, through.url)).status).toBe(403)
  })
  test('closes open tunnels when it closes', async () => {
    const open = await site()
    const through = await openGuardedProxy({ allowedHosts: () => [open.host] })
    const { socket } = await tunnel(through, open.host)
    const ended = once(socket, 'close')
    await through.close()
    await ended
    expect(socket.destroyed).toBe(true)
  })
})
