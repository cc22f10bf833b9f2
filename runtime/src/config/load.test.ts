import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'
import { WritError } from '../errors/writ-error.ts'
import { SCHEMA_KEYS } from './keys.ts'
import { dataDir } from './places.ts'
import { ConfigError, type Problem } from './problems.ts'

let here: Fixture
beforeEach(() => {
  here = makeFixture()
})
afterEach(() => here.remove())

async function refusal(promise: Promise<unknown>): Promise<WritError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof WritError) return error
  throw new Error(`expected a refusal, got ${error}`)
}

function problemsOf(error: WritError): readonly Problem[] {
  return error instanceof ConfigError ? error.problems : []
}

const guard = (intentGuard: Record<string, unknown>) => ({ agent: { execution: { intentGuard } } })

describe('precedence', () => {
  test('a flag beats a variable beats a file beats the default, and each key has its source', async () => {
    here.write(here.userFile, { agent: { model: 'openai/a', temperature: 0.2, security: { autonomy: 'ReadOnly' } } })
    const env = { ...here.env, WRIT_MODEL: 'openai/b', WRIT_AUTONOMY: 'Full' }
    const { config, sources, files } = await here.load({ env, flags: { model: 'openai/c' } })
    expect(config.model).toBe('openai/c')
    expect(config.security.autonomy).toBe('Full')
    expect(config.temperature).toBe(0.2)
    expect(sources['agent.model']).toBe('--model')
    expect(sources['agent.security.autonomy']).toBe('WRIT_AUTONOMY')
    expect(sources['agent.temperature']).toBe(here.userFile)
    expect(sources['agent.maxOutputTokens']).toBe('default')
    expect(files).toEqual([here.userFile])
  })

  const server = 'http://127.0.0.1:1/v1'
  const proxy = 'http://127.0.0.1:2/v1'
  test.each([
    ['another provider', { model: 'openai/a' }, {}, undefined],
    ['another model of the provider', { model: 'compatible/b' }, {}, server],
    ['another provider with an address', { model: 'openai/a', baseUrl: proxy }, {}, proxy],
    ['only an address', { baseUrl: proxy }, {}, proxy],
    ['another provider by a variable', {}, { WRIT_MODEL: 'openai/a' }, undefined],
    ['another provider, and the first again', { model: 'compatible/b' }, { WRIT_MODEL: 'openai/a' }, undefined],
  ])('an address stays with its provider: %s', async (_, flags, variables, baseURL) => {
    here.write(here.userFile, { agent: { model: 'compatible/a', baseURL: server } })
    const load = here.load({ env: { ...here.env, ...variables }, flags })
    if (baseURL === undefined && 'model' in flags && flags.model.startsWith('compatible/')) {
      expect(problemsOf(await refusal(load)).map(({ path }) => path)).toEqual(['agent.baseURL'])
      return
    }
    const { config, sources } = await load
    expect(config.baseURL).toBe(baseURL)
    if (baseURL === undefined) expect(sources['agent.baseURL']).toBe('default')
  })

  test('an address without a model goes with every provider', async () => {
    here.write(here.userFile, { agent: { baseURL: proxy } })
    expect((await here.load({ flags: { model: 'openai/a' } })).config.baseURL).toBe(proxy)
  })

  test('a file named by --config replaces the workspace’s, overrides the user’s, and is trusted', async () => {
    here.write(here.userFile, { agent: { temperature: 0.2, maxOutputTokens: 100 } })
    here.write(here.workspaceFile, { agent: { limits: { maxSteps: 1 } } })
    const named = join(here.home, 'named.json')
    here.write(named, { agent: { temperature: 0.9, security: { autonomy: 'Full' } } })
    for (const more of [{ configFile: named }, { env: { ...here.env, WRIT_CONFIG: named } }]) {
      const { config, files, warnings } = await here.load(more)
      expect([config.temperature, config.maxOutputTokens, config.limits.maxSteps]).toEqual([0.9, 100, 10])
      expect(config.security.autonomy).toBe('Full')
      expect(files).toEqual([here.userFile, named])
      expect(warnings).toEqual([])
    }
  })

  test('an empty variable counts as unset, and an unknown language is only a warning', async () => {
    const { config, warnings } = await here.load({ env: { ...here.env, WRIT_MODEL: '', WRIT_LANG: 'fr' } })
    expect(config.model).toBeUndefined()
    expect(warnings.join()).toContain('WRIT_LANG')
  })

  test('XDG_CONFIG_HOME moves the user’s file', async () => {
    const elsewhere = join(here.home, 'elsewhere')
    mkdirSync(join(elsewhere, 'writ'), { recursive: true })
    here.write(join(elsewhere, 'writ', 'agent.config.json'), { agent: { temperature: 1 } })
    const { config } = await here.load({ env: { ...here.env, XDG_CONFIG_HOME: elsewhere } })
    expect(config.temperature).toBe(1)
  })

  test('the data folder is the flag’s, else WRIT_DATA, else .writ in the workspace', () => {
    expect(dataDir('/flag', { WRIT_DATA: '/env' }, '/w')).toBe('/flag')
    expect(dataDir(undefined, { WRIT_DATA: 'env' }, '/w')).toBe('/w/env')
    expect(dataDir(undefined, {}, '/w')).toBe('/w/.writ')
  })

  test('every key has a source, and equal configurations have equal fingerprints', async () => {
    const first = await here.load()
    here.write(here.userFile, '\uFEFF{ "agent": {} }')
    const second = await here.load()
    expect(Object.keys(first.sources)).toEqual(SCHEMA_KEYS.map(({ path }) => path))
    expect(second.fingerprint).toBe(first.fingerprint)
    here.write(here.userFile, { agent: { temperature: 0 } })
    expect((await here.load()).fingerprint).not.toBe(first.fingerprint)
  })

  test('a loaded configuration is frozen', async () => {
    const { config, policy } = await here.load()
    expect(() => config.security.blockedPaths.push('rm')).toThrow(TypeError)
    expect(Object.isFrozen(policy.intentGuard.intents.general)).toBe(true)
  })
})

