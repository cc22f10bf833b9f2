import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { policyWith } from '../../../test/support/gate-input.ts'
import { type Site, startSite } from '../../../test/support/site.ts'
import { sandboxStatus } from '../guard/sandbox.ts'
import type { ToolContext, ToolOutput, World } from '../tool.ts'
import { shellTool } from './shell.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-shell-net-')))
const workspace = join(base, 'ws')
mkdirSync(workspace)

const asked: string[] = []
let site: Site
let other: Site
beforeAll(async () => {
  site = await startSite({
    '/': 'hello from the site',
    '/away': (_, response) => response.writeHead(302, { location: 'http://other.example/' }).end(),
    '/port': (_, response) => response.writeHead(302, { location: 'http://site.example:8080/' }).end(),
  })
  other = await startSite({ '/': 'SECRETS of another host' })
})
afterAll(async () => {
  await site.stop()
  await other.stop()
  rmSync(base, { recursive: true, force: true })
})

const portOf = ({ host }: Site): number => Number(host.split(':')[1])
/** Every name has a public address; the server behind it is on this machine. */
const wire = {
  resolve: async (host: string) => {
    asked.push(host)
    return [{ address: '93.184.216.34', family: 4 }]
  },
  portOf: ({ host, port }: { host: string; port: number }) =>
    host === 'site.example' && port === 80 ? portOf(site) : portOf(other),
}
const world = (own: Partial<World> = {}): World => ({
  workspace,
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: { PATH: process.env.PATH, HOME: base },
  sandbox: 'auto',
  ...own,
})
const run = (command: string, own: Partial<World> = {}, more: Partial<ToolContext> = {}): Promise<ToolOutput> =>
  shellTool({ wire }).execute({ command, timeoutMs: 20_000 }, callIn(world(own), more))
const said = (output: ToolOutput): string => (output.ok ? output.text : `${output.error}\n${output.partial ?? ''}`)

const { active } = await sandboxStatus('auto')

describe.skipIf(!active)('W7: an allowed line reaches the hosts it names, from inside the sandbox', () => {
  test.each([
    'curl -sS http://site.example/',
    'curl -sS site.example',
    'wget -qO- http://site.example/',
    'curl -sS http://site.example/ | cat',
  ])('%s', async (command) => {
    expect(said(await run(command))).toContain('hello from the site')
  })

  test.each([
    ['another host', 'curl -sS http://site.example/ >/dev/null; bash go.sh', 'curl -sS http://other.example/'],
    ['another port', 'curl -sS http://site.example/ >/dev/null; bash go.sh', 'curl -sS http://site.example:8080/'],
    ['another port by a tunnel', 'curl -sS http://site.example/; bash go.sh', 'curl -sSp http://site.example:8080/'],
    ['a host below it', 'curl -sS http://site.example/; bash go.sh', 'curl -sS http://a.site.example/'],
    ['metadata', 'curl -sS http://site.example/; bash go.sh', 'curl -sS http://169.254.169.254/'],
    ['where it is redirected to', 'curl -sSL http://site.example/away', ''],
    ['the port it is redirected to', 'curl -sSL http://site.example/port', ''],
  ])('but not %s', async (_, command, script) => {
    writeFileSync(join(workspace, 'go.sh'), `${script}\n`)
    asked.length = 0
    const output = said(await run(command))
    expect(output).not.toContain('SECRETS')
    expect(asked.every((host) => host === 'site.example')).toBe(true)
    expect(output).toMatch(/this command may not connect to|it is a metadata address/)
  })

  test('loopback of this machine stays closed, whatever else the line names', async () => {
    writeFileSync(
      join(workspace, 'go.sh'),
      `curl -sS ${other.url()}; curl -sS -x http://127.0.0.1:3129 ${other.url()}\n`,
    )
    expect(said(await run('curl -sS http://site.example/; bash go.sh'))).not.toContain('SECRETS')
  })

  test('a line that names no host has no network, and a later line gets nothing from an earlier one', async () => {
    writeFileSync(join(workspace, 'go.sh'), 'curl -sS -x http://127.0.0.1:3129 http://site.example/\n')
    const late = 'until test -e go; do sleep 0.05; done; curl -s http://site.example/ > late.txt'
    const left = `(setsid sh -c "${late}" >/dev/null 2>&1 &)`
    expect(said(await run(`curl -sS http://site.example/; ${left}`))).toContain('hello')
    expect(said(await run('bash go.sh'))).not.toContain('hello')
    expect(said(await run('touch go; sleep 0.5; cat late.txt'))).not.toContain('hello')
  })

  test('a server that the command itself starts on loopback is still reached', async () => {
    const serve =
      "node -e \"require('http').createServer((q,s)=>s.end('inner')).listen(4777)\" & until curl -s http://127.0.0.1:4777/; do sleep 0.05; done;"
    expect(said(await run(`${serve} curl -sS http://site.example/ && curl -sS http://127.0.0.1:4777/`))).toMatch(
      /hello from the site(.|\n)*inner/,
    )
  })
})

