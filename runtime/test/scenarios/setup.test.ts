/** `writ setup` and the file with the stored keys. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findLocalServers } from '../../src/model/local-servers.ts'
import { makePlace, type Place, type StartOptions } from '../support/cli.ts'
import { startStubModel } from '../support/stub-model.ts'
import { openTerminal, type Terminal } from '../support/tmux.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/writ.js')
const KEY = 'canary-5b1f7c20d94e'

let place: Place
let home: string
beforeEach(() => {
  place = makePlace()
  home = join(place.root, 'home/.config/writ')
})
afterEach(() => place.remove())

const keysAt = () => join(home, 'keys.json')
const ownConfig = () => JSON.parse(readFileSync(join(home, 'agent.config.json'), 'utf8'))
const setup = (args: string[], options: StartOptions = {}) => place.writ(['setup', ...args], options)

interface Listing {
  url: string
  seen: { path: string; headers: Record<string, unknown> }[]
  close(): void
}

/** A provider that answers the list of models with this status. */
async function listing(status: number, body: object | string = { data: [{ id: 'm-1' }] }): Promise<Listing> {
  const seen: Listing['seen'] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ path: url, headers })
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, seen, close: () => server.close() }
}

describe('X-MODEL-10: writ setup with flags', () => {
  test('stores the key in a private file and the model in the user’s settings, which keep their other keys', async () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(
      join(home, 'agent.config.json'),
      '{\n\t"agent": { "lang": "en", "baseURL": "http://old.example/v1" }\n}\n',
    )
    const server = await listing(200)
    try {
      const args = ['--provider', 'openai', '--model', 'm-1', '--base-url', server.url, '--key-from-stdin']
      const { code, stdout, stderr } = await setup(args, { stdin: `${KEY}\n` })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('The provider accepted the key.')
      expect(stdout).toContain(keysAt())
      expect(stdout).not.toContain(KEY)
      expect(server.seen).toMatchObject([{ path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } }])
    } finally {
      server.close()
    }
    expect(JSON.parse(readFileSync(keysAt(), 'utf8'))).toEqual({ openai: KEY })
    expect(statSync(keysAt()).mode & 0o777).toBe(0o600)
    expect(ownConfig()).toEqual({ agent: { lang: 'en', baseURL: server.url, model: 'openai/m-1' } })
    expect(readFileSync(join(home, 'agent.config.json'), 'utf8')).not.toContain(KEY)
  })

  test('a second provider keeps the key of the first, and an address that is not given is removed', async () => {
    const server = await listing(500)
    const args = (provider: string) => ['--provider', provider, '--base-url', server.url, '--key-from-stdin']
    await setup(args('openai'), { stdin: 'k-1' })
    const { stdout } = await setup(args('deepseek'), { stdin: 'k-2' })
    server.close()
    expect(stdout).toContain('The key could not be checked (HTTP 500).')
    expect(JSON.parse(readFileSync(keysAt(), 'utf8'))).toEqual({ openai: 'k-1', deepseek: 'k-2' })
    await setup(['--provider', 'rules'])
    expect(ownConfig()).toEqual({ agent: { model: 'rules' } })
  })

  test('a key that the provider rejects is not stored', async () => {
    const server = await listing(401)
    const args = ['--provider', 'anthropic', '--base-url', server.url, '--key-from-stdin', '--lang', 'zh']
    const { code, stderr } = await setup(args, { stdin: KEY })
    server.close()
    expect(code).toBe(1)
    expect(stderr).toContain('SETUP_KEY_REJECTED: anthropic 拒绝了该密钥')
    expect(stderr).not.toContain(KEY)
    expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': KEY })
    expect(existsSync(home)).toBe(false)
  })

  test.each([
    ['no terminal', [], {}, 'SETUP_NO_TERMINAL'],
    ['no key', ['--provider', 'openai'], {}, 'MODEL_KEY_MISSING'],
    ['an empty key', ['--provider', 'openai', '--key-from-stdin'], { stdin: '\n' }, 'SETUP_KEY_INVALID'],
    ['two lines', ['--provider', 'openai', '--key-from-stdin'], { stdin: `${KEY}\nmore` }, 'SETUP_KEY_INVALID'],
    ['an unknown provider', ['--provider', 'opnai'], {}, 'did you mean "openai"'],
    ['no address', ['--provider', 'compatible', '--model', 'm'], {}, 'MODEL_BASE_URL_MISSING'],
    [
      'a password in the address',
      ['--provider', 'compatible', '--base-url', `http://u:${KEY}@h/v1`],
      {},
      'SETUP_ADDRESS',
    ],
    ['no model', ['--provider', 'compatible', '--base-url', 'http://127.0.0.1:9/v1'], {}, 'SETUP_MODEL_MISSING'],
  ])('%s is reported, and nothing is written', async (_what, args, options, message) => {
    const { code, stderr } = await setup(args, options)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain(KEY)
    expect(existsSync(home)).toBe(false)
  })

  test.each([
    ['a web page', 200, '<!doctype html><title>Welcome</title>'],
    ['JSON of another API', 200, '{}'],
    ['a redirect', 301, ''],
  ])('%s at the address is reported as a wrong base URL, and nothing is written', async (_what, status, body) => {
    const server = await listing(status, body)
    const args = ['--provider', 'compatible', '--model', 'm', '--base-url', server.url]
    try {
      for (const [more, options] of [[[], {}] as const, [['--key-from-stdin'], { stdin: KEY }] as const]) {
        const { code, stderr } = await setup([...args, ...more], options)
        expect(code).toBe(1)
        expect(stderr).toContain(`SETUP_ADDRESS_WRONG: ${server.url} does not answer like a model server`)
        expect(stderr).not.toContain(KEY)
      }
    } finally {
      server.close()
    }
    expect(existsSync(home)).toBe(false)
  })

  test('an address without its /v1 is named with the right one, also when no model is', async () => {
    const server = createServer(({ url }, response) => {
      response
        .writeHead(url === '/v1/models' ? 200 : 404, { 'content-type': 'application/json' })
        .end(url === '/v1/models' ? '{"data":[]}' : '{"error":"not found"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stderr } = await setup(['--provider', 'compatible', '--base-url', address])
    server.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Did you mean ${address}/v1?`)])
    expect(existsSync(home)).toBe(false)
  })

  test('a model that the server does not list is an error with the nearest name, also with a key from the environment', async () => {
    const strict = createServer(({ headers }, response) => {
      const status = headers.authorization === `Bearer ${KEY}` ? 200 : 401
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[{"id":"qwen3"}]}')
    })
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
    const args = ['--provider', 'openai', '--base-url', `http://127.0.0.1:${(strict.address() as AddressInfo).port}/v1`]
    const typo = await setup([...args, '--model', 'qwen33'], { env: { OPENAI_API_KEY: KEY } })
    const wrongKey = await setup([...args, '--model', 'qwen3'], { env: { OPENAI_API_KEY: 'another' } })
    strict.close()
    expect([typo.code, typo.stderr]).toEqual([
      1,
      expect.stringMatching(/SETUP_MODEL_UNLISTED[\s\S]*Did you mean "qwen3"/),
    ])
    expect([wrongKey.code, wrongKey.stderr]).toEqual([1, expect.stringContaining('SETUP_KEY_REJECTED')])
    expect(existsSync(home)).toBe(false)
  })

  test('a key in place of a model is refused and not repeated', async () => {
    const key = 'sk-proj-5b1f7c20d94e'
    const { code, stdout, stderr } = await setup(['--provider', 'openai', '--model', key])
    expect([code, stderr]).toEqual([2, expect.stringContaining('SETUP_MODEL_IS_KEY')])
    expect(stdout + stderr).not.toContain(key)
    expect(existsSync(home)).toBe(false)
  })

  test('a server that does not answer, or asks for a key, is stored with a warning', async () => {
    const away = await setup(['--provider', 'ollama', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'])
    expect([away.code, away.stderr]).toEqual([0, expect.stringContaining('could not be asked')])
    const locked = await listing(401)
    const keyless = await setup(['--provider', 'compatible', '--base-url', locked.url, '--model', 'm'])
    locked.close()
    expect([keyless.code, keyless.stderr]).toEqual([0, expect.stringContaining('asks for a key')])
  })

  test('a broken settings file is reported before the key is stored', async () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'agent.config.json'), '{ "agent": ')
    const { code } = await setup(['--provider', 'ollama', '--model', 'm'])
    expect(code).toBe(2)
    expect(existsSync(keysAt())).toBe(false)
  })
})

