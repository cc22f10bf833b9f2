import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../../test/support/config-fixture.ts'
import type { Io } from '../io.ts'
import { configCheck, configInit, configSchema, configShow } from './config.ts'
import { trust } from './trust.ts'

let here: Fixture
let out: string
let err: string
let io: Io
beforeEach(() => {
  here = makeFixture()
  out = ''
  err = ''
  io = {
    stdout: (text) => {
      out += text
    },
    stdin: () => process.stdin,
    stderr: (text) => {
      err += text
    },
    env: here.env,
    cwd: here.workspace,
    isTty: false,
    lang: 'en',
  }
})
afterEach(() => here.remove())

describe('writ config check', () => {
  test('says all is well and exits 0', async () => {
    here.write(here.workspaceFile, { agent: { limits: { maxSteps: 3 } } })
    expect(await configCheck({}, io)).toBe(0)
    expect(out).toContain(here.workspaceFile)
    expect(err).toBe('')
  })

  test('S0-10: lists every problem of a named file on stderr and exits 2', async () => {
    const file = join(here.home, 'bad.json')
    here.write(file, { agent: { temperature: 'hot', limits: { maxSteps: 0 } } })
    expect(await configCheck({ file }, io)).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('agent.temperature: found "hot", expected a number from 0 to 2')
    expect(err).toContain('agent.limits.maxSteps: found 0, expected an integer of at least 1')
    expect(err).toContain('hint: ')
  })

  test('gives the same to programs with --json', async () => {
    here.write(here.workspaceFile, '{ "agent": }')
    expect(await configCheck({ json: true }, io)).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
      problems: [{ origin: here.workspaceFile, where: { line: 1, column: 12 } }],
    })
  })

  test('S0-111: warns about the old form and still exits 0', async () => {
    here.write(here.userFile, { agent: { execution: { intentGuard: { browser: { noFallback: true } } } } })
    expect(await configCheck({}, io)).toBe(0)
    expect(err).toContain('intents.browser_access')
  })
})

describe('writ config show', () => {
  test('S0-68 S0-105: prints the merged values of an empty file, each with where it came from', async () => {
    here.write(here.userFile, {})
    expect(await configShow({}, io)).toBe(0)
    expect(out).toMatch(/^agent\.execution\.intentGuard\.detector +"heuristic" {2}# default$/m)
    expect(out).toMatch(/^agent\.execution\.intentGuard\.intents\.code_edit\.softBlockAfter +1 {2}# default$/m)
    expect(out).toMatch(/^agent\.model +\(automatic\)/m)
  })

  test('S0-107: shows the old form as the new one', async () => {
    here.write(here.userFile, { agent: { execution: { intentGuard: { browser: { networkAdjacentOnly: false } } } } })
    expect(await configShow({ json: true }, io)).toBe(0)
    const shown = JSON.parse(out)
    expect(shown.config.agent.execution.intentGuard.intents.browser_access.softAllowedFamilies).toEqual([])
    const key = 'agent.execution.intentGuard.intents.browser_access.softAllowedFamilies'
    expect(shown.sources[key]).toBe(here.userFile)
  })

  test('a secret written down for an MCP server is refused, and not repeated', async () => {
    const mcp = {
      servers: {
        a: { command: 'x', env: { TOKEN: 'sk-canary' } },
        b: { url: 'https://b.example/', headers: { Authorization: 'Bearer sk-canary' } },
      },
    }
    here.write(here.userFile, { agent: { mcp } })
    expect(await configShow({}, io)).toBe(2)
    expect(err).toContain('agent.mcp.servers.a.env: expected a list')
    expect(err).toContain('agent.mcp.servers.b.headers.Authorization: expected the name of a variable')
    expect(out + err).not.toContain('sk-canary')
  })

  test('exits 2 on a bad file', async () => {
    here.write(here.userFile, { agent: 1 })
    expect(await configShow({}, io)).toBe(2)
    expect(err).toContain('agent: found 1, expected an object')
  })
})

describe('writ config schema and init', () => {
  test('the schema is JSON Schema', async () => {
    expect(await configSchema({}, io)).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ $schema: expect.stringContaining('2020-12'), type: 'object' })
  })

  test('S0-11: init writes a file that checks clean, and never over one that is there', async () => {
    expect(await configInit({}, io)).toBe(0)
    expect(await configCheck({}, io)).toBe(0)
    expect(err).toBe('')
    here.write(here.workspaceFile, '{"agent":{}}')
    expect(await configInit({}, io)).toBe(2)
    expect(readFileSync(here.workspaceFile, 'utf8')).toBe('{"agent":{}}')
  })
})

describe('writ trust', () => {
  test('shows what the file changes, and from then on it holds', async () => {
    here.write(here.workspaceFile, { agent: { security: { autonomy: 'Full' } } })
    expect(await trust({}, io)).toBe(0)
    expect(out).toContain('agent.security.autonomy: "Supervised" -> "Full"')
    expect((await here.load()).config.security.autonomy).toBe('Full')
  })

  test.each([
    ['en', 'ignored, because these can only be set in your own configuration: agent.security.readPaths'],
    ['zh', '已忽略，以下设置只能写在你自己的配置中：agent.security.readPaths'],
  ] as const)('says which settings are ignored even so (%s)', async (lang, line) => {
    here.write(here.workspaceFile, { agent: { security: { autonomy: 'Full', readPaths: ['/srv/data'] } } })
    expect(await trust({}, { ...io, lang })).toBe(0)
    expect(out).toContain(line)
    expect(out).not.toContain('agent.security.readPaths:')
    expect((await here.load()).config.security.readPaths).toEqual([])
  })

  test('H3: shows which files changed since', async () => {
    here.write(join(here.workspace, 'AGENTS.md'), 'be kind')
    await trust({}, io)
    expect(out).toContain('new  AGENTS.md')
    out = ''
    here.write(join(here.workspace, 'AGENTS.md'), 'obey')
    await trust({}, io)
    expect(out).toContain('Changed since you last trusted it:\n  changed  AGENTS.md')
    out = ''
    await trust({}, io)
    expect(out).toContain('already trusted')
  })

  test('--revoke ends the trust', async () => {
    here.write(here.workspaceFile, { agent: { security: { autonomy: 'Full' } } })
    await trust({}, io)
    expect(await trust({ revoke: true }, io)).toBe(0)
    expect((await here.load()).trust).toBe('untrusted')
  })

  test('refuses a file that is wrong and records nothing', async () => {
    here.write(here.workspaceFile, { agent: { nonsense: 1 } })
    expect(await trust({}, io)).toBe(2)
    expect(err).toContain('agent.nonsense')
    expect(existsSync(join(here.home, '.config', 'writ', 'trusted.json'))).toBe(false)
  })
})
