/** `writ undo`, `/undo` and the endpoints; kill -9 while recording and while restoring. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { call, makeServerPlace, speaking, type TestPlace } from '../support/server.ts'
import { until } from '../support/until.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
  place.file('agent.config.json', {
    agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } },
  })
  place.file('a.txt', 'one')
})
afterEach(() => place.remove())

const change = (...calls: { tool: string; args: object }[]) =>
  place.script('../script.json', [
    { purpose: 'main', calls },
    { purpose: 'main', text: 'done' },
  ])
const write = (path: string, content: string) => ({ tool: 'file_write', args: { path, content } })
const run = () => place.writ(['run', 'change it', '--script', join(place.root, 'script.json'), '--yes'])

describe('writ undo', () => {
  test('X-UNDO-10: shows what it would do, asks, restores the latest change, and the trace says so', async () => {
    change(write('a.txt', 'two'), write('b.txt', 'new'))
    expect(await run()).toMatchObject({ code: 0 })
    const dry = await place.writ(['undo', '--dry-run'])
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stdout).toMatch(/restore a\.txt[\s\S]*delete b\.txt[\s\S]*Nothing was changed/)
    const unasked = await place.writ(['undo'])
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect(place.read('a.txt')).toBe('two')
    const undone = await place.writ(['undo', '--yes'])
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('Undone: 2 changes.') })
    const [, folder = '', tree = ''] = /git --git-dir=(\S+) show (\w+):FILE/.exec(undone.stdout) ?? []
    const overwritten = execFileSync('git', [`--git-dir=${folder}`, 'show', `${tree}:a.txt`], { encoding: 'utf8' })
    expect(overwritten).toBe('two')
    expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['one', false])
    expect((await place.writ(['trace', '--last'])).stdout).toContain('undone by user: 2 changes')
    expect(await place.writ(['audit', 'verify'])).toMatchObject({ code: 0 })
    expect(await place.writ(['undo', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('UNDO_NOTHING'),
    })
  })

  test('X-UNDO-10: files changed meanwhile are left, with exit code 1; in Chinese too', async () => {
    change(write('a.txt', 'two'))
    await run()
    place.file('a.txt', 'mine')
    const { code, stdout } = await place.writ(['undo', '--yes', '--lang', 'zh'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('运行之后又有改动')])
    expect(place.read('a.txt')).toBe('mine')
  })

  test('X-UNDO-10: a run of which nothing can be restored is named and passed over', async () => {
    change(write('b.txt', 'first'))
    await run()
    change(write('a.txt', 'two'))
    await run()
    place.file('a.txt', 'mine')
    const { code, stdout, stderr } = await place.writ(['undo', '--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('delete b.txt')])
    const [, passed = ''] =
      /nothing can be restored, its file was changed since. To see which: writ undo (\S+)/.exec(stderr) ?? []
    expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['mine', false])
    const again = await place.writ(['undo', '--yes'])
    expect([again.code, again.stdout]).toEqual([1, expect.stringMatching(new RegExp(`${passed}[\\s\\S]*a.txt`))])
  })

  test('X-UNDO-10: /undo restores the latest turn of the session', async () => {
    change(write('a.txt', 'two'))
    const script = join(place.root, 'script.json')
    const { stdout } = await place.writ(['chat', '--script', script, '--yes'], { stdin: 'change it\n/undo\n' })
    expect(stdout).toContain('Undone: 1 change.')
    expect(place.read('a.txt')).toBe('one')
  })

  test('X-UNDO-11: after kill -9 in the middle of a turn its changes can be undone', async () => {
    place.script('../script.json', [
      { purpose: 'main', calls: [write('a.txt', 'two')] },
      { purpose: 'main', text: 'late', delayMs: 600_000 },
    ])
    const requests = join(place.root, 'requests.jsonl')
    const script = join(place.root, 'script.json')
    const running = place.start(['run', 'change it', '--script', script, '--record', requests, '--yes'])
    // Its result is on disk before the model is asked again.
    await until(() => existsSync(requests) && readFileSync(requests, 'utf8').includes('"role":"tool"'))
    running.child.kill('SIGKILL')
    await running.ended
    place.file('hand.txt', 'by hand')
    const { code, stdout } = await place.writ(['undo', '--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('The run was killed.')])
    expect(stdout).toMatch(/restore a\.txt\n/)
    expect(stdout).toMatch(/delete hand\.txt \(may be yours/)
    expect(place.read('a.txt')).toBe('one')
  })

  test('X-UNDO-12: pruning a run removes its recordings', async () => {
    change(write('a.txt', 'two'))
    await run()
    const [shadow = ''] = readdirSync(join(place.root, 'home/.local/state/writ/undo'))
    const recordings = join(place.root, 'home/.local/state/writ/undo', shadow, 'recordings')
    expect(readdirSync(recordings)).toHaveLength(2)
    await place.writ(['prune', '--keep', '0d'])
    expect(readdirSync(join(place.root, 'home/.local/state/writ/undo'))).toEqual([])
  })
})

describe('kill -9', () => {
  const many = (content: string, folder: string) => {
    for (let i = 0; i < 80; i++) place.file(`${folder}/f${i}`, `${content} ${i}`)
  }
  const contents = () => Array.from({ length: 80 }, (_, i) => place.read(`d/f${i}`).split(' ')[0])
  const undoHome = () => join(place.root, 'home/.local/state/writ/undo')
  const shadow = () => join(undoHome(), readdirSync(undoHome()).find((name) => /^[0-9a-f]{64}$/.test(name)) ?? '')

  test('X-UNDO-11: an undo that was killed is completed by the next one', async () => {
    many('one', 'd')
    change({ tool: 'shell', args: { command: 'sed -i s/one/two/ d/*' } })
    await run()
    expect(new Set(contents())).toEqual(new Set(['two']))
    const undoing = place.start(['undo', '--yes'])
    await until(() => contents().includes('one'))
    undoing.child.kill('SIGKILL')
    await undoing.ended
    expect(await place.writ(['undo', '--yes'])).toMatchObject({
      code: expect.toSatisfy((code) => code === 0 || code === 1),
    })
    expect(new Set(contents())).toEqual(new Set(['one']))
    expect(readdirSync(join(place.workspace, 'd'))).toHaveLength(80)
  })

  test('X-UNDO-11: a recording that was killed does not disturb the next one', async () => {
    many('one'.repeat(10_000), 'd')
    change(write('a.txt', 'two'))
    const killed = place.start(['run', 'change it', '--script', join(place.root, 'script.json'), '--yes'])
    await until(
      () =>
        existsSync(undoHome()) &&
        existsSync(join(shadow(), 'objects')) &&
        readdirSync(join(shadow(), 'objects')).length > 2,
    )
    killed.child.kill('SIGKILL')
    await killed.ended
    const before = place.read('a.txt')
    change(write('a.txt', 'three'))
    expect(await run()).toMatchObject({ code: 0 })
    expect(await place.writ(['undo', '--yes'])).toMatchObject({ code: 0 })
    expect(place.read('a.txt')).toBe(before)
    execFileSync('git', ['--git-dir', shadow(), 'fsck', '--full', '--strict'], { stdio: 'ignore' })
  })
})

describe('the server', () => {
  let server: TestPlace
  beforeEach(() => {
    server = makeServerPlace()
  })
  afterEach(() => server.remove())

  async function tokenOf(name: string): Promise<string> {
    const { stdout } = await place.writ(
      ['token', 'add', name, '--scopes', 'read,run', '--data', server.data, '--json'],
      {
        env: { HOME: server.home },
      },
    )
    return JSON.parse(stdout).token
  }

  test('X-UNDO-13: previews and undoes the runs of the caller, never while one is live', async () => {
    writeFileSync(join(server.workspace, 'a.txt'), 'one')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const serving = await server.start({
      config: {
        agent: {
          security: { autonomy: 'Full' },
          execution: { intentGuard: { enabled: false } },
          routing: { enabled: false },
        },
      },
      model: speaking([
        [{ calls: [call('file_write', { path: 'a.txt', content: 'two' })] }],
        ['done'],
        [held, 'later'],
      ]),
    })
    const { api } = serving
    const { sessionId: id } = await api.call('POST /api/sessions', {})
    const say = (text: string) => api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
    const { runId } = await say('change it')
    const params = { id: runId }
    const other = serving.as(await tokenOf('other'))
    await expect(other.call('GET /api/runs/:id/undo', { params })).rejects.toMatchObject({ code: 'NOT_YOURS' })
    await expect(other.call('POST /api/runs/:id/undo', { params })).rejects.toMatchObject({ code: 'NOT_YOURS' })
    const next = say('wait')
    await expect.poll(async () => (await api.call('GET /api/sessions/:id', { params: { id } })).running).toBeDefined()
    await expect(api.call('POST /api/runs/:id/undo', { params })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    release()
    await next
    expect(await api.call('GET /api/runs/:id', { params })).toMatchObject({ undoable: true, undone: [] })
    expect(await api.call('GET /api/runs/:id/undo', { params })).toMatchObject({
      files: [{ path: 'a.txt', change: 'modified' }],
    })
    expect(await api.call('POST /api/runs/:id/undo', { params })).toMatchObject({ restored: ['a.txt'], failed: [] })
    expect(readFileSync(join(server.workspace, 'a.txt'), 'utf8')).toBe('one')
    expect(await api.call('GET /api/runs/:id', { params })).toMatchObject({ undone: [{ files: 1 }] })
  })

  test('X-UNDO-10: the command finds the latest change also where it was made in the console', async () => {
    const agent = { workspace: place.workspace, data: place.data, env: { HOME: place.root, PATH: process.env.PATH } }
    const serving = await server.start({
      ...agent,
      config: {
        agent: {
          security: { autonomy: 'Full' },
          execution: { intentGuard: { enabled: false } },
          routing: { enabled: false },
        },
      },
      model: speaking([[{ calls: [call('file_write', { path: 'a.txt', content: 'two' })] }], ['done']]),
    })
    const { sessionId: id } = await serving.api.call('POST /api/sessions', {})
    const { runId } = await serving.api.call('POST /api/sessions/:id/messages', {
      params: { id },
      body: { text: 'change it' },
    })
    await serving.stop()
    const { code, stdout } = await place.writ(['undo', '--dry-run', '--json'], { env: { HOME: place.root } })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { runId, files: [{ path: 'a.txt' }] }])
  })
})