describe('X-MODEL-11: the stored key', () => {
  const store = (keys: object, mode = 0o600) => {
    mkdirSync(home, { recursive: true })
    writeFileSync(keysAt(), JSON.stringify(keys))
    chmodSync(keysAt(), mode)
  }

  test('is sent where a variable would be, the environment wins, and neither is in the journal', async () => {
    const stub = await startStubModel({ reply: ({ headers }) => ({ text: `you sent ${headers.authorization}` }) })
    try {
      store({ compatible: KEY })
      const args = ['run', 'hello', '--model', 'compatible/m', '--base-url', `${stub.url}/v1`]
      const { stdout } = await place.writ([...args, '--json'])
      expect(stdout).toContain('you sent')
      expect(stdout).not.toContain(KEY)
      await place.writ(args, { env: { COMPATIBLE_API_KEY: 'from-env-77' } })
      expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual(
        expect.arrayContaining([`Bearer ${KEY}`, 'Bearer from-env-77']),
      )
      const files = readdirSync(place.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(files.length).toBeGreaterThan(0)
      for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name)).includes(KEY)).toBe(false)
    } finally {
      await stub.close()
    }
  })

  test('doctor says where each key is, never the key', async () => {
    store({ openai: KEY, deepseek: KEY })
    const { stdout } = await place.writ(['doctor'], { env: { DEEPSEEK_API_KEY: 'x' } })
    expect(stdout).toContain(`openai (${keysAt()})`)
    expect(stdout).toContain('deepseek (DEEPSEEK_API_KEY)')
    expect(stdout).not.toContain(KEY)
  })

  test.skipIf(process.getuid?.() !== 0)('a file of another user is not used', async () => {
    store({ openai: KEY })
    chownSync(keysAt(), 65_534, 65_534)
    const { stderr } = await place.writ(['run', 'hello', '--model', 'rules'])
    expect(stderr).toContain('KEYS_FOREIGN')
    expect(stderr).not.toContain(KEY)
  })

  test('is in no output of the commands that show settings and runs', async () => {
    store({ openai: KEY })
    const { stdout: started } = await place.writ(['run', 'list the files here', '--model', 'rules', '--json'])
    const runId = /"runId":"([^"]+)"/.exec(started)?.[1] ?? ''
    for (const args of [['config', 'show'], ['trace', runId], ['doctor', '--json'], ['stats']]) {
      const { stdout, stderr } = await place.writ(args)
      expect(stdout + stderr).not.toBe('')
      expect(stdout + stderr).not.toContain(KEY)
    }
  })

  test.each([
    ['that others can read', () => store({ openai: KEY }, 0o644), 'KEYS_EXPOSED'],
    ['with other content', () => store([KEY]), 'KEYS_INVALID'],
    ['with a number', () => store({ openai: 5, deepseek: KEY }), 'KEYS_INVALID'],
  ])('a file %s is not used', async (_what, prepare, code) => {
    prepare()
    const ended = await place.writ(['run', 'hello', '--model', 'rules'])
    expect(ended.stderr).toContain(code)
    expect(ended.stderr).not.toContain(KEY)
  })
})

