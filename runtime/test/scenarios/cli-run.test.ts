/** `writ run` from the outside: what it prints, what it records, how it ends. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeAll(() => {
  place = makePlace()
  place.file('notes.txt', 'first line\nsecond line\n')
  place.script('read.json', [
    { purpose: 'main', calls: [{ tool: 'file_read', args: { path: 'notes.txt' } }] },
    { purpose: 'main', text: 'It says: first line.' },
  ])
  place.script('outside.json', [
    { purpose: 'main', calls: [{ tool: 'file_read', args: { path: '../../etc/passwd' } }] },
    { purpose: 'main', text: 'I may not read that.' },
  ])
  place.script('write.json', [
    { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'made.txt', content: 'made' } }] },
    { purpose: 'main', text: 'Done.' },
  ])
})
afterAll(() => place.remove())

describe('the contract of writ run', () => {
  test('the reply alone is on stdout, all else on stderr', async () => {
    const { code, stdout, stderr } = await place.writ(['run', 'what do the notes say?', '--script', 'read.json'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It says: first line.\n' })
    expect(stderr).toContain('✓ file_read notes.txt')
    expect(stderr).not.toContain('\x1b')
  })

  test('--json prints every stored event with its hash, and the result last', async () => {
    const ended = await place.writ(['run', 'notes?', '--script', 'read.json', '--json'])
    const lines = ended.json()
    const result = lines.at(-1)
    const events = lines.slice(0, -1)
    expect(ended.code).toBe(0)
    expect(result).toMatchObject({
      type: 'result',
      reply: 'It says: first line.',
      stopReason: 'final',
      metadata: { execution: { stopReason: 'final', steps: 2, toolCalls: 1 } },
    })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
    for (const event of events) expect(event.hash).toMatch(/^[0-9a-f]{64}$/)
    const types = events.map(({ type }) => type)
    expect(types).not.toContain('model.delta')
    expect(types.at(-1)).toBe('turn.committed')
    expect(types.indexOf('gate.decided')).toBeLessThan(types.indexOf('tool.call'))
    const sessions = new Set(events.map(({ sessionId }) => sessionId))
    expect(sessions).toEqual(new Set([result?.sessionId]))
  })

  test('--record keeps every model request as one JSON line', async () => {
    await place.writ(['run', 'notes?', '--script', 'read.json', '--record', 'requests.jsonl'])
    const requests = place
      .read('requests.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(requests.map(({ purpose, model }) => [purpose, model])).toEqual([
      ['main', 'scripted'],
      ['main', 'scripted'],
    ])
    const [first, second] = requests
    expect(first.messages).toEqual([{ role: 'user', content: 'notes?' }])
    expect(first.tools.map(({ name }: { name: string }) => name)).toContain('file_read')
    expect(second.messages.at(-1)).toMatchObject({ role: 'tool', tool: 'file_read' })
    expect(first.system).toContain('file_read')
  })

  test('an empty reply is retried once, then reported', async () => {
    place.script('empty.json', [{ purpose: 'main', text: '' }])
    place.script('empty-twice.json', [{ purpose: 'main', text: '', times: 2 }])
    const once = await place.writ(['run', 'x', '--script', 'empty.json'])
    const twice = await place.writ(['run', 'x', '--script', 'empty-twice.json'])
    expect([once.code, twice.code]).toEqual([7, 7])
    for (const { stdout, stderr } of [once, twice]) expect(stdout + stderr).toContain('empty reply')
  })

  test('a call denied by the gate does not run, and the model gets the reason', async () => {
    const ended = await place.writ(['run', 'x', '--script', 'outside.json', '--record', 'requests.jsonl'])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain(
      '✗ file_read ../../etc/passwd denied: "../../etc/passwd" is outside the workspace (PRE_VALIDATE_REJECTED/PATH_OUTSIDE_WORKSPACE)',
    )
    expect(place.read('requests.jsonl')).toContain('[错误] PRE_VALIDATE_REJECTED/PATH_OUTSIDE_WORKSPACE')
  })

  test('every refusal is in the result of --json, and on stderr as well', async () => {
    const ended = await place.writ(['run', 'x', '--script', 'outside.json', '--json'])
    expect(ended.code).toBe(0)
    expect(ended.json().at(-1)).toMatchObject({
      type: 'result',
      denials: [
        { tool: 'file_read', reason: 'PRE_VALIDATE_REJECTED', code: 'PATH_OUTSIDE_WORKSPACE', stage: 'content' },
      ],
    })
    expect(ended.stderr).toContain(
      '✗ file_read ../../etc/passwd denied: "../../etc/passwd" is outside the workspace (PRE_',
    )
  })

  test('S1-105: without a terminal a question is a no, and the exit code says so', async () => {
    const ended = await place.writ(['run', 'x', '--script', 'write.json'])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('NO_CONFIRM_CHANNEL')
    expect(place.has('made.txt')).toBe(false)
  })

  test('--yes answers questions', async () => {
    const ended = await place.writ(['run', 'x', '--script', 'write.json', '--yes'])
    expect(ended.code).toBe(0)
    expect(place.read('made.txt')).toBe('made')
  })

  test('--yes never answers a question of high risk', async () => {
    place.script('danger.json', [
      { purpose: 'main', calls: [{ tool: 'shell', args: { command: 'chmod u+s notes.txt' } }] },
      { purpose: 'main', text: 'Not done.' },
    ])
    const ended = await place.writ(['run', 'x', '--script', 'danger.json', '--yes'])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('--yes does not cover High risk')
    expect(ended.stderr).toContain('hint: To approve it, run this in a terminal without --yes')
    expect(ended.stderr).not.toContain('the user said no')
    expect(statSync(join(place.workspace, 'notes.txt')).mode & 0o4000).toBe(0)
  })

  test('a session goes on where it stood', async () => {
    const first = await place.writ(['run', 'remember the word teapot', '--script', 'read.json', '--json'])
    const session = String(first.json().at(-1)?.sessionId)
    const script = place.script('again.json', [{ purpose: 'main', text: 'teapot' }])
    const args = ['run', 'which word?', '--session', session, '--script', script, '--record', 'requests.jsonl']
    const second = await place.writ([...args, '--json'])
    expect(second.json().at(-1)).toMatchObject({ sessionId: session, reply: 'teapot' })
    expect(place.read('requests.jsonl')).toContain('remember the word teapot')
  })

  test('the task can come from standard input', async () => {
    const args = ['run', '-', '--script', 'read.json', '--record', 'requests.jsonl']
    const ended = await place.writ(args, { stdin: '笔记里写了什么？\n' })
    expect(ended.code).toBe(0)
    expect(place.read('requests.jsonl')).toContain('笔记里写了什么？')
  })

  test.each([
    ['a provider that fails', [{ purpose: 'main', error: { message: 'no such model' } }], 7, 'provider_error'],
    ['a script that runs out', [], 7, 'provider_error'],
    [
      'a model that repeats one call',
      [{ purpose: 'main', times: 99, calls: [{ tool: 'file_read', args: { path: 'notes.txt' } }] }],
      6,
      'repeated_call',
    ],
    [
      'a model that never stops calling',
      Array.from({ length: 12 }, (_, i) => ({
        purpose: 'main',
        calls: [{ tool: 'file_read', args: { path: i % 2 === 0 ? 'notes.txt' : './notes.txt' } }],
      })),
      6,
      'max_steps',
    ],
  ] as const)('%s ends with its own code', async (name, entries, code, reason) => {
    const script = place.script(`${name}.json`, [...entries] as never)
    const ended = await place.writ(['run', 'x', '--script', script, '--json'])
    expect(ended.code).toBe(code)
    expect(ended.json().at(-1)).toMatchObject({ type: 'result', stopReason: reason })
  })

  test('S0-81: a call the task’s intent forbids ends with its own code', async () => {
    const config = place.file('guard.json', {
      agent: {
        execution: {
          intentGuard: { blockBudget: 0, intents: { general: { enabled: true, allowedFamilies: ['memory'] } } },
        },
      },
    })
    const ended = await place.writ(['run', 'x', '--script', 'read.json', '--config', config, '--json'])
    expect(ended.code).toBe(3)
    expect(ended.json().at(-1)).toMatchObject({ stopReason: 'tool_policy_blocked' })
  })

  test('nothing a model writes can drive a terminal through the tool lines', async () => {
    const script = place.script('escape.json', [
      { purpose: 'main', calls: [{ tool: 'file_read', args: { path: 'a\x1b[2Jb' } }] },
      { purpose: 'main', text: 'ok' },
    ])
    const ended = await place.writ(['run', 'x', '--script', script])
    expect(ended.stderr).toContain('a\\u{1b}[2Jb')
    expect(ended.stderr).not.toContain('\x1b')
  })

  test('with nothing configured the built-in rules answer, and say that they did', async () => {
    const ended = await place.writ(['run', 'how many lines in notes.txt'], { env: { WRIT_MODEL: 'rules' } })
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('2')
    expect(ended.stderr).toContain('built-in rules')
  })
})

describe('writ trace', () => {
  test('lists runs, and tells one of them in S3’s shape', async () => {
    const run = await place.writ(['run', 'trace me', '--script', 'read.json', '--json'])
    const runId = String(run.json().at(-1)?.runId)
    const list = await place.writ(['trace'])
    expect(list.stdout).toMatch(new RegExp(`${runId} .* Finished \\(final\\) +trace me`))
    const trace = await place.writ(['trace', runId, '--json'])
    expect(trace.json()).toEqual([
      {
        final_answer: 'It says: first line.',
        trace: [
          {
            step: 1,
            action: { tool: 'file_read', args: { path: 'notes.txt' } },
            observation: 'first line\nsecond line\n',
            elapsed_ms: expect.any(Number),
          },
        ],
        used_tools: { file_read: { count: 1, total_ms: expect.any(Number) } },
        finish_reason: 'final',
        total: { children: 0, cost: 0, usage: expect.any(Object) },
      },
    ])
    const last = await place.writ(['trace', '--last', '--lang', 'zh'])
    expect(last.stdout).toContain('任务：trace me')
    expect(last.stdout).toContain('结果：已完成（final）')
  })
})

test('writ tour needs no key and no network, and its third task is refused by the gate', async () => {
  for (const lang of ['en', 'zh']) {
    const ended = await place.writ(['tour', '--lang', lang])
    expect(ended.code).toBe(0)
    expect(ended.stdout.match(/✓/g)).toHaveLength(3)
    expect(ended.stdout).toContain('PRE_VALIDATE_REJECTED/PATH_OUTSIDE_WORKSPACE')
    expect(ended.stdout).not.toContain('\x1b')
  }
})

test.each([
  ['en', 'it starts a coprocess', 'the script has no entry left for purpose "main"'],
  ['zh', '会启动协进程', '脚本中没有用于 "main" 的条目了'],
])('why a line is not understood and why a model failed is told in one language (%s)', async (lang, line, model) => {
  place.script('empty.json', [])
  const run = await place.writ(['run', 'anything', '--script', 'empty.json', '--lang', lang])
  expect(run.stdout).toContain(model)
  const allow = ['--allow', 'coproc cat', '--yes']
  const refused = await place.writ(['routine', 'add', 'odd', '@every 10m', 'look', ...allow, '--lang', lang])
  expect(refused.stderr).toContain(line)
})
