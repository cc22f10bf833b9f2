import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../../test/support/browser-desk.ts'
import { isAlive, killAll, needChromium, processesBelow } from '../../../test/support/chromium.ts'
import { collect, engineWith, saying } from '../../../test/support/engine.ts'
import { policyWith } from '../../../test/support/gate-input.ts'
import { type Site, startSite } from '../../../test/support/site.ts'
import { until } from '../../../test/support/until.ts'
import { PROFILES } from '../../agent/profile.ts'
import { startTurn } from '../../agent/turn.ts'
import type { EventOf } from '../../protocol/event.ts'
import { closeSession, peekSession } from './sessions.ts'

const HOME = `<!doctype html><html lang=en><title>Home</title>
  <h1>Welcome</h1><p style="display:none">a hidden order</p>
  <a href="/second">Second page</a> <a href="/second" target=_blank>In a new window</a>
  <button onclick="document.title = 'Pressed'">Press me</button>
  <button>Same</button> <button>Same</button>
  <form action="/search"><label>Find <input name=q placeholder="words"></label>
    <label>Size <select name=size><option>small</option><option>large</option></select></label>
    <button class=go>Search</button></form>
  <form action="/order" method=post><button>Order</button></form>`

/** Reports with a request that it is about to hang, and then hangs. */
const HANG = "const said = new XMLHttpRequest(); said.open('GET', '/hanging', false); said.send(); for (;;);"

let site: Site
let desk: Desk
beforeAll(async () => {
  site = await startSite({
    '/': HOME,
    '/second': '<title>Second</title>the second page',
    '/search': (request, response) => response.end(`<title>Found</title>${request.url}`),
    '/hang': `<title>Hang</title><button onclick="${HANG}">Hang</button>`,
    '/slow': (_, response) => void setTimeout(() => response.end('<title>Slow</title>'), 600),
    '/to-slow': '<title>x</title><a href="/slow">Slow</a>',
    '/count': (request, response) => {
      const count = Number(/n=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 0) + 1
      response.setHeader('set-cookie', `n=${count}`)
      response.end(`<title>Visit ${count}</title>`)
    },
  })
  desk = openDesk([site.host])
})
afterAll(async () => {
  await desk.close()
  await site.stop()
})
const open = (path = '/', own = {}) => desk.use('browser_open', { url: site.url(path) }, own)

describe('opening', () => {
  test('returns the title and the final address', async () => {
    site.pages['/old'] = (_, response) => response.writeHead(301, { location: '/second' }).end()
    expect(await open('/old')).toEqual({ ok: true, text: `Title: Second\nURL: ${site.url('/second')}` })
  })
  test('fails on an error status, and the page can still be read', async () => {
    expect(await open('/missing')).toMatchObject({ ok: false, code: 'HTTP_STATUS' })
    expect((await desk.use('browser_read')).text).toContain('Title: Not here')
  })
  test('fails with a readable error when nothing answers', async () => {
    const gone = await startSite()
    await gone.stop()
    const wider = openDesk([gone.host])
    const said = await wider.use('browser_open', { url: gone.url() }, { sessionId: 'gone' })
    expect(said).toEqual({ ok: false, code: 'BROWSER_FAILED', text: `${gone.host} cannot be reached: ECONNREFUSED` })
  })
  test('succeeds when only an image fails to load', async () => {
    site.pages['/lost.png'] = (request) => request.socket.destroy()
    site.pages['/with-picture'] = '<title>Pictured</title><img src="/lost.png">'
    expect(await open('/with-picture')).toMatchObject({ ok: true })
  })
  test('is required before any other call', async () => {
    for (const [name, args] of [
      ['browser_read', {}],
      ['browser_screenshot', {}],
      ['browser_click', { target: 'x' }],
      ['browser_type', { target: 'x', text: 'y' }],
    ] as const) {
      expect(await desk.use(name, args, { sessionId: 'fresh' }), name).toMatchObject({ ok: false, code: 'NO_PAGE' })
    }
  })
})

describe('reading', () => {
  test('returns the visible text, and numbers the links and controls', async () => {
    await open()
    const { text } = await desk.use('browser_read')
    expect(text).toContain('Welcome')
    expect(text).not.toContain('hidden order')
    expect(text).toContain(`[1] link "Second page" → ${site.url('/second')}`)
    expect(text).toContain('[3] button "Press me"')
    expect(text).toContain('[6] field "Find" (text)')
  })
  test('is consistent: title, text and links belong to the same state of a changing page', async () => {
    site.pages['/clock'] = `<body><script>let n = 0; setInterval(() => {
      document.title = 'at ' + ++n
      document.body.innerHTML = 'It is ' + n + '. <a href="/">Link ' + n + '</a>'
    }, 1)</script>`
    await open('/clock')
    for (let i = 0; i < 20; i++) {
      const { text } = await desk.use('browser_read')
      const [, now = 'none'] = /^Title: at (\d+)/.exec(text) ?? []
      expect(text).toContain(`It is ${now}. Link ${now}`)
      expect(text).toContain(`[1] link "Link ${now}"`)
    }
  })
  test('is cut when the page is endless', async () => {
    site.pages['/long'] = `<title>Long</title><p>${'word '.repeat(50_000)}</p>${'<a href="/">again</a> '.repeat(500)}`
    await open('/long')
    const { text } = await desk.use('browser_read')
    expect(text.length).toBeLessThan(32_000)
    expect(text).toMatch(/…\(\+\d+\)/)
    expect(text).toContain('[100] link "again"')
    expect(text).toContain('(+400)')
  })
})

