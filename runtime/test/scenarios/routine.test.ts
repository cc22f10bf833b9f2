/** `writ routine …` from the outside, with real clocks, processes and signals. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import type { Model } from '../../src/model/model.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { openStore } from '../../src/storage/open.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { until } from '../support/until.ts'

let place: Place

beforeEach(() => {
  place = makePlace()
  place.file('notes.txt', 'first line\n')
  place.script('done.json', [{ purpose: 'main', text: 'Nothing new.', times: 99 }])
  place.script('write.json', [
    { purpose: 'main', calls: [{ tool: 'file_write', args: { path: 'made.txt', content: 'made' } }] },
    { purpose: 'main', text: 'Tried.' },
  ])
})
afterEach(() => place.remove())

const add = (schedule: string, ...more: string[]) =>
  place.writ(['routine', 'add', 'news', schedule, 'read it', ...more])

async function journal<T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const store = await openStore({ kind: 'sqlite', file: join(place.data, 'journal.db') })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
async function eventsOfRuns(): Promise<StoredEvent[]> {
  return journal(async (store) => {
    const runs = (await store.listRuns()).toReversed()
    return (await Promise.all(runs.map(({ runId }) => store.readRun(runId)))).flat()
  })
}
const dueTimes = (lines: readonly Record<string, unknown>[]) =>
  lines.filter(({ type }) => type === 'routine.fired').map(({ dueAt }) => dueAt as number)

describe('managing routines', () => {
  test('S1-135: add shows the next three times in the time zone', async () => {
    const { code, stdout, stderr } = await add('0 9 * * *', '--time-zone', 'Asia/Shanghai')
    expect(code).toBe(0)
    expect(stdout).toContain('news (0 9 * * *, Asia/Shanghai)')
    expect(stdout.match(/^ {2}\d{4}-\d\d-\d\d 09:00:00$/gm)).toHaveLength(3)
    expect(stderr).toContain('writ routine start')
    const list = await place.writ(['routine', 'list'])
    expect(list.stdout).toMatch(/^news +0 9 \* \* \* +Asia\/Shanghai +\d{4}-\d\d-\d\d 09:00:00 +- +read it$/m)
  })

  test('--json prints the routine, for add and list', async () => {
    const [added] = (await add('@every 2h', '--json')).json()
    expect(added).toMatchObject({ name: 'news', schedule: '@every 2h', task: 'read it', createdBy: 'user' })
    const { next, ...routine } = added ?? {}
    expect(next).toEqual([0, 1, 2].map((n) => Number(routine.nextDueAt) + n * 7_200_000))
    expect((await place.writ(['routine', 'list', '--json'])).json()).toEqual([routine])
  })

  test('a routine is paused, resumed and deleted', async () => {
    await add('@every 2h')
    expect((await place.writ(['routine', 'pause', 'news'])).code).toBe(0)
    expect((await place.writ(['routine', 'list'])).stdout).toContain('paused')
    expect((await place.writ(['routine', 'list', '--lang', 'zh'])).stdout).toContain('已暂停')
    expect((await place.writ(['routine', 'pause', 'news', '--resume'])).stdout).toContain('Resumed')
    expect((await place.writ(['routine', 'remove', 'news'])).stdout).toBe('Deleted news.\n')
    expect((await place.writ(['routine', 'list'])).stdout).toBe('No routines yet.\n')
  })

  test('list without a data folder creates none', async () => {
    expect((await place.writ(['routine', 'list'])).stdout).toBe('No routines yet.\n')
    const ended = await place.writ(['routine', 'run', 'news'])
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('ROUTINE_UNKNOWN')])
    expect(place.has('.writ')).toBe(false)
  })

  test.each([
    [['soon', 'x'], 'SCHEDULE_INVALID', '@every 10m'],
    [['0 0 31 2 *', 'x'], 'SCHEDULE_NEVER', 'a day that exists in its month'],
    [['0 9 * * *', 'x', '--time-zone', 'Mars/Base'], 'TIME_ZONE_UNKNOWN', 'IANA'],
    [['0 9 * * *', 'x', '--autonomy', 'Full'], 'ROUTINE_AUTONOMY', 'stricter'],
    [['0 9 * * *', 'x', '--autonomy', 'Some'], 'ROUTINE_AUTONOMY', 'stricter'],
    [['0 9 * * *', ' '], 'ROUTINE_TASK', 'file'],
    [['0 9 * * *'], 'USAGE', 'routine add --help'],
  ])('add %j is rejected with a message and a hint', async (words, code, hint) => {
    const ended = await place.writ(['routine', 'add', 'news', ...words])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(`${code}: `)
    expect(ended.stderr.split('\n')[1]).toContain(hint)
  })
})

describe('running one now', () => {
  test('S1-47 S1-134: the reply is on stdout, the prompt has the routine section, and the journal names the routine', async () => {
    await add('0 9 * * *')
    const args = ['routine', 'run', 'news', '--script', 'done.json', '--record', 'requests.jsonl']
    const ended = await place.writ(args)
    expect([ended.code, ended.stdout]).toEqual([0, 'Nothing new.\n'])
    expect(place.read('requests.jsonl')).toContain('[Routine 执行规范]')
    const events = await eventsOfRuns()
    const types = events.map(({ type }) => type)
    expect(types.indexOf('routine.fired')).toBe(types.indexOf('run.started') - 1)
    expect(types.slice(-2)).toEqual(['routine.finished', 'turn.committed'])
    expect(new Set(events.map(({ mode }) => mode))).toEqual(new Set(['routine']))
    const [routine] = (await place.writ(['routine', 'list', '--json'])).json()
    expect(routine).toMatchObject({ lastRunId: events[0]?.runId, lastStop: 'final' })
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test('S1-117: the model request does not stream', async () => {
    const asked: boolean[] = []
    const model: Model = {
      id: 'test/whole',
      route: 'Mock',
      reasoning: 'clear',
      // biome-ignore lint/correctness/useYield: a model that does not stream has nothing to yield
      async *ask({ stream }) {
        asked.push(stream)
        return { text: 'ok', calls: [], usage: { inputTokens: 1, outputTokens: 1 }, truncated: false }
      },
    }
    const agent = await createAgent({ model, workspace: place.workspace, data: ':memory:', env: {} })
    const events = agent.stream('x', { routine: { name: 'news', dueAt: 1 } })
    const types: string[] = []
    for await (const { type } of events) types.push(type)
    expect(types).not.toContain('model.delta')
    expect(new Set(asked)).toEqual(new Set([false]))
    await agent.close()
  })

  test('S1-105: a call that needs approval is denied at once, without asking', async () => {
    await add('0 9 * * *')
    const ended = await place.writ(['routine', 'run', 'news', '--script', 'write.json'])
    expect([ended.code, ended.stdout]).toEqual([5, 'Tried.\n'])
    expect(ended.stderr).toMatch(/file_write made\.txt denied: Medium risk: .* \(RiskExceedsConfig\)/)
    expect(place.has('made.txt')).toBe(false)
  })

  test('a routine runs with the configured autonomy, or with its own if that is tighter', async () => {
    const config = place.file('full.json', { agent: { security: { autonomy: 'Full' } } })
    await add('0 9 * * *', '--config', config)
    const args = ['routine', 'run', 'news', '--script', 'write.json', '--config', config]
    expect((await place.writ(args)).code).toBe(0)
    expect(place.read('made.txt')).toBe('made')
    await place.writ(['routine', 'remove', 'news'])
    await add('0 9 * * *', '--autonomy', 'readonly', '--config', config)
    expect((await place.writ(args)).stderr).toContain('AUTONOMY_FORBIDS')
  })

  test('a routine cannot use an autonomy level that the configuration no longer grants', async () => {
    const config = place.file('full.json', { agent: { security: { autonomy: 'Full' } } })
    await add('0 9 * * *', '--autonomy', 'Full', '--config', config)
    const ended = await place.writ(['routine', 'run', 'news', '--script', 'write.json'])
    expect(ended.stderr).toMatch(/denied: Medium risk: .* \(RiskExceedsConfig\)/)
    expect(place.has('made.txt')).toBe(false)
  })

  test('a question is printed as the output and marked as a question', async () => {
    await add('0 9 * * *')
    // The router runs only where there are skills.
    place.file(
      '../home/.config/writ/skills/papers/SKILL.md',
      '---\nname: papers\ndescription: Reads papers.\n---\nRead.\n',
    )
    const script = place.script('asks.json', [{ purpose: 'route', text: '{"question":"Which paper?"}', times: 9 }])
    const ended = await place.writ(['routine', 'run', 'news', '--script', script])
    expect([ended.code, ended.stdout]).toEqual([0, '[question] Which paper?\n'])
    const json = await place.writ(['routine', 'run', 'news', '--script', script, '--json'])
    expect(json.json().at(-1)).toMatchObject({ reply: 'Which paper?', stopReason: 'clarification' })
  })
})

describe('permissions of an unattended routine', () => {
  const summary = (tool: string, args: unknown) =>
    place.script('log.json', [
      { purpose: 'main', calls: [{ tool, args }], times: 1 },
      { purpose: 'main', text: 'One commit.', times: 9 },
    ])
  beforeEach(() => {
    execFileSync('git', ['init', '-q'], { cwd: place.workspace })
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
    execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd: place.workspace })
  })
  const summarise = ['routine', 'add', 'morning', '0 9 * * 1-5', "summarise yesterday's commits"]

  test('S1-134: a command that was not allowed is denied, and the exit code and the list show it', async () => {
    await place.writ(summarise)
    const script = summary('git', { args: ['tag', 'seen'] })
    const ended = await place.writ(['routine', 'run', 'morning', '--script', script])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('--allow')
    expect((await place.writ(['routine', 'list'])).stdout).toMatch(/^morning .* refused +summarise/m)
  })

  test.each([
    ['git', { args: ['log', '--oneline'] }],
    ['shell', { command: 'git log --oneline' }],
  ])('S1-134: a command allowed with --allow runs, with the tool %s', async (tool, args) => {
    const added = await place.writ([...summarise, '--allow', 'git log', '--yes'])
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('read-only git commands')])
    const ended = await place.writ(['routine', 'run', 'morning', '--script', summary(tool, args)])
    expect([ended.code, ended.stdout]).toEqual([0, 'One commit.\n'])
    expect((await place.writ(['routine', 'list'])).stdout).toMatch(/^morning .* final +summarise/m)
  })

  test('S1-134: commands allowed together may also run separately', async () => {
    const added = await place.writ([...summarise, '--allow', 'git log; curl http://news.example/', '--yes'])
    expect(added.code).toBe(0)
    const script = summary('shell', { command: 'git log --oneline' })
    expect(await place.writ(['routine', 'run', 'morning', '--script', script])).toMatchObject({ code: 0 })
  })

  test('an allowed command does not allow a commit, and does not apply to other routines', async () => {
    await place.writ([...summarise, '--allow', 'git tag seen', '--yes'])
    const script = summary('shell', { command: 'git commit --allow-empty -m second' })
    expect((await place.writ(['routine', 'run', 'morning', '--script', script])).code).toBe(5)
    await add('0 9 * * *')
    const tag = summary('git', { args: ['tag', 'seen'] })
    expect((await place.writ(['routine', 'run', 'news', '--script', tag])).code).toBe(5)
  })

  test.each([
    ['without a terminal, --allow needs --yes', ['--allow', 'git log'], '--yes'],
    ['High risk cannot be allowed in advance', ['--allow', 'sudo rm -rf /', '--yes'], 'High-risk'],
    ['a command with variables cannot be allowed in advance', ['--allow', '$CMD', '--yes'], 'variables'],
  ])('%s', async (_name, flags, told) => {
    const ended = await place.writ([...summarise, ...flags])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain(told)
    expect((await place.writ(['routine', 'list'])).stdout).not.toContain('morning')
  })
})

describe('running on schedule', () => {
  test('start runs what is due, prints each result and ends with Ctrl-C', async () => {
    await add('@every 1s')
    const running = place.start(['routine', 'start', '--script', 'done.json'])
    await running.said('✓ news  final')
    running.child.kill('SIGINT')
    const ended = await running.ended
    expect([ended.code, ended.signal]).toEqual([0, null])
    // On a busy machine a run can take longer than a second.
    const lines = ended.stdout.replace(/^- news {2}skipped: .*\n/gm, '')
    expect(lines).toMatch(/▶ news {2}\d{4}-.*\n✓ news {2}final {2}run_\w+\n {2}Nothing new\./)
    expect((await eventsOfRuns()).map(({ type }) => type)).toContain('routine.finished')
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test('the built-in rules can run a routine unattended', async () => {
    await place.writ(['routine', 'add', 'count', '@every 1s', 'how many lines in notes.txt'])
    const running = place.start(['routine', 'start'], { env: { WRIT_MODEL: 'rules' } })
    await running.said('✓ count  final')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
  })

  test('S1-135: due times before start are skipped and journaled', async () => {
    const [added] = (await add('@every 1s', '--json')).json()
    await until(() => Date.now() > Number(added?.nextDueAt) + 1000)
    const running = place.start(['routine', 'start', '--script', 'done.json', '--json'])
    await running.said('routine.finished')
    running.child.kill('SIGINT')
    const [first] = (await running.ended).json()
    expect(first).toMatchObject({ type: 'routine.skipped', name: 'news', why: 'missed' })
    const [skipped] = await journal((store) => store.readSession('routine_news'))
    expect(skipped).toMatchObject({ type: 'routine.skipped', data: { name: 'news', why: 'missed' } })
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test('S1-135: a due time during the previous run is skipped, in any process', async () => {
    place.script('slow.json', [{ purpose: 'main', text: 'Slow.', delayMs: 600_000 }])
    await add('@every 1s')
    const slow = place.start(['routine', 'start', '--script', 'slow.json', '--json'])
    await slow.said('routine.fired')
    const other = place.start(['routine', 'start', '--script', 'done.json', '--json'])
    await other.said('"overlap"')
    const busy = await place.writ(['routine', 'run', 'news', '--script', 'done.json'])
    expect(busy.stderr).toContain('ROUTINE_BUSY')
    for (const { child } of [other, slow]) child.kill('SIGINT')
    expect(dueTimes((await other.ended).json())).toEqual([])
    expect(dueTimes((await slow.ended).json())).toHaveLength(1)
  })

  test('two processes on one data folder fire each due time once in total', async () => {
    await add('@every 1s')
    const both = [0, 1].map(() => place.start(['routine', 'start', '--script', 'done.json', '--json']))
    await Promise.all(both.map(({ said }) => said('Running 1 routine')))
    await until(async () => (await eventsOfRuns()).filter(({ type }) => type === 'routine.finished').length > 2)
    for (const { child } of both) child.kill('SIGINT')
    const lines = (await Promise.all(both.map(({ ended }) => ended))).flatMap((ended) => ended.json())
    const fired = dueTimes(lines)
    expect(fired.length).toBeGreaterThan(1)
    expect(new Set(fired).size).toBe(fired.length)
    const journaled = (await eventsOfRuns()).filter((event) => event.type === 'routine.fired')
    expect(journaled.map((event) => event.data.dueAt).sort()).toEqual(fired.sort())
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test('a stop request lets the current run finish; Ctrl-C interrupts it', async () => {
    for (const [signal, stopReason, delayMs] of [
      ['SIGTERM', 'final', 1500],
      ['SIGINT', 'aborted', 60_000],
    ] as const) {
      place.script('late.json', [{ purpose: 'main', text: 'Late.', delayMs, times: 9 }])
      await add('@every 1s')
      const running = place.start(['routine', 'start', '--script', 'late.json', '--json'])
      await running.said('routine.fired')
      running.child.kill(signal)
      const ended = await running.ended
      expect(ended.code).toBe(0)
      expect(ended.json().at(-1)).toMatchObject({ type: 'routine.finished', name: 'news', stopReason })
      const [routine] = (await place.writ(['routine', 'list', '--json'])).json()
      expect(routine).toMatchObject({ lastStop: stopReason })
      await place.writ(['routine', 'remove', 'news'])
    }
  })
})