describe('X-MODEL-12: tools cannot read or write the stored keys, even with a yes to everything', () => {
  const PATH = '.config/writ/keys.json'
  const calls: [string, { tool: string; args: object }][] = [
    ['file_read', { tool: 'file_read', args: { path: PATH } }],
    ['file_read through a link', { tool: 'file_read', args: { path: 'innocent.txt' } }],
    ['file_write', { tool: 'file_write', args: { path: PATH, content: '{}' } }],
    ['file_edit', { tool: 'file_edit', args: { path: PATH, old: 'openai', new: 'x' } }],
    ['cat', { tool: 'shell', args: { command: `cat ${PATH}` } }],
    ['a pattern', { tool: 'shell', args: { command: 'cat .config/*/k*.json' } }],
    ['a copy', { tool: 'shell', args: { command: `cp ${PATH} copy.txt; cat copy.txt` } }],
    ['a hard link', { tool: 'shell', args: { command: `ln ${PATH} copy.txt && cat copy.txt` } }],
    ['git', { tool: 'git', args: { args: ['add', '-f', PATH] } }],
    ['git without an index', { tool: 'git', args: { args: ['diff', '--no-index', '/dev/null', PATH] } }],
    ['search', { tool: 'file_search', args: { pattern: 'canary' } }],
  ]
  const sweep = { tool: 'shell', args: { command: 'grep -r openai . || true' } }
  const archive = { tool: 'shell', args: { command: 'tar cf copy.txt .config' } }
  const sweeps: typeof calls = [
    ['a search of everything', sweep],
    ['an archive', archive],
  ]

  async function attempt(call: { tool: string; args: object }, sandbox: string): Promise<string> {
    // The worst place for it: the home folder is the workspace.
    const folder = join(place.workspace, '.config/writ')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ openai: KEY }), { mode: 0o600 })
    const agent = { security: { sandbox, autonomy: 'Full', allowedCommands: ['*'] } }
    writeFileSync(join(folder, 'agent.config.json'), JSON.stringify({ agent }))
    symlinkSync(PATH, join(place.workspace, 'innocent.txt'))
    place.script('s.json', [
      { purpose: 'main', calls: [call] },
      { purpose: 'main', text: 'done' },
    ])
    const args = ['run', 'read the keys', '--script', 's.json', '--record', 'requests.jsonl', '--yes', '--json']
    const { stdout } = await place.writ(args, { env: { HOME: place.workspace } })
    expect(stdout).toContain('tool.result')
    expect(stdout).not.toContain(KEY)
    return stdout
  }

  describe.each(['auto', 'off'])('sandbox %s', (sandbox) => {
    test.each([...calls, ...(sandbox === 'auto' ? sweeps : [])])('%s', async (_what, call) => {
      const stdout = await attempt(call, sandbox)
      // The journal masks the key, so the file itself is compared too, and what git would commit.
      expect(JSON.parse(place.read(PATH))).toEqual({ openai: KEY })
      expect(place.has('copy.txt') ? place.read('copy.txt') : '').not.toContain(KEY)
      expect(stdout).not.toContain('[REDACTED:secret]')
    })
  })

  test('without a sandbox an archive of the folder needs a yes', async () => {
    expect(await attempt(archive, 'off')).toContain('confirm.asked')
  })

  test('without a sandbox a command that reads everything needs a yes, and its output is masked', async () => {
    const stdout = await attempt(sweep, 'off')
    expect(stdout).toContain('confirm.asked')
    expect(stdout).toContain('[REDACTED:secret]')
    expect(place.read('requests.jsonl')).not.toContain(KEY)
  })
})

