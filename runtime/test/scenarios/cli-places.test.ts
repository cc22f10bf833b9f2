/** Unusable folders and files get an exact error, never "missing" and never an internal error. */
import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeAll(async () => {
  place = makePlace()
  place.file('afile', 'words\n')
  place.script('good.json', [{ purpose: 'main', text: 'fine' }])
  // A path that not even root can read.
  symlinkSync('loop', join(place.workspace, 'loop'))
  await place.writ(['run', 'x', '--script', 'good.json'])
})
afterAll(() => place.remove())

describe('a data folder that cannot be created', () => {
  const verbs = [
    ['run', 'x', '--script', 'good.json'],
    ['chat', '--no-input', '--script', 'good.json'],
    ['serve', '--port', '0', '--script', 'good.json'],
    ['work', '--script', 'good.json'],
    ['token', 'add', 'me'],
    ['routine', 'add', 'me', '@every 10m', 'x'],
    ['docs', 'index'],
    ['decide', '--observe', '0'],
    ['workflow', 'run', 'w.json', '--script', 'good.json'],
  ]
  beforeAll(() => {
    place.file('w.json', { name: 'w', nodes: [{ id: 'me', tool: 'self_info' }] })
  })

  test.each(verbs)('writ %s %s reports it with a hint', async (...args) => {
    const { code, stderr } = await place.writ([...args, '--data', 'afile'])
    expect(stderr).toMatch(/^STORE_UNREACHABLE: the data folder \S+afile cannot be used: ENOTDIR.*\nhint: .*--data/m)
    expect(code).toBe(1)
  })

  test('is reported in Chinese', async () => {
    const { stderr } = await place.writ(['run', 'x', '--script', 'good.json', '--data', 'afile', '--lang', 'zh'])
    expect(stderr).toMatch(/^STORE_UNREACHABLE: 数据目录 \S+afile 无法使用：ENOTDIR.*\n提示：.*--data/m)
  })

  test.runIf(process.platform === 'linux')('a path where no folder can be created fails without hanging', async () => {
    const { code, stderr } = await place.writ(['run', 'x', '--script', 'good.json', '--data', '/proc/nope/deep'])
    expect(stderr).toMatch(/^STORE_UNREACHABLE: the data folder \/proc\/nope\/deep cannot be used/m)
    expect(code).toBe(1)
  })

  test('a task that cannot start creates no folder', async () => {
    const args = ['run', 'x', '--model', 'openai/some', '--data', 'not-yet']
    expect((await place.writ(args)).stderr).toContain('MODEL_KEY_MISSING')
    expect(place.has('not-yet')).toBe(false)
  })
})

describe('a journal that exists but cannot be read', () => {
  const verbs = [
    ['trace'],
    ['trace', '--last'],
    ['stats'],
    ['export'],
    ['audit', 'verify'],
    ['replay', '--all'],
    ['routine', 'list'],
    ['docs', 'status'],
    ['backup', 'copy.db'],
  ]

  test.each(
    verbs.flatMap((verb) => [
      [...verb, '--data', 'loop'],
      [...verb, '--data', 'afile'],
    ]),
  )('is not said to be missing: writ %s %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await place.writ(args)
    expect(stderr).toMatch(/^STORE_UNREACHABLE: cannot read the journal in \S+: E\w+.*\nhint: ./m)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  test.runIf(process.platform === 'linux')('a read-only journal can be read', async () => {
    const own = makePlace()
    own.file('notes.txt', 'words')
    await own.writ(['run', 'read notes.txt', '--model', 'rules'])
    for (const folder of [own.root, own.workspace, own.data]) chmodSync(folder, 0o555)
    chmodSync(join(own.data, 'journal.db'), 0o444)
    // Root can write anywhere.
    const isRoot = process.getuid?.() === 0
    const unprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    const through = (command: readonly string[]) => [...(isRoot ? unprivileged : []), ...command]
    const said = (...args: string[]) => own.writ(args, { through, env: { HOME: join(own.root, 'elsewhere') } })
    expect((await said('trace')).stdout).toContain('read notes.txt')
    expect((await said('audit', 'verify')).stdout).toContain('The journal is intact: 1 run')
    expect((await said('stats')).code).toBe(0)
    expect((await said('export')).json().length).toBeGreaterThan(5)
    expect(await said('prune', '--before', '2999-01-01')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATA_NOT_ADOPTED'),
    })
    for (const folder of [own.root, own.workspace, own.data]) chmodSync(folder, 0o755)
    own.remove()
  })

  test('writ doctor reports it too', async () => {
    const { code, stdout } = await place.writ(['doctor', '--data', 'loop', '--json'])
    expect(code).toBe(1)
    const checks = JSON.parse(stdout).checks as { what: string; verdict: string }[]
    expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ what }) => what)).toEqual(['data', 'store'])
  })

  test('reading without a journal creates none', async () => {
    expect(await place.writ(['trace', '--data', 'none'])).toMatchObject({ code: 0, stdout: 'No runs yet.\n' })
    expect((await place.writ(['stats', '--data', 'none'])).stderr).toContain('NO_JOURNAL')
    expect(place.has('none')).toBe(false)
  })
})

