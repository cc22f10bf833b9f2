/** `writ replay`: what a journal amounts to, and what another policy would have made of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

const GOLDEN = `${import.meta.dirname}/../golden`
let place: Place
let runId: string
let strict: string

beforeAll(async () => {
  place = makePlace()
  place.file('notes.txt', 'words\n')
  strict = place.file('strict.json', {
    agent: { security: { autonomy: 'ReadOnly', blockedPaths: ['notes.txt'] }, tools: { disabled: ['file_list'] } },
  })
  place.script('script.json', [
    {
      purpose: 'main',
      calls: [
        { tool: 'file_read', args: { path: 'notes.txt' } },
        { tool: 'file_write', args: { path: 'made.txt', content: 'x' } },
        { tool: 'file_list', args: { path: '.' } },
        { tool: 'no_such_tool', args: {} },
      ],
    },
    { purpose: 'main', text: 'done' },
  ])
  const run = await place.writ(['run', 'tidy up', '--script', 'script.json', '--yes', '--json'])
  place.file('run.jsonl', run.stdout)
  runId = String(run.json().at(-1)?.runId)
})
afterAll(() => place.remove())

describe('a run replayed', () => {
  test('S2-86: twice gives the same bytes, from the journal and from a file of its events', async () => {
    const once = await place.writ(['replay', runId])
    expect(once).toMatchObject({ code: 0, stderr: '' })
    expect((await place.writ(['replay', runId])).stdout).toBe(once.stdout)
    expect((await place.writ(['replay', 'run.jsonl'])).stdout).toBe(once.stdout)
    expect((await place.writ(['replay', '-'], { stdin: place.read('run.jsonl') })).stdout).toBe(once.stdout)
    expect(once.stdout).toContain('Chain: intact')
    expect(once.stdout).toMatch(/tool file_write +0 +1 +0/)
    expect(once.stdout).toMatch(/Reasons for denial\n +Unknown tool \(UNKNOWN_TOOL\) +1\n/)
  })

  test('S2-85: counts without string parsing', async () => {
    const [summary] = (await place.writ(['replay', runId, '--json'])).json()
    expect(summary).toMatchObject({
      runs: 1,
      steps: 2,
      verdicts: { allow: 2, ask: 1, deny: 1 },
      denied: { UNKNOWN_TOOL: 1 },
      routes: { Mock: { allow: 2, ask: 1, deny: 1 } },
      stops: { final: 1 },
      chain: { ok: true },
    })
  })

  test('speaks Chinese, with the codes beside the words', async () => {
    const { stdout } = await place.writ(['replay', runId, '--lang', 'zh'])
    expect(stdout).toMatch(/拒绝的原因\n +未知的工具（UNKNOWN_TOOL）/)
  })

  test('a changed event breaks the chain, is named, and is exit code 1', async () => {
    place.file('changed.jsonl', place.read('run.jsonl').replace('"tidy up"', '"tidy down"'))
    const { code, stdout } = await place.writ(['replay', 'changed.jsonl'])
    expect(code).toBe(1)
    expect(stdout).toContain(`Chain: BROKEN at run ${runId}, event 2`)
  })
})

describe('another policy', () => {
  test('is told by every decision that differs, the first of them, and counts by reason', async () => {
    const { code, json } = await place.writ(['replay', runId, '--config', strict, '--json'])
    expect(code).toBe(0)
    const [report] = json() as [{ changes: { tool: string; after: object }[]; first: object }]
    expect(report.changes.map(({ tool, after }) => [tool, after])).toMatchObject([
      ['file_read', { decision: 'deny', reason: 'PRE_VALIDATE_REJECTED', code: 'PATH_BLOCKED' }],
      ['file_write', { decision: 'deny', reason: 'AUTONOMY_FORBIDS' }],
      ['file_list', { decision: 'deny', reason: 'TOOL_NOT_ALLOWED' }],
    ])
    expect(report.first).toEqual(report.changes[0])
    expect(report).toMatchObject({
      proposals: 4,
      changed: 3,
      before: { verdicts: { allow: 2, ask: 1, deny: 1 }, denied: { UNKNOWN_TOOL: 1 } },
      after: { verdicts: { allow: 0, ask: 0, deny: 4 }, denied: { AUTONOMY_FORBIDS: 1, UNKNOWN_TOOL: 1 } },
      left: 0,
    })
  })

  test('is told in words, with what the answer leaves open', async () => {
    const { stdout } = await place.writ(['replay', 'run.jsonl', '--config', strict])
    expect(stdout).toContain('3 of 4 decisions in 1 run would differ')
    expect(stdout).toContain(
      'file_read notes.txt: allow → deny: The path is blocked (PRE_VALIDATE_REJECTED/PATH_BLOCKED)',
    )
    expect(stdout).toMatch(/ {2}Read-only mode: changes are not allowed \(AUTONOMY_FORBIDS\) +0 +1\n/)
    expect(stdout).toContain('the model might have continued differently')
  })

  test('speaks Chinese about an English run, reasons included; JSON keeps the language of the run', async () => {
    const open = place.file('read-only.json', { agent: { security: { autonomy: 'ReadOnly' } } })
    const args = ['replay', 'run.jsonl', '--config', open, '--lang', 'zh']
    const { stdout } = await place.writ(args)
    expect(stdout).toContain('只读（ReadOnly）模式只允许低风险的读取')
    expect(stdout).toContain('拒绝：只读模式：不允许改动（AUTONOMY_FORBIDS）')
    expect(stdout).not.toContain('ReadOnly mode')
    expect((await place.writ([...args, '--json'])).stdout).toContain('ReadOnly mode')
  })

  test('that is the one in force differs in nothing', async () => {
    const same = place.file('same.json', { agent: {} })
    const { stdout } = await place.writ(['replay', runId, '--config', same])
    expect(stdout).toContain('0 of 4 decisions in 1 run would differ')
    expect(stdout).not.toContain('First')
  })

  test('a session’s later turn is judged with what was said before it', async () => {
    place.script('second.json', [
      { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'made.txt', content: 'y' } }] },
      { purpose: 'main', text: 'done' },
    ])
    const [, first] = place.read('run.jsonl').split('\n')
    const { sessionId } = JSON.parse(first ?? '')
    const run = await place.writ(['run', 'again', '--session', sessionId, '--script', 'second.json', '--json'])
    const second = String(run.json().at(-1)?.runId)
    const same = place.file('same.json', { agent: {} })
    const [report] = (await place.writ(['replay', second, '--config', same, '--json'])).json()
    expect(report).toMatchObject({ proposals: 1, changed: 0 })
  })
})

describe('the whole store', () => {
  test('is summed up, since a time or from the beginning', async () => {
    const [all] = (await place.writ(['replay', '--all', '--json'])).json() as [{ runs: number }]
    expect(all.runs).toBeGreaterThanOrEqual(1)
    expect((await place.writ(['replay', '--all', '--since', '7d', '--json'])).json()).toEqual([all])
    const [none] = (await place.writ(['replay', '--all', '--since', '2999-01-01', '--json'])).json()
    expect(none).toMatchObject({ runs: 0, events: 0, chain: { ok: true } })
  })

  test('answers what last week would have looked like, by kind of difference', async () => {
    const args = ['replay', '--all', '--since', '7d', '--config', strict]
    const [report] = (await place.writ([...args, '--json'])).json()
    expect(report).not.toHaveProperty('changes')
    expect(report?.kinds).toContainEqual(
      expect.objectContaining({
        tool: 'file_read',
        before: { decision: 'allow' },
        after: { decision: 'deny', reason: 'PRE_VALIDATE_REJECTED', code: 'PATH_BLOCKED' },
        count: 1,
        runs: 1,
      }),
    )
    expect((await place.writ(args)).stdout).toContain('1× in 1 run  file_read: allow → deny')
  })
})

describe('the golden journal', () => {
  test('needs no journal of one’s own', async () => {
    const alone = makePlace()
    try {
      const { code, json } = await alone.writ(['replay', `${GOLDEN}/every-denial.jsonl`, '--json'])
      expect(code).toBe(0)
      expect(json()).toMatchObject([{ runs: 13, denied: { RUN_OVER: 1 }, chain: { ok: true } }])
      expect((await alone.writ(['replay', '--all'])).stderr).toContain('NO_JOURNAL')
    } finally {
      alone.remove()
    }
  })
})

describe('wrong use', () => {
  test.each([
    ['nothing named', [], 'no run and no file was specified'],
    ['both', ['run.jsonl', '--all'], 'cannot be combined'],
    ['--since alone', ['run.jsonl', '--since', '7d'], '--since needs --all'],
    ['a time that is none', ['--all', '--since', 'yesterday'], '"yesterday" is not a valid time'],
    ['an unknown run', ['run_none'], 'unknown run run_none'],
    ['a line that is no JSON', ['notes.txt'], 'notes.txt:1: not valid JSON'],
    ['a line that is no event', ['strict.json'], 'strict.json:1: not an event'],
    ['an event without its data', ['hollow.jsonl'], 'EVENT_INVALID'],
  ])('%s is exit code 2 and says why', async (_name, args, said) => {
    const lines = place.read('run.jsonl').split('\n')
    const hollow = lines.map((line) => (line.includes('"gate.decided"') ? line : line.replace('"reply":', '"rply":')))
    place.file('hollow.jsonl', hollow.join('\n'))
    const { code, stderr } = await place.writ(['replay', ...args])
    expect(stderr).toContain(said)
    expect(code).toBe(2)
  })
})
