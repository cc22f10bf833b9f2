/** `writ mcp` and what `writ doctor` says about MCP servers, with real server programs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { type Bench, makeBench } from '../support/mcp.ts'

let bench: Bench
let place: Place
const tools = ['echo', 'pid'].map((name) => ({ name, description: `The tool ${name}.` }))
beforeAll(() => {
  bench = makeBench()
  place = makePlace()
  const works = bench.plain(tools)
  const servers = {
    files: works,
    broken: { command: join(bench.folder, 'nowhere') },
    spare: { ...works, enabled: false },
  }
  place.file('mcp.json', { agent: { mcp: { servers } } })
  place.file('fine.json', { agent: { mcp: { servers: { files: works } } } })
})
afterAll(async () => {
  await bench.remove()
  place.remove()
})

const mcp = (...words: string[]) => place.writ(['mcp', ...words, '--config', 'mcp.json'])

describe('writ mcp list', () => {
  test('names every configured server, and contacts none', async () => {
    const { code, stdout } = await mcp('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^files +on +not contacted yet /m)
    expect(stdout).toMatch(/^spare +off /m)
    expect(stdout).toContain(join(bench.folder, 'nowhere'))
    expect(existsSync(join(place.workspace, '.writ'))).toBe(false)
  })

  test('says so when none is configured', async () => {
    expect((await place.writ(['mcp', 'list'])).stdout).toContain('No MCP servers are configured')
  })
})

describe('writ mcp check', () => {
  test('connects to every enabled server and fails when one of them does', async () => {
    const { code, stdout } = await mcp('check')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^ok {2}files\n {2}2 tools\n {4}mcp__files__echo {2}The tool echo\.\n {4}mcp__files__pid {2}The tool pid\.$/m,
    )
    expect(stdout).toMatch(/^failed {2}broken\n {2}MCP server broken: .*agent\.mcp\.servers\.broken/m)
    expect(stdout).not.toContain('spare')
  })

  test('a server that says nothing, and one that ends at once, are reported as that', async () => {
    const servers = {
      silent: { command: process.execPath, args: ['-e', 'process.stdin.resume()'], timeoutMs: 300 },
      ends: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
    }
    place.file('odd.json', { agent: { mcp: { servers } } })
    const { code, stdout } = await place.writ(['mcp', 'check', '--config', 'odd.json'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/did not answer within 300 ms.*agent\.mcp\.servers\.silent\.timeoutMs/)
    expect(stdout).toMatch(/MCP server ends: it ended before it answered/)
    expect(stdout).not.toContain('took effect')
  })

  test('one server by name', async () => {
    const { code, stdout } = await mcp('check', 'files', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).servers).toMatchObject([
      { server: 'files', state: 'connected', tools: ['mcp__files__echo', 'mcp__files__pid'], notes: [] },
    ])
  })

  test('an unknown name is refused with the known ones', async () => {
    const { code, stderr } = await mcp('check', 'filez')
    expect(code).toBe(2)
    expect(stderr).toMatch(/no MCP server "filez"[\s\S]*files, broken, spare/)
  })

  test('speaks Chinese', async () => {
    expect((await mcp('check', '--lang', 'zh')).stdout).toContain('2 个工具')
  })
})

test('writ doctor names each server', async () => {
  const failing = await place.writ(['doctor', '--config', 'mcp.json'])
  expect(failing.code).toBe(1)
  expect(failing.stdout).toMatch(/ok +MCP server +files \(2 tools\)/)
  expect(failing.stdout).toMatch(/fail +MCP server +broken/)
  expect((await place.writ(['doctor', '--config', 'fine.json'])).code).toBe(0)
})

describe('writ mcp serve', () => {
  test('X-GATEWAY-9: what cannot be served is refused before a client waits for it', async () => {
    expect(await mcp('serve', 'nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('MCP_UNKNOWN') })
    expect(await mcp('serve', '--http', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--http must be'),
    })
    const none = await place.writ(['mcp', 'serve'])
    expect(none).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('No MCP servers are configured'),
    })
  })
})