describe('a target', () => {
  test.each([
    ['its number', '1', 'Title: Second'],
    ['its text', 'Second page', 'Title: Second'],
    ['a part of its text', 'press', 'Title: Pressed'],
    ['its role and name', 'button "Press me"', 'Title: Pressed'],
    ['CSS', 'form[action="/search"] .go', 'Title: Found'],
  ])('can be given as %s', async (_, target, title) => {
    await open()
    await desk.use('browser_read')
    expect((await desk.use('browser_click', { target })).text).toContain(title)
  })
  test('is never guessed: several matches, none, and numbers of another page are errors', async () => {
    await open()
    await desk.use('browser_read')
    expect(await desk.use('browser_click', { target: 'Same' })).toMatchObject({ code: 'TARGET_AMBIGUOUS' })
    expect(await desk.use('browser_click', { target: 'Nothing' })).toMatchObject({ code: 'TARGET_NOT_FOUND' })
    expect(await desk.use('browser_click', { target: '99' })).toMatchObject({ code: 'TARGET_NOT_FOUND' })
    await open('/second')
    expect(await desk.use('browser_click', { target: '1' })).toMatchObject({ code: 'TARGET_NOT_FOUND' })
  })
})

describe('using a page', () => {
  test('a click that navigates is followed to the end', async () => {
    await open('/to-slow')
    expect((await desk.use('browser_click', { target: 'Slow' })).text).toContain('Title: Slow')
  })
  test('a new window becomes the current page, and closing it returns to the old one', async () => {
    await open()
    expect((await desk.use('browser_click', { target: 'In a new window' })).text).toContain('Title: Second')
    await (await peekSession('ses_1'))?.pages.at(-1)?.close()
    expect((await desk.use('browser_read')).text).toContain('Title: Home')
  })
  test('fields are filled by label, placeholder or number, and a line break submits', async () => {
    await open()
    await desk.use('browser_read')
    await desk.use('browser_type', { target: 'Size', text: 'large' })
    await desk.use('browser_type', { target: '6', text: 'first' })
    await desk.use('browser_type', { target: 'Find', text: 'second' })
    await desk.use('browser_type', { target: 'words', text: '中文 & more\n' })
    const { text } = await desk.use('browser_read')
    expect(text).toContain(`/search?q=${encodeURIComponent('中文')}+%26+more&size=large`)
  })
  test('a screenshot is stored in the artifacts folder', async () => {
    await open()
    const { text } = await desk.use('browser_screenshot')
    const [file = ''] = text.split('\n')
    expect(file.startsWith(join(desk.artifacts, 'ses_1-'))).toBe(true)
    const picture = readFileSync(file)
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(text).toContain(`1280×800 px, ${picture.length} bytes`)
    expect(statSync(file).mode & 0o077, 'readable by its owner only').toBe(0)
  })
})

