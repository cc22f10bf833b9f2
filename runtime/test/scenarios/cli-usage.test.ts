/** Wrong usage, and unusual ways to use the command line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { until } from '../support/until.ts'

let place: Place
beforeAll(() => {
  place = makePlace()
  place.file('notes.txt', 'words\n')
  place.script('good.json', [{ purpose: 'main', text: 'fine' }])
  place.file('not-json.json', '[{"purpose": "main",')
  place.file('bad-key.json', [
    {
      purpose: 'main',
      calls: [
        { tool: 'x', args: {} },
        { tol: 'y', args: {} },
      ],
    },
  ])
  place.file('bad-config.json', { agent: { security: { autonomy: 'Wild' } } })
  mkdirSync(join(place.workspace, 'folder'))
})
afterAll(() => place.remove())

test('a skipped AGENTS.md of an untrusted workspace is reported once, and only by commands that would read it', async () => {
  const own = makePlace()
  own.file('AGENTS.md', 'be brief')
  own.file('w.json', { name: 'w', nodes: [{ id: 'me', tool: 'self_info' }], edges: [] })
  const script = own.script('good.json', [{ purpose: 'main', text: 'fine' }])
  const said = async (...args: string[]) =>
    (await own.writ([...args, '--lang', 'en'])).stderr.match(/Ignored: AGENTS\.md/g)
  expect(await said('run', 'x', '--script', script)).toHaveLength(1)
  expect(await said('workflow', 'run', 'w.json', '--script', script)).toBeNull()
  expect(await said('stats')).toBeNull()
  own.remove()
})

describe('wrong usage exits with 2, an error code, a message and a hint', () => {
  test.each([
    ['no task', ['run'], 'USAGE: missing argument: writ run "<task>"'],
    ['an empty task', ['run', '   '], 'TASK_EMPTY: the task is empty'],
    ['an unknown command', ['rum', 'x'], 'USAGE: unknown command "rum"\nhint: Did you mean writ run?'],
    ['an unknown flag', ['run', 'x', '--scrip', 'y'], 'USAGE: unknown flag --scrip\nhint: Did you mean --script?'],
    ['contradicting flags', ['run', 'x', '--yes', '--no-input'], 'USAGE: --yes and --no-input'],
    ['a missing script', ['run', 'x', '--script', 'none.json'], 'SCRIPT_UNREADABLE'],
    ['a folder as a script', ['run', 'x', '--script', 'folder'], 'SCRIPT_UNREADABLE'],
    ['a script that is not JSON', ['run', 'x', '--script', 'not-json.json'], 'SCRIPT_INVALID'],
    ['a script with a wrong key', ['run', 'x', '--script', 'bad-key.json'], 'SCRIPT_INVALID: [0].calls[1].tol'],
    [
      'a record in a missing folder',
      ['run', 'x', '--script', 'good.json', '--record', 'no/where.jsonl'],
      'RECORD_UNWRITABLE',
    ],
    ['an unknown session', ['run', 'x', '--script', 'good.json', '--session', 'ses_none'], 'SESSION_UNKNOWN'],
    ['a configuration with errors', ['run', 'x', '--config', 'bad-config.json'], 'agent.security.autonomy'],
    ['a missing configuration', ['run', 'x', '--config', 'none.json'], 'CONFIG_UNREADABLE'],
    ['an unknown model', ['run', 'x', '--model', 'gpt'], 'agent.model'],
    ['a model without its key', ['run', 'x', '--model', 'openai/some'], 'MODEL_KEY_MISSING'],
    ['an unknown level', ['run', 'x', '--autonomy', 'wild'], 'agent.security.autonomy'],
    ['an unknown language', ['run', 'x', '--lang', 'tlh'], 'USAGE: unknown language "tlh"'],
    ['an unknown run', ['trace', 'run_none', '--data', 'none'], 'NO_JOURNAL'],
    ['no run to resume', ['resume'], 'USAGE: no run was specified'],
    ['a missing journal', ['audit', 'verify', '--data', 'none'], 'NO_JOURNAL'],
    [
      'an incomplete command',
      ['workflow'],
      'USAGE: missing argument: writ workflow run|check|list|resume\nhint: Use one of',
    ],
    ['a missing file to scan', ['scan', 'none'], 'INPUT_UNREADABLE'],
    ['a missing workflow', ['workflow', 'check', 'none'], 'WORKFLOW_UNREADABLE'],
    ['an unknown scope', ['token', 'add', 'me', '--scopes', 'wild'], 'TOKEN_SCOPES'],
    ['an invalid port', ['serve', '--port', 'abc'], 'USAGE: --port must be a number from 0 to 65535, not "abc"'],
    ['an invalid flag that is in no file', ['run', 'x', '--model', 'gpt'], 'hint: Correct the flag or variable.'],
    ['a missing batch', ['decide', '--route', 'Mock', '--batch', 'none', '--context', 'none'], 'INPUT_UNREADABLE'],
  ])('%s', async (_name, args, said) => {
    const { code, stdout, stderr } = await place.writ(args, { stdin: '' })
    expect(stderr).toContain(said)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^hint: ./m)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  test('with --json the last line of stdout is the error', async () => {
    const ended = await place.writ(['run', 'x', '--script', 'none.json', '--json'])
    expect(ended.code).toBe(2)
    expect(ended.json().at(-1)).toMatchObject({ type: 'error', code: 'SCRIPT_UNREADABLE', hint: expect.any(String) })
  })

  test('the error text follows the language; its code does not change', async () => {
    const ended = await place.writ(['run', ' ', '--lang', 'zh'])
    expect(ended.stderr).toContain('TASK_EMPTY: 任务为空\n提示：')
  })
})

describe('unusual input', () => {
  test.each([
    ['invalid UTF-8', Buffer.from([0x68, 0xff, 0xfe, 0x69]), 'TASK_NOT_TEXT'],
    ['NUL bytes', Buffer.from('do\0this'), 'TASK_NOT_TEXT'],
    ['ten megabytes', Buffer.alloc(10 * 1024 * 1024, 'a'), 'TASK_TOO_LARGE'],
    ['nothing', Buffer.alloc(0), 'TASK_EMPTY'],
  ])('a task of %s is rejected', async (_name, stdin, said) => {
    const { code, stderr } = await place.writ(['run', '-', '--script', 'good.json'], { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  test('a long Chinese task is read completely', async () => {
    const task = '读'.repeat(200_000)
    const args = ['run', '-', '--script', 'good.json', '--record', 'long.jsonl']
    expect((await place.writ(args, { stdin: task })).code).toBe(0)
    expect(place.read('long.jsonl')).toContain(task)
  })

  test('a slow reader gets everything', async () => {
    const task = '读'.repeat(100_000)
    const running = place.start(['run', '-', '--script', 'good.json', '--json'], { stdin: task })
    running.child.stdout?.pause()
    await until(() => (running.child.stdout?.readableLength ?? 0) > 0)
    running.child.stdout?.resume()
    const { code, json } = await running.ended
    expect(code).toBe(0)
    expect(json().at(-1)).toMatchObject({ type: 'result', reply: 'fine' })
  })

  test('a reader that closes the pipe causes no error', async () => {
    const running = place.start(['run', 'x', '--script', 'good.json', '--json'])
    running.child.stdout?.destroy()
    const { code, stderr } = await running.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('an unwritable data folder fails with a hint', async () => {
    place.file('file-in-the-way', '')
    const args = ['run', 'x', '--script', 'good.json', '--data', 'file-in-the-way/data']
    const { code, stderr } = await place.writ(args)
    expect(code).not.toBe(0)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })
})

describe('help', () => {
  test('--help lists every command, in both languages', async () => {
    const english = await place.writ(['--help'])
    const chinese = await place.writ(['--help', '--lang', 'zh'])
    for (const verb of ['run', 'trace', 'gate', 'audit verify', 'config check', 'doctor', 'tour']) {
      expect(english.stdout).toContain(`  ${verb}`)
      expect(chinese.stdout).toContain(`  ${verb}`)
    }
    expect(english.code).toBe(0)
    expect(chinese.stdout).toContain('用法：')
  })

  test('a command with --help prints its own help and does nothing else', async () => {
    const { code, stdout } = await place.writ(['run', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('--script FILE')
  })

  test.each([
    ['resume', 'writ resume RUN | --last'],
    ['replay', 'writ replay RUN | FILE | --all'],
  ])('the help of %s shows its required argument', async (verb, usage) => {
    expect((await place.writ([verb, '--help'])).stdout).toContain(usage)
    expect(await place.writ([verb])).toMatchObject({ code: 2, stderr: expect.stringContaining('USAGE') })
  })

  test('without a command the help is printed as the error', async () => {
    const { code, stdout, stderr } = await place.writ([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('writ <command>')
  })

  test.each([['--version'], ['-v'], ['-V'], ['version']])('X-CLI-1: %s prints the package version', async (word) => {
    expect(await place.writ([word])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test.each([
    ['help', '--help'],
    ['help trace', 'trace --help'],
    ['help workflow run', 'workflow run --help'],
    ['help config', 'config --help'],
    ['help help', '--help'],
  ])('X-CLI-1: “writ %s” is “writ %s”', async (words, flags) => {
    for (const lang of ['en', 'zh']) {
      const { code, stdout } = await place.writ([...words.split(' '), '--lang', lang])
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: (await place.writ([...flags.split(' '), '--lang', lang])).stdout,
      })
      expect(stdout).toContain('--lang en|zh')
    }
  })

  test('X-CLI-1: the help of a group lists its commands only', async () => {
    const { stdout } = await place.writ(['config', '--help'])
    expect(stdout).toContain('writ config <command>')
    expect(stdout).toContain('  config show')
    expect(stdout).not.toContain('  trace')
    expect(await place.writ(['help', 'cofnig'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean writ config?'),
    })
    expect(await place.writ(['help', 'config', 'shwo'])).toMatchObject({ code: 2 })
  })
})

describe('the launcher', () => {
  test('an older Node hands over to the one beside it, with its streams and its exit code', async () => {
    // The launcher checks only the version, so a shim that reports an old one is enough.
    const shim = place.file(
      'old.mjs',
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })",
    )
    const launcher = join(import.meta.dirname, '../../bin/writ.js')
    const child = spawn(process.execPath, ['--import', shim, launcher, 'run', ' '], { cwd: place.workspace })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [code] = await once(child, 'close')
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({ code: 2, stderr: 'TASK_EMPTY: the task is empty' })
  })
})

test.each([
  ['--version', 'OUTPUT_UNWRITABLE: cannot write to standard output: ENOSPC'],
  ['config schema --lang zh', 'OUTPUT_UNWRITABLE: 无法写入标准输出：ENOSPC'],
])('a full disk on output gives a clear error: writ %s', async (words, said) => {
  const onFullDisk = (command: readonly string[]) => ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...command]
  const { code, stderr } = await place.writ(words.split(' '), { through: onFullDisk })
  expect(code).toBe(1)
  expect(stderr).toContain(said)
  expect(stderr).not.toContain('INTERNAL')
})

describe('writ doctor', () => {
  test('lists the installation, and never a key', async () => {
    const env = { OPENAI_API_KEY: 'sk-canary-0123456789abcdef' }
    const plain = await place.writ(['doctor'], { env })
    const json = await place.writ(['doctor', '--json'], { env })
    expect(plain.code).toBe(0)
    expect(plain.stdout).toContain('openai')
    expect(json.json()[0]).toMatchObject({ ok: true })
    expect(plain.stdout + plain.stderr + json.stdout).not.toContain('canary')
  })

  test('a configuration that does not load fails', async () => {
    const { code, stdout } = await place.writ(['doctor', '--config', 'bad-config.json'])
    expect(code).toBe(1)
    // In the column of results.
    expect(stdout).toMatch(/^ {20,}\S+bad-config\.json:\d+:\d+: agent\.security\.autonomy/m)
    expect(stdout).toContain('1 problem found.')
  })

  test('a data folder that cannot be created fails', async () => {
    expect((await place.writ(['doctor', '--data', '/proc/nowhere/data'])).code).toBe(1)
  })

  test('a reviewer without a key and a missing classifier fail', async () => {
    place.file('beside.json', { agent: { security: { reviewer: 'openai/x', injectionModel: '/nowhere/model' } } })
    const { code, stdout } = await place.writ(['doctor', '--config', 'beside.json', '--json'], {
      env: { OPENAI_API_KEY: '' },
    })
    expect(code).toBe(1)
    const { checks } = JSON.parse(stdout) as { checks: { what: string; verdict: string; text: string }[] }
    const failed = checks.filter(({ verdict }) => verdict === 'fail')
    expect(failed).toMatchObject([
      { what: 'reviewer', text: expect.stringContaining('openai/x') },
      { what: 'classifier', text: expect.stringContaining('/nowhere/model') },
    ])
  })
})