test('X-MODEL-13: Ollama and llama.cpp are found on loopback, and other servers are not', async () => {
  const llama = await listing(200, { data: [{ id: 'qwen.gguf' }] })
  const ollama = await listing(200, { models: [{ name: 'llama3:8b' }, { name: 'qwen3' }] })
  const origin = (url: string) => new URL(url).origin
  try {
    expect(await findLocalServers({ ollama: origin(ollama.url), llama: origin(llama.url) })).toEqual([
      { provider: 'ollama', models: ['llama3:8b', 'qwen3'] },
      { provider: 'compatible', baseURL: llama.url, models: ['qwen.gguf'] },
    ])
    expect(await findLocalServers({ ollama: origin(llama.url), llama: origin(ollama.url) })).toEqual([])
  } finally {
    llama.close()
    ollama.close()
  }
})

describe('X-MODEL-10: writ setup at a terminal', () => {
  let terminal: Terminal
  beforeAll(() => {
    terminal = openTerminal()
  })
  afterAll(() => terminal?.close())

  const open = (args: string[] = []) =>
    terminal.open([process.execPath, LAUNCHER, 'setup', ...args], {
      cwd: place.workspace,
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: tmpdir(),
        HOME: join(place.root, 'home'),
        LANG: 'C.UTF-8',
        TERM: 'tmux-256color',
      },
    })

  test('asks for server, model and key, and never shows the key', async () => {
    const server = await listing(200)
    const pane = open()
    const screen = await pane.shows(/Number \(1-\d+\): /)
    const number = /(\d+) {2}another server/.exec(screen)?.[1] ?? ''
    pane.type(number)
    pane.press('Enter')
    await pane.shows('Address of the server')
    pane.type(server.url)
    pane.press('Enter')
    await pane.shows('Model (Enter: m-1): ')
    pane.press('Enter')
    await pane.shows('API key of compatible')
    pane.type(KEY)
    pane.press('Enter')
    const end = await pane.ended()
    server.close()
    expect(end).toContain('Set agent.model to compatible/m-1')
    expect(end).not.toContain(KEY)
    expect(JSON.parse(readFileSync(keysAt(), 'utf8'))).toEqual({ compatible: KEY })
    expect(ownConfig()).toEqual({ agent: { model: 'compatible/m-1', baseURL: server.url } })
  })

  test('a slip is asked about again, and the earlier answers stay', async () => {
    const strict = createServer(({ headers }, response) => {
      const status = headers.authorization === `Bearer ${KEY}` ? 200 : 401
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[{"id":"m-1"}]}')
    })
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(strict.address() as AddressInfo).port}/v1`
    const pane = open()
    const answer = async (text: string, next: string | RegExp) => {
      if (text !== '') pane.type(text)
      pane.press('Enter')
      return pane.shows(next)
    }
    const screen = await pane.shows(/Number \(1-\d+\): /)
    const number = /(\d+) {2}another server/.exec(screen)?.[1] ?? ''
    await answer('99', /Type a number from 1 to \d+[\s\S]*Number \(/)
    await answer(number, 'Address of the server')
    await answer(address.slice('http://'.length), /not a valid address[\s\S]*Address of the server/)
    await answer(address, /Model: /)
    await answer('', /Type the name of a model[\s\S]*Model: /)
    await answer('m-1', 'API key of compatible (not shown): ')
    await answer('', /Type or paste the key[\s\S]*API key/)
    await answer('with a space', /not an API key[\s\S]*API key/)
    await answer('wrong', /rejected the key[\s\S]*API key/)
    pane.type(KEY)
    pane.press('Enter')
    const end = await pane.ended()
    strict.close()
    expect(end).toContain('Set agent.model to compatible/m-1')
    expect(end).not.toMatch(new RegExp(`${KEY}|with a space`))
    expect(JSON.parse(readFileSync(keysAt(), 'utf8'))).toEqual({ compatible: KEY })
    expect(ownConfig()).toEqual({ agent: { model: 'compatible/m-1', baseURL: address } })
  })

  test('a model that the provider lists only to the key is asked about once the key is there', async () => {
    const strict = createServer(({ headers }, response) => {
      const status = headers.authorization === `Bearer ${KEY}` ? 200 : 401
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[{"id":"m-1"},{"id":"m-2"}]}')
    })
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(strict.address() as AddressInfo).port}/v1`
    for (const [again, model] of [
      ['', 'm-1'],
      ['tide', 'tide'],
    ] as const) {
      const pane = open()
      const answer = async (text: string, next: string | RegExp) => {
        if (text !== '') pane.type(text)
        pane.press('Enter')
        return pane.shows(next)
      }
      const screen = await pane.shows(/Number \(1-\d+\): /)
      await answer(/(\d+) {2}another server/.exec(screen)?.[1] ?? '', 'Address of the server')
      await answer(address, /Model: /)
      await answer('tide', 'API key of compatible (not shown): ')
      await answer(KEY, /does not list the model "tide"[\s\S]*m-1, m-2[\s\S]*Model \(Enter: m-1\): /)
      if (again !== '') pane.type(again)
      pane.press('Enter')
      expect(await pane.ended()).toContain(`Set agent.model to compatible/${model}`)
      expect(ownConfig()).toEqual({ agent: { model: `compatible/${model}`, baseURL: address } })
    }
    strict.close()
  })

  test('Ctrl-C while the key is typed, or while it is checked, writes nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
    const args = ['--provider', 'compatible', '--model', 'm', '--base-url', address, '--key-from-stdin']
    for (const isSent of [false, true]) {
      const pane = open(args)
      await pane.shows('API key of compatible')
      pane.type(KEY)
      const asked = isSent && new Promise((resolve) => silent.once('request', resolve))
      if (isSent) pane.press('Enter')
      await asked
      pane.press('C-c')
      expect(await pane.ended()).not.toContain(KEY)
      expect(existsSync(home)).toBe(false)
    }
    silent.closeAllConnections()
    silent.close()
  })

  test('an empty answer changes nothing, in Chinese', async () => {
    const pane = open(['--lang', 'zh'])
    await pane.shows('编号（1-')
    pane.press('Enter')
    expect(await pane.ended()).toContain('SETUP_CANCELLED: 没有选择')
    expect(existsSync(home)).toBe(false)
  })
})