describe('what a call would touch', () => {
  test('S1-108: opening is Low for a listed host and Medium for any other', async () => {
    expect(await desk.facts('browser_open', { url: site.url() })).toMatchObject({ risk: 'Low', readOnly: true })
    expect(await desk.facts('browser_open', { url: 'example.com/x' })).toMatchObject({
      risk: 'Medium',
      hosts: [{ host: 'example.com', port: 443, scheme: 'https', method: 'GET' }],
      targets: [{ kind: 'url', value: 'https://example.com/x' }],
      preview: 'GET https://example.com/x',
    })
  })
  test('a click touches its page and the address it leads to', async () => {
    site.pages['/out'] = '<title>x</title><a href="http://10.0.0.1/admin">Admin</a>'
    await open('/out')
    const { hosts, targets } = await desk.facts('browser_click', { target: 'Admin' })
    expect(hosts?.map(({ host, method, address }) => [host, method, address])).toEqual([
      ['127.0.0.1', 'GET', 'loopback'],
      ['10.0.0.1', 'GET', 'private'],
    ])
    expect(targets).toEqual([{ kind: 'host', value: '127.0.0.1' }])
  })
  test('a form is sent with its own method, by its button or by Enter', async () => {
    await open()
    const methods = async (name: string, args: object) =>
      (await desk.facts(name, args)).hosts?.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    expect(await methods('browser_click', { target: 'Order' })).toEqual(['GET /', 'POST /order'])
    expect(await methods('browser_type', { target: 'Find', text: 'a' })).toEqual(['GET /'])
    expect(await methods('browser_type', { target: 'Find', text: 'a\n' })).toEqual(['GET /', 'GET /search'])
  })
  test('the gate judges a click by the current page of the session', async () => {
    const calls = [
      { id: 'c1', tool: 'browser_open', args: { url: site.url('/out') } },
      { id: 'c2', tool: 'browser_click', args: { target: 'Admin' } },
    ]
    const engine = await engineWith({
      tools: desk.tools,
      world: desk.world,
      policy: policyWith({ security: { autonomy: 'Full', allowedHosts: [site.host], provenance: 'off' } }),
      model: saying(calls.map((call) => ({ calls: [call] }))),
    })
    const signal = new AbortController().signal
    const input = {
      task: 'look',
      sessionId: undefined,
      profile: PROFILES.chat,
      signal,
      confirm: undefined,
      stream: false,
    }
    const { events } = await collect(startTurn(engine, input))
    const decided = events.filter((event) => event.type === 'gate.decided') as EventOf<'gate.decided'>[]
    expect(decided.map(({ data }) => [data.tool, data.decision])).toEqual([
      ['browser_open', 'allow'],
      ['browser_click', 'deny'],
    ])
    expect(decided[1]?.data.facts.hosts?.map(({ host }) => host)).toEqual(['127.0.0.1', '10.0.0.1'])
  })
})

describe('a session', () => {
  afterEach(() => closeSession('other'))
  test('shares neither pages nor cookies with another', async () => {
    await open('/count')
    expect((await open('/count')).text).toContain('Visit 2')
    expect((await open('/count', { sessionId: 'other' })).text).toContain('Visit 1')
  })
  test('is forgotten when it is closed', async () => {
    await open('/count', { sessionId: 'other' })
    await closeSession('other')
    expect(await peekSession('other')).toBeUndefined()
    expect((await open('/count', { sessionId: 'other' })).text).toContain('Visit 1')
  })
  test('is closed after a while without a call', async () => {
    const hasty = openDesk([site.host], 30)
    await hasty.use('browser_open', { url: site.url() }, { sessionId: 'other' })
    await until(async () => (await peekSession('other')) === undefined)
  })
  test('survives an aborted call, even on a page that never answers', async () => {
    await open('/hang')
    const cut = new AbortController()
    const clicking = desk.use('browser_click', { target: 'Hang' }, { signal: cut.signal })
    await until(() => site.visits.includes('GET /hanging'))
    cut.abort()
    expect((await clicking).ok).toBe(false)
    expect((await open('/second')).text).toContain('Title: Second')
  })
  test('opens another page when the current one never answers', async () => {
    site.pages['/busy'] = `<title>Busy</title><script>addEventListener('message', () => { ${HANG} })</script>`
    await open('/busy')
    const busy = (await peekSession('ses_1'))?.pages.at(-1)
    const before = site.visits.length
    void busy?.evaluate('postMessage(0)').catch(() => {})
    await until(() => site.visits.slice(before).includes('GET /hanging'))
    expect((await open('/second')).text).toContain('Title: Second')
  })
  test('survives a crash of its browser: the next call starts another', async () => {
    await open()
    const left = socketFolders()
    killAll(processesBelow(process.pid))
    await until(async () => (await peekSession('ses_1')) === undefined)
    expect((await open('/second')).text).toContain('Title: Second')
    for (const folder of left) rmSync(folder, { recursive: true, force: true })
  })
})

/** Of the browsers of this process: they remove them when they end, unless they are killed. */
function socketFolders(): string[] {
  const lines = processesBelow(process.pid).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  const profiles = new Set(lines.flatMap((line) => /--user-data-dir=([^\0 ]+)/.exec(line)?.[1] ?? []))
  return [...profiles].map((profile) => dirname(readlinkSync(join(profile, 'SingletonSocket'))))
}

test('a killed process leaves no browser behind', async () => {
  const script = `
    const { openDesk } = await import(${JSON.stringify(join(import.meta.dirname, '../../../test/support/browser-desk.ts'))})
    const said = await openDesk([${JSON.stringify(site.host)}]).use('browser_open', { url: ${JSON.stringify(site.url())} })
    console.log(said.text)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, WRIT_CHROMIUM: needChromium(), TMPDIR: desk.artifacts },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  expect(String(line)).toContain('Title: Home')
  const pids = processesBelow(child.pid ?? 0)
  expect(pids.length).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await until(() => !pids.some(isAlive))
})
