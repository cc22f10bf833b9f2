/** A real Chromium on a hostile page: only allowed hosts are ever reached. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../../test/support/browser-desk.ts'
import { policyWith } from '../../../test/support/gate-input.ts'
import { type Site, startSite } from '../../../test/support/site.ts'
import { until } from '../../../test/support/until.ts'

let open: Site
let closed: Site
let udp: Socket
let datagrams = 0
let desk: Desk

beforeAll(async () => {
  open = await startSite()
  desk = openDesk([open.host])
})
afterAll(async () => {
  await desk.close()
  await open.stop()
})
beforeEach(async () => {
  closed = await startSite({ '/': 'a secret', '/script.js': 'document.title = "reached"' })
  datagrams = 0
  udp = createSocket('udp4').bind(0, '127.0.0.1')
  udp.on('message', () => {
    datagrams += 1
  })
  await once(udp, 'listening')
})
afterEach(async () => {
  expect(closed.visits, 'requests to the closed host').toEqual([])
  expect(datagrams, 'datagrams sent').toBe(0)
  udp.close()
  await closed.stop()
})

/** Opens a page of the allowed site and waits until its script reports in the title that it has tried everything. */
async function visit(html: string): Promise<string> {
  open.pages['/'] = `<!doctype html><title>trying</title>${html}`
  expect(await desk.use('browser_open', { url: open.url() })).toMatchObject({ ok: true })
  return until(async () => {
    const { text } = await desk.use('browser_read')
    return text.startsWith('Title: tried') && text
  })
}

const tried = (script: string) =>
  `<script>const settle = (all) => Promise.allSettled(all).then((ends) => {
     document.body.append(ends.map((end) => end.status + ' ' + (end.value ?? '')).join(', '))
     document.title = 'tried'
   });${script}</script>`

describe('a page cannot reach a closed host', () => {
  test('through images, scripts, styles and frames', async () => {
    await visit(
      `<body><link rel=stylesheet href="${closed.url('/style.css')}"><link rel=preconnect href="${closed.url()}">
       <script src="${closed.url('/script.js')}"></script><img src="${closed.url('/picture.png')}">
       <iframe src="${closed.url()}"></iframe><iframe src="http://localhost:${closed.host.split(':')[1]}/"></iframe>
       <object data="${closed.url()}"></object><video src="${closed.url('/film')}"></video>
       <iframe src="http://169.254.169.254/latest/meta-data/"></iframe>
       <script>addEventListener('load', () => { document.title = 'tried' })</script>`,
    )
  })

  test('through fetch, beacons, form posts or event streams', async () => {
    const said = await visit(
      `<body>${tried(`settle([
         fetch('${closed.url()}').then((r) => r.text()),
         fetch('${closed.url()}', { mode: 'no-cors', method: 'POST', body: 'x' }).then((r) => r.type),
         fetch('http://169.254.169.254/latest/meta-data/').then((r) => r.text()),
         fetch('${open.url('/away')}').then((r) => r.text()),
         new Promise((done) => { const s = new EventSource('${closed.url()}'); s.onerror = () => done(s.close()) }),
         navigator.sendBeacon('${closed.url()}', 'x'),
       ])`)}`,
    )
    expect(said).not.toContain('a secret')
  })

  test('through a websocket', async () => {
    const said = await visit(
      `<body>${tried(`settle(['ws://${closed.host}/', 'wss://${closed.host}/', 'ws://169.254.169.254/'].map((url) =>
         new Promise((done, fail) => { const s = new WebSocket(url); s.onopen = done; s.onerror = () => fail() })))`)}`,
    )
    expect(said).toContain('rejected , rejected , rejected')
  })

  test('through a worker', async () => {
    open.pages['/worker.js'] = (_, response) => {
      response.setHeader('content-type', 'text/javascript')
      response.end(`fetch('${closed.url()}').catch(() => {}).then(() => postMessage('done'))`)
    }
    const said = await visit(
      `<body>${tried(`settle([
         new Promise((done) => { new Worker('/worker.js').onmessage = () => done('worked') }),
         navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.getRegistrations())
           .then((all) => all.length + ' service workers'),
       ])`)}`,
    )
    expect(said).toContain('fulfilled worked')
    expect(said).not.toContain('1 service workers')
  })

  test('through UDP: neither WebRTC nor WebTransport bypasses the proxy', async () => {
    const { port } = udp.address()
    await visit(
      `<body>${tried(`
         const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' },
           { urls: 'turn:${closed.host}?transport=tcp', username: 'u', credential: 'c' }] })
         peer.createDataChannel('x')
         const gathered = new Promise((done) => {
           peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done()
         })
         settle([
           peer.createOffer().then((offer) => peer.setLocalDescription(offer)),
           gathered,
           Promise.resolve().then(() => new WebTransport('https://127.0.0.1:${port}/').ready),
         ])`)}`,
    )
  })

  test('and the result names what was refused, so that the model knows why the page looks broken', async () => {
    open.pages['/'] = `<title>broken</title><img src="${closed.url()}"><img src="http://169.254.169.254/">`
    const { text } = await desk.use('browser_open', { url: open.url() })
    expect(text).toContain(`the browser may not connect to ${closed.host}: it is a loopback address`)
    expect(text).toContain('the browser may not connect to 169.254.169.254:80: it is a metadata address')
  })
})

