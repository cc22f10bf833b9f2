/** Signing in to MCP servers: the whole way through a browser, and what is kept of it. */
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loginsFile } from '../../src/config/mcp-logins.ts'
import { signIn } from '../../src/tool/mcp/login.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type Bench, makeBench, run, toolOf } from '../support/mcp.ts'
import { type OauthServer, startOauthServer } from '../support/oauth-server.ts'

let bench: Bench
let server: OauthServer
let file: string
beforeEach(async () => {
  bench = makeBench()
  server = await startOauthServer()
  file = loginsFile(join(bench.folder, 'home'))
})
afterEach(async () => {
  server.stop()
  await bench.remove()
})

/** A browser that goes where it is sent. */
const browse = (address: URL) => void fetch(address).catch(() => {})
const login = (own: Partial<Parameters<typeof signIn>[0]> = {}) =>
  signIn({
    server: 'it',
    url: server.url,
    file,
    page: 'done',
    timeoutMs: 20_000,
    onAddress: browse,
    signal: new AbortController().signal,
    ...own,
  })
const stored = () => JSON.parse(readFileSync(file, 'utf8')).it
const number = async () => {
  const mcp = await bench.open({ it: { url: server.url } }, { logins: file })
  const [tool] = mcp.tools
  const said = tool === undefined ? mcp.status()[0]?.notes.join() : await run(tool, {}, bench)
  await mcp.close()
  return said
}

describe('a server that wants a sign-in', () => {
  test('X-GATEWAY-11: after it its tools work, also in the next process, and its tokens are refreshed', async () => {
    expect(await number()).toContain('writ mcp login it')
    expect(await login()).toBe(true)
    expect(await number()).toMatchObject({ ok: true, text: expect.stringContaining('42') })
    const before = stored().tokens.refresh_token
    server.access.clear()
    expect(await number()).toMatchObject({ ok: true, text: expect.stringContaining('42') })
    expect(stored().tokens.refresh_token).not.toBe(before)
  })

  test('X-GATEWAY-11: a server that says nothing ends the sign-in with its time limit', async () => {
    const silent = createServer(() => {})
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    await expect(login({ url: `http://127.0.0.1:${port}/mcp`, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'MCP_SILENT',
      message: expect.stringContaining('50'),
    })
    silent.closeAllConnections()
    silent.close()
  })

  test('X-GATEWAY-11: when the tokens are withdrawn, the next call says how to sign in again', async () => {
    await login()
    const mcp = await bench.open({ it: { url: server.url } }, { logins: file })
    server.access.clear()
    server.refresh.clear()
    await expect(run(toolOf(mcp, 'mcp__it__secret_number'), {}, bench)).rejects.toMatchObject({
      code: expect.stringMatching(/^MCP_(?:LOGIN|UNAUTHORIZED)$/),
    })
  })

  test('X-GATEWAY-11: the file is the user’s alone, and an open one is refused', async () => {
    await login()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    chmodSync(file, 0o644)
    expect(await number()).toContain('other users can read')
  })

  test('X-GATEWAY-11: a token goes to no other address under the same name', async () => {
    await login()
    const other = await startOauthServer()
    try {
      const mcp = await bench.open({ it: { url: other.url } }, { logins: file })
      expect(mcp.status()[0]?.notes.join()).toContain('writ mcp login')
      expect(other.asked.filter((what) => what !== 'POST /mcp' && what !== 'DELETE /mcp')).toEqual([])
    } finally {
      other.stop()
    }
  })

  test.each([
    ['no registration', 'does not let programs register themselves'],
    ['no PKCE', 'does not support signing in through a browser'],
    ['no pages', 'asks for a sign-in but does not say where'],
    ['no tokens', 'rejected the sign-in (invalid_grant: too late)'],
  ] as const)('X-GATEWAY-11: %s: the sign-in says so in its own words', async (fault, words) => {
    server.fault = fault
    await expect(login()).rejects.toMatchObject({ code: 'MCP_LOGIN_FAILED', message: expect.stringContaining(words) })
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  test('X-GATEWAY-11: a refusal, a cancelled sign-in and a forged callback store nothing', async () => {
    server.person = 'refuses'
    await expect(login()).rejects.toMatchObject({ code: 'MCP_LOGIN_REFUSED' })
    const cancel = new AbortController()
    const forge = async (address: URL) => {
      const callback = new URL(address.searchParams.get('redirect_uri') ?? '')
      callback.search = '?code=stolen&state=guessed'
      const { status } = await fetch(callback)
      cancel.abort(new Error(`answered ${status}`))
    }
    await expect(login({ onAddress: (address) => void forge(address), signal: cancel.signal })).rejects.toThrow(
      'answered 404',
    )
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })
})

describe('the command', () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())
  const configure = (servers: object) => ['--config', place.file('mcp.json', { agent: { mcp: { servers } } })]

  test('X-GATEWAY-11: it shows the address to open, and tells where the tokens are', async () => {
    const running = place.start(['mcp', 'login', 'it', ...configure({ it: { url: server.url } })])
    const said = await running.said('response_type=code')
    const [address = ''] = /http:\/\/\S+authorize\S+/.exec(said) ?? []
    expect(await (await fetch(address)).text()).toContain('You can close this page')
    expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('keys.json.mcp') })
  })

  test('X-GATEWAY-11: a program, and a name that is not configured, are refused', async () => {
    const flags = configure({ here: { command: 'true' } })
    expect(await place.writ(['mcp', 'login', 'here', ...flags])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MCP_LOGIN_PROGRAM'),
    })
    expect(await place.writ(['mcp', 'login', 'it', ...flags])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MCP_UNKNOWN'),
    })
  })

  test('X-GATEWAY-11: no tool reads or writes the tokens, and they are masked in the journal', async () => {
    const { configHome } = { configHome: join(place.root, 'home/.config/writ') }
    await login({ file: loginsFile(configHome) })
    const { tokens } = JSON.parse(readFileSync(loginsFile(configHome), 'utf8')).it
    const at = loginsFile(configHome)
    const script = place.script('script.json', [
      { purpose: 'main', calls: [{ tool: 'file_read', args: { path: at } }] },
      { purpose: 'main', calls: [{ tool: 'file_write', args: { path: at, content: '{}' } }] },
      { purpose: 'main', calls: [{ tool: 'shell', args: { command: `cat ${at}` } }] },
      { purpose: 'main', text: `It is ${tokens.access_token}.` },
    ])
    const { stdout } = await place.writ([
      'run',
      'look',
      '--json',
      '--script',
      script,
      '--autonomy',
      'Full',
      '--no-input',
    ])
    expect(stdout).not.toContain(tokens.access_token)
    expect(stdout).not.toContain(tokens.refresh_token)
    expect(stdout).toContain('[REDACTED:')
  })
})