describe('softBlockAfter', () => {
  const limits = async (intentGuard: Record<string, unknown>) => {
    here.write(here.userFile, guard(intentGuard))
    const { intents } = (await here.load()).config.execution.intentGuard
    return [intents.browser_access.softBlockAfter, intents.code_edit.softBlockAfter]
  }

  test('S0-63: of an intent overrides the general one', async () => {
    expect(await limits({ softBlockAfter: 2, intents: { browser_access: { softBlockAfter: 1 } } })).toEqual([1, 2])
  })

  test('the general value applies to every intent without its own', async () => {
    expect(await limits({ softBlockAfter: 5 })).toEqual([5, 5])
    expect(await limits({})).toEqual([2, 1])
  })

  test('S0-69: 0 is accepted, and a policy that can only block is warned about', async () => {
    here.write(
      here.userFile,
      guard({ intents: { code_edit: { enabled: true, allowedFamilies: [], softBlockAfter: 0 } } }),
    )
    const { config, warnings } = await here.load()
    expect(config.execution.intentGuard.intents.code_edit.softBlockAfter).toBe(0)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('intents.code_edit')
  })
})

describe('a wrong file', () => {
  test('S0-10 S0-22 S0-34 S0-65: is refused with every problem at its key, line and column', async () => {
    here.write(
      here.userFile,
      `{
  "agent": {
    "execution": { "intentGuard": {
      "softBlockAfter": -1,
      "intents": { "foo": {}, "general": { "allowedFamilies": ["web"] } }
    } }
  }
}`,
    )
    const error = await refusal(here.load())
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain(
      `${here.userFile}:4:25: agent.execution.intentGuard.softBlockAfter: found -1, expected an integer of at least 0`,
    )
    expect(error.message).toContain('agent.execution.intentGuard.intents.general.allowedFamilies.0: found "web"')
    expect(error.message).toContain('agent.execution.intentGuard.intents.foo: unknown key')
    expect(problemsOf(error)).toHaveLength(3)
  })

  test.each([
    ['{"execution":{"intentGuard":{"enabled":true}}}', 'execution: unknown key; it belongs at agent.execution'],
    ['{"intentGuard":{"enabled":true}}', 'intentGuard: unknown key; it belongs at agent.execution.intentGuard'],
    ['{"agent":{"intentGuard":{}}}', 'agent.intentGuard: unknown key; it belongs at agent.execution.intentGuard'],
  ])('S0-101: a part of the example pasted elsewhere gets a hint where it belongs: %s', async (text, hint) => {
    here.write(here.userFile, text)
    expect((await refusal(here.load())).message).toContain(hint)
  })

  test('gets suggestions for keys and values, and never repeats a secret', async () => {
    here.write(here.userFile, {
      agent: { securty: {}, apiKey: 'sk-secret-1', security: { autonomy: 'Ful' }, baseURL: 'https://u:secret-2@h' },
    })
    const { message } = await refusal(here.load())
    expect(message).toContain('did you mean agent.security?')
    expect(message).toContain('did you mean "Full"?')
    expect(message).toContain('in the environment')
    expect(message).not.toMatch(/secret-\d/)
  })

  test('cannot move the cursor or reverse text with its keys', async () => {
    here.write(here.userFile, {
      agent: { '\u001b[2J': 1, '\u202eevil': 1, execution: { intentGuard: { browser: 1 } } },
    })
    const { message } = await refusal(here.load())
    expect(message).toContain('\\u{1b}[2J')
    expect(message).not.toMatch(/[\u001b\u202e]/)
  })

  test('problems of the user’s and the workspace’s file are reported together', async () => {
    here.write(here.userFile, { agent: { temperature: 9 } })
    here.write(here.workspaceFile, '{ // no\n}')
    const error = await refusal(here.load({ env: { ...here.env, WRIT_AUTONOMY: 'root' } }))
    const problems = problemsOf(error)
    expect(problems.map(({ origin }) => origin)).toEqual([here.userFile, here.workspaceFile, 'WRIT_AUTONOMY'])
    expect(problems[1]).toMatchObject({ where: { line: 1, column: 3 } })
    expect(problems[1]?.message.en).toContain('comments')
  })

  test('is explained in Chinese', async () => {
    here.write(here.userFile, { agent: { temperature: 9 } })
    const error = await refusal(here.load())
    expect(error.textIn('zh').message).toContain('agent.temperature: 实际为 9，应为0 到 2 之间的数字')
  })

  test('a compatible model without an address is an error', async () => {
    const { message } = await refusal(here.load({ flags: { model: 'compatible/x' } }))
    expect(message).toContain('agent.baseURL')
  })

  test.each([
    ['a folder', (file: string) => mkdirSync(file), 'not a regular file'],
    ['a pipe', (file: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', file]), 'not a regular file'],
    ['a loop of links', (file: string) => symlinkSync(file, file), 'cannot read'],
    ['ten megabytes', (file: string) => writeFileSync(file, ' '.repeat(10_000_000)), 'larger than'],
    ['not UTF-8', (file: string) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), 'not UTF-8'],
    ['full of NUL', (file: string) => writeFileSync(file, '{"a\0": 1}'), 'NUL'],
  ])('that is %s gives a clear error', async (_, make, words) => {
    make(here.workspaceFile)
    const error = await refusal(here.load())
    expect(error.code).toBe('CONFIG_UNREADABLE')
    expect(error.message).toContain(words)
  })

  test('that opens but cannot be read gives a clear error', async () => {
    symlinkSync('/proc/self/mem', here.workspaceFile)
    expect((await refusal(here.load())).code).toBe('CONFIG_UNREADABLE')
  })

  test('that was named and is missing is an error; otherwise it is optional', async () => {
    expect((await refusal(here.load({ configFile: 'missing.json' }))).code).toBe('CONFIG_UNREADABLE')
    expect((await here.load()).files).toEqual([])
  })
})

describe('the old form', () => {
  test('S0-106 S0-111: loads with one warning that names the new key', async () => {
    here.write(here.userFile, guard({ browser: { noFallback: false, networkAdjacentOnly: false, headless: 1 } }))
    const { config, warnings, sources } = await here.load()
    expect(config.execution.intentGuard.intents.browser_access).toMatchObject({
      noFallback: false,
      softAllowedFamilies: [],
      failTaskIfUnmet: true,
    })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('agent.execution.intentGuard.intents.browser_access')
    expect(warnings[0]).toContain('headless')
    expect(sources['agent.execution.intentGuard.intents.browser_access.noFallback']).toBe(here.userFile)
  })

  test('with a wrong value is an error at the old key', async () => {
    here.write(here.userFile, guard({ browser: { noFallback: 'yes' } }))
    const { message } = await refusal(here.load())
    expect(message).toContain('agent.execution.intentGuard.browser.noFallback: found "yes", expected true or false')
  })
})

describe('any file content', () => {
  const settle = async (user: string | Uint8Array, workspace: string | Uint8Array) => {
    writeFileSync(here.userFile, user)
    writeFileSync(here.workspaceFile, workspace)
    const outcome: unknown = await here.load().catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(WritError)
    else expect(outcome).toHaveProperty('config.security.autonomy')
  }

  test('any bytes give a configuration or a clear error', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), settle), {
      numRuns: 60,
    })
  })

  test('any JSON gives a configuration or a clear error', async () => {
    const path = fc.constantFrom(
      ...SCHEMA_KEYS.map(({ path }) => path),
      'agent.execution.intentGuard.browser.noFallback',
      'agent.mcp.servers.x.env',
      'agent.constructor',
      'agent.toString.x',
      'agent',
    )
    const document = fc
      .tuple(path, fc.jsonValue({ maxDepth: 4 }))
      .map(([keys, value]) =>
        JSON.stringify(keys.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)),
      )
    await fc.assert(fc.asyncProperty(document, document, settle), { numRuns: 200 })
  })
})