describe('a page cannot navigate the browser to a closed host', () => {
  test('with a redirect', async () => {
    for (const to of [closed.url(), 'http://169.254.169.254/latest/', `https://${closed.host}/`]) {
      open.pages['/away'] = (_, response) => response.writeHead(302, { location: to }).end()
      expect(await desk.use('browser_open', { url: open.url('/away') }), to).toMatchObject({
        ok: false,
        code: 'HOST_FORBIDDEN',
      })
    }
  })

  test('with a script or a refresh', async () => {
    open.pages['/'] = `<title>x</title><meta http-equiv=refresh content="0;url=${closed.url()}">`
    await desk.use('browser_open', { url: open.url() })
    open.pages['/'] = `<title>x</title><script>location = '${closed.url()}'</script>`
    await desk.use('browser_open', { url: open.url() })
    expect((await desk.use('browser_read')).text).not.toContain('a secret')
  })

  test('with a link or a form', async () => {
    open.pages['/'] =
      `<title>x</title><a href="${closed.url()}">Go</a><a href="${closed.url()}" target=_blank>New</a>` +
      `<form method=post action="${closed.url('/take')}"><button>Send</button></form>`
    for (const target of ['Go', 'New', 'Send']) {
      await desk.use('browser_open', { url: open.url() })
      expect((await desk.use('browser_click', { target })).text, target).toContain('the browser may not connect to')
    }
  })

  test('nor to files, data or internal pages of the browser', async () => {
    open.pages['/'] =
      '<title>home</title><a href="file:///etc/passwd">File</a><a href="data:text/html,<title>data">Data</a>' +
      '<a href="chrome://version">Chrome</a><iframe src="file:///etc/passwd"></iframe>'
    for (const target of ['File', 'Data', 'Chrome']) {
      await desk.use('browser_open', { url: open.url() })
      await desk.use('browser_click', { target })
      const { text } = await desk.use('browser_read')
      expect(text, target).not.toMatch(/root:|URL: (?:file|data|chrome):/)
    }
  })
})

describe('the model cannot open', () => {
  test('a closed host, in any spelling', async () => {
    const port = closed.host.split(':')[1]
    const spellings = ['127.0.0.1', 'localhost', '127.1', '0x7f000001', '[::ffff:7f00:1]', '0.0.0.0']
    const urls = spellings.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])
    for (const url of [...urls, 'http://169.254.169.254/']) {
      expect(await desk.use('browser_open', { url }), url).toMatchObject({ ok: false, code: 'HOST_FORBIDDEN' })
    }
  })
  test('anything but a web page', async () => {
    for (const url of [
      'file:///etc/passwd',
      'chrome://version',
      'data:text/html,x',
      'javascript:1',
      'view-source:http://a.test',
    ]) {
      expect(await desk.use('browser_open', { url }), url).toMatchObject({ ok: false, code: 'BAD_URL' })
      expect((await desk.facts('browser_open', { url })).hosts?.[0]?.scheme, url).not.toMatch(/^https?$/)
    }
  })
  test('a download', async () => {
    open.pages['/file.zip'] = (_, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename=file.zip' }).end('zip')
    expect(await desk.use('browser_open', { url: open.url('/file.zip') })).toMatchObject({ ok: false })
  })
})

describe('when a node lists its allowed domains', () => {
  test('S3-100: its pages reach no other domain, through sub-requests, scripts, links or the model', async () => {
    const wide = openDesk([open.host, closed.host])
    const listed = { sessionId: 'listed', policy: policyWith({ security: { allowedDomains: [open.host] } }) }
    open.pages['/'] =
      `<title>x</title><img src="${closed.url('/picture')}"><iframe src="${closed.url('/frame')}"></iframe>
      <script>fetch('${closed.url('/fetch')}', { mode: 'no-cors' }); new WebSocket('ws://${closed.host}/socket')</script>
      <a href="${closed.url()}">Go</a>`
    const opened = await wide.use('browser_open', { url: open.url() }, listed)
    expect(opened).toMatchObject({ ok: true, text: expect.stringContaining('not an allowed domain') })
    const { text } = await wide.use('browser_click', { target: 'Go' }, listed)
    expect(text).toContain('not an allowed domain')
    expect(await wide.use('browser_open', { url: closed.url() }, listed)).toMatchObject({
      ok: false,
      code: 'DOMAIN_NOT_ALLOWED',
    })
  })
})

describe('the same attempts', () => {
  test('succeed once the host is allowed, so the tests above are real', async () => {
    const reached = await startSite({ '/': 'a secret' })
    const wide = openDesk([open.host, reached.host])
    open.pages['/'] =
      `<title>x</title><img src="${reached.url('/picture')}"><iframe src="${reached.url('/frame')}"></iframe>
      <script>fetch('${reached.url('/fetch')}', { mode: 'no-cors' }); new WebSocket('ws://${reached.host}/socket')</script>
      <a href="${reached.url()}">Go</a>`
    await wide.use('browser_open', { url: open.url() }, { sessionId: 'wide' })
    await wide.use('browser_click', { target: 'Go' }, { sessionId: 'wide' })
    expect((await wide.use('browser_read', {}, { sessionId: 'wide' })).text).toContain('a secret')
    for (const path of ['/picture', '/frame', '/fetch', '/socket', '/']) expect(reached.visits).toContain(`GET ${path}`)
    await reached.stop()
  })
})