describe.skipIf(!active)('W7: allowedHosts apply in the shell', () => {
  test('a loopback service, for every program of every line, and no other port', async () => {
    const allowedHosts = [site.host]
    writeFileSync(join(workspace, 'go.sh'), `curl -sS ${site.url()}; curl -sS ${other.url()}\n`)
    expect(said(await run(`curl -sS ${site.url()}`, { allowedHosts }))).toContain('hello from the site')
    const output = said(await run('bash go.sh', { allowedHosts }))
    expect(output).toContain('hello from the site')
    expect(output).not.toContain('SECRETS')
  })

  test('by the name localhost', async () => {
    const allowedHosts = [`localhost:${portOf(site)}`]
    expect(said(await run(`curl -sS http://localhost:${portOf(site)}/`, { allowedHosts }))).toContain('hello')
  })

  test('a service that does not speak HTTP', async () => {
    const server = createServer((socket) => socket.end('plain words\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`
    expect(said(await run(command, { allowedHosts: [`127.0.0.1:${port}`] }))).toContain('plain words')
    expect(said(await run(command))).not.toContain('plain words')
    server.close()
  })

  test('a public name, with its port', async () => {
    writeFileSync(join(workspace, 'go.sh'), 'curl -sS http://site.example/; curl -sS http://other.example/\n')
    const output = said(await run('bash go.sh', { allowedHosts: ['site.example:80'] }))
    expect(output).toContain('hello from the site')
    expect(output).not.toContain('SECRETS')
  })

  test('but not in a workflow node that restricts hosts or methods: there only the hosts of the line are open', async () => {
    const policy = policyWith({ security: { allowedDomains: ['site.example'] } })
    writeFileSync(join(workspace, 'go.sh'), `curl -sS ${other.url()}\n`)
    const allowedHosts = [other.host]
    expect(said(await run('bash go.sh', { allowedHosts }, { policy }))).not.toContain('SECRETS')
    expect(said(await run('curl -sS http://site.example/', { allowedHosts }, { policy }))).toContain('hello')
  })
})

describe.skipIf(!active)('a failing command mentions the sandbox only when it is relevant', () => {
  test.each([
    ['false', /^the command exited with 1$/],
    ['cat missing.txt', /^the command exited with 1$/],
    ['curl -sS http://127.0.0.1:9', /allowedHosts/],
    ['touch /usr/x', /write in the workspace only/],
  ])('%s', async (command, expected) => {
    const output = await run(command)
    expect(output).toMatchObject({ ok: false, error: expect.stringMatching(expected) })
  })
})

test('curl is installed, otherwise the tests above prove nothing', () => {
  expect(execFileSync('curl', ['--version'], { encoding: 'utf8' })).toContain('curl')
})