describe('a file that cannot be written', () => {
  test.each([
    ['an export', ['export', '--out', 'nowhere/x']],
    ['an export below a file', ['export', '--out', 'afile/x']],
    ['a backup', ['backup', 'nowhere/x']],
    ['a backup below a file', ['backup', 'afile/x']],
  ])('%s names the file and says what to do', async (_name, args) => {
    const { code, stderr } = await place.writ(args)
    expect(stderr).toMatch(/^OUTPUT_UNWRITABLE: cannot write \S+x: E\w+.*\nhint: ./m)
    expect(code).toBe(1)
  })

  test('trust that cannot be stored is not an internal error', async () => {
    const env = { XDG_CONFIG_HOME: join(place.workspace, 'afile') }
    const { code, stderr } = await place.writ(['trust'], { env })
    expect(stderr).toMatch(/^CONFIG_UNWRITABLE: cannot write \S+trusted\.json: ENOTDIR.*\nhint: .*XDG_CONFIG_HOME/m)
    expect(code).toBe(2)
  })
})

describe('the configuration', () => {
  test('an empty file sets nothing', async () => {
    place.file('empty.json', '')
    const { code, stdout, stderr } = await place.writ(['config', 'check', 'empty.json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('empty.json')
    expect(await place.writ(['config', 'migrate', 'empty.json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing to migrate'),
    })
    expect(place.read('empty.json')).toBe('')
  })

  test('a duplicate tool name fails the check, not the first run', async () => {
    place.file('twice.json', { agent: { scout: { dispatchToolName: 'shell' } } })
    const { code, stderr } = await place.writ(['config', 'check', 'twice.json'])
    expect(stderr).toMatch(/agent\.scout\.dispatchToolName.*"shell".*a name that no other tool has/)
    expect(code).toBe(2)
  })

  test.each([
    ['en', 'agent.security.allowedCommands lists "ls" more than once.'],
    ['zh', 'agent.security.allowedCommands 中“ls”重复出现。'],
  ])('a name that is repeated in a list is noted (%s)', async (lang, note) => {
    place.file('twice.json', { agent: { security: { allowedCommands: ['ls', 'cat', 'ls', 'ls'] } } })
    const { code, stderr } = await place.writ(['config', 'check', 'twice.json', '--lang', lang])
    expect(stderr.split(note)).toHaveLength(2)
    expect(code).toBe(0)
  })

  test('a missing file is named, with an error code', async () => {
    const { code, stderr } = await place.writ(['config', 'check', 'none.json'])
    expect(stderr).toMatch(/^CONFIG_UNREADABLE: there is no file \S+none\.json\nhint: /m)
    expect(code).toBe(2)
  })

  test('init over an existing file gives a code and a hint', async () => {
    const own = makePlace()
    await own.writ(['config', 'init'])
    const { code, stderr } = await own.writ(['config', 'init'])
    expect(stderr).toMatch(/^FILE_EXISTS: file already exists: \S+agent\.config\.json\nhint: /m)
    expect(code).toBe(2)
    own.remove()
  })

  test('migrate leaves unknown settings in place and reports them', async () => {
    const browser = { enabled: true, noFallback: false }
    const file = place.file('old.json', { agent: { execution: { intentGuard: { browser } } } })
    const checked = await place.writ(['config', 'check', 'old.json'])
    expect(checked.stderr).toContain('intentGuard.browser.enabled')
    const { code, stderr } = await place.writ(['config', 'migrate', 'old.json'])
    expect(stderr).toMatch(/agent\.execution\.intentGuard\.browser\.enabled/)
    expect(code).toBe(1)
    expect(JSON.parse(readFileSync(file, 'utf8')).agent.execution.intentGuard).toEqual({
      browser: { enabled: true },
      intents: { browser_access: { noFallback: false } },
    })
    const again = await place.writ(['config', 'migrate', 'old.json', '--json'])
    expect(again).toMatchObject({ code: 1 })
    expect(again.json()[0]).toMatchObject({ changed: false, migrated: [], unknown: ['enabled'] })
    const left = await place.writ(['config', 'check', 'old.json'])
    expect(left.stderr).not.toContain('still works')
    expect(left.stderr).toContain('intentGuard.browser.enabled')
  })
})

test('PostgreSQL without an address names the variable to set', async () => {
  const config = place.file('pg.json', { agent: { store: 'postgres' } })
  for (const args of [['run', 'x', '--script', 'good.json'], ['trace'], ['token', 'list']]) {
    const { code, stderr } = await place.writ([...args, '--config', config])
    expect(stderr).toMatch(/^STORE_UNREACHABLE: .*WRIT_DATABASE_URL is not set\nhint: Set WRIT_DATABASE_URL/m)
    expect(code).toBe(1)
  }
})

test('an audit prints the hash to store elsewhere', async () => {
  const [{ head } = {}] = (await place.writ(['audit', 'verify', '--json'])).json()
  expect((await place.writ(['audit', 'verify'])).stdout).toMatch(
    new RegExp(`^The journal is intact: 1 run, \\d+ events, 1 seal\\.\n(?:.*\n)?Newest seal: ${head}\n`),
  )
})
