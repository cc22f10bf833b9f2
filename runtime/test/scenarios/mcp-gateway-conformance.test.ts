/** The protocol's own conformance suite for servers, at a server and at the gateway before it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startConformanceServer } from '../support/conformance-server.ts'
import { type GatewayPlace, makeGatewayPlace } from '../support/gateway.ts'

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)

let place: GatewayPlace
const stops: (() => Promise<unknown> | unknown)[] = []
beforeEach(() => {
  place = makeGatewayPlace()
})
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
  await place.remove()
})

/** The suite sends no token. */
async function withToken(url: string, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming
    const passed = request(url, { method, headers: { ...headers, authorization: `Bearer ${token}` } }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

/** By scenario: how many checks passed, and how many failed. */
async function checked(url: string): Promise<Map<string, { passed: number; failed: number }>> {
  const cwd = mkdtempSync(join(tmpdir(), 'writ-conformance-'))
  stops.push(() => rmSync(cwd, { recursive: true, force: true }))
  const run = promisify(execFile)(process.execPath, [SUITE, 'server', '--url', url], {
    cwd,
    maxBuffer: 1e8,
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const lines = stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)
  return new Map(
    [...lines].map(([, name = '', passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]),
  )
}

test('X-GATEWAY-10: the suite finds nothing through the gateway that it does not find at the server', async () => {
  const server = await startConformanceServer()
  stops.push(server.stop)
  place.configure({ it: { url: server.url } }, { autonomy: 'Full' })
  const gateway = await place.serve({ servers: ['it'] })
  const { secret } = await gateway.keyring.add('suite', ['read', 'run'])
  const [direct, through] = await Promise.all([checked(server.url), checked(await withToken(gateway.url, secret))])
  expect(direct.size).toBeGreaterThan(25)
  expect([...through].filter(([name, { failed }]) => failed > (direct.get(name)?.failed ?? 0))).toEqual([])
  expect([...through].filter(([name, { passed }]) => passed < (direct.get(name)?.passed ?? 0))).toEqual([])
  expect([...through.keys()]).toEqual([...direct.keys()])
})
