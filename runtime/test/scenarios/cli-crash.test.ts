/** A run that is called off, killed or tampered with: what the journal says afterwards. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place, type Running } from '../support/cli.ts'
import { until } from '../support/until.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
  place.script('slow-model.json', [{ purpose: 'main', delayMs: 600_000, text: 'never said' }])
  place.script('slow-tool.json', [
    { purpose: 'main', calls: [{ tool: 'shell', args: { command: 'echo started >> marker.txt; sleep 180' } }] },
    { purpose: 'main', text: 'never said' },
  ])
  place.script('final.json', [{ purpose: 'main', text: 'went on' }])
})
afterEach(() => place.remove())

/** A fence would end its commands together with the process that is killed. */
function unsandboxed(): string {
  return place.file('unsandboxed.json', { agent: { security: { sandbox: 'off' } } })
}

async function untilFile(name: string, { ended }: Running): Promise<void> {
  let over = false
  ended.finally(() => {
    over = true
  })
  await until(() => over || place.has(name))
  if (!place.has(name)) throw new Error(`ended before it made ${name}: ${(await ended).stderr}`)
}

describe('called off', () => {
  test.each([
    ['SIGINT', 'slow-model.json', 'model.requested'],
    ['SIGINT', 'slow-tool.json', '"allowed":true'],
  ] as const)('%s during %s: the run is committed as aborted', async (signal, script, sign) => {
    const running = place.start(['run', 'x', '--script', script, '--yes', '--json'])
    await running.said(sign)
    if (script === 'slow-tool.json') await untilFile('marker.txt', running)
    running.child.kill(signal)
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(ended.json().at(-1)).toMatchObject({ type: 'result', stopReason: 'aborted' })
    const runs = (await place.writ(['trace', '--json'])).json()
    expect(runs).toMatchObject([{ stopped: true, stopReason: 'aborted' }])
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test.each([
    ['slow-model.json', 'model.requested'],
    ['slow-tool.json', '"allowed":true'],
  ] as const)(
    'SIGTERM during %s: the run is interrupted as by a crash, and `writ resume` goes on with it',
    async (script, sign) => {
      const running = place.start(['run', 'x', '--script', script, '--yes', '--json'])
      await running.said(sign)
      if (script === 'slow-tool.json') await untilFile('marker.txt', running)
      running.child.kill('SIGTERM')
      const ended = await running.ended
      const [open] = (await place.writ(['trace', '--json'])).json()
      expect(open).toMatchObject({ stopped: false, stopReason: 'interrupted' })
      expect(ended.code).toBe(143)
      expect(ended.json().at(-1)).toMatchObject({
        type: 'error',
        code: 'RUN_INTERRUPTED',
        hint: expect.stringContaining(`writ resume ${open?.runId}`),
      })
      const resumed = await place.writ(['resume', String(open?.runId), '--script', 'final.json', '--yes', '--json'])
      expect(resumed.json().at(-1)).toMatchObject({ reply: 'went on', stopReason: 'final' })
      if (script === 'slow-tool.json') {
        expect(place.read('marker.txt')).toBe('started\n')
        const told = resumed.json().find(({ type }) => type === 'tool.result')
        expect(told).toMatchObject({ data: { observation: { code: 'INTERRUPTED' } } })
      }
      expect((await place.writ(['audit', 'verify'])).code).toBe(0)
    },
  )

  test('SIGTERM during a workflow: the node under way is interrupted, and `writ workflow resume` goes on with it', async () => {
    place.file('flow.json', {
      name: 'flow',
      nodes: [{ id: 'wait', tool: 'shell', args: { command: 'touch marker.txt && sleep 180' } }],
    })
    const allowing = place.file('allowing.json', { agent: { security: { allowedCommands: ['touch', 'sleep'] } } })
    const running = place.start(['workflow', 'run', 'flow.json', '--json', '--config', allowing])
    await untilFile('marker.txt', running)
    running.child.kill('SIGTERM')
    const ended = await running.ended
    expect({ code: ended.code, last: ended.json().at(-1) }).toMatchObject({
      code: 143,
      last: { type: 'error', code: 'RUN_INTERRUPTED' },
    })
    expect(ended.stdout).not.toContain('run.stopped')
    const [open] = (await place.writ(['trace', '--json'])).json().filter(({ task }) => task === 'flow')
    expect(open).toMatchObject({ stopped: false })
    expect(ended.json().at(-1)?.hint).toContain(`writ workflow resume ${open?.runId}`)
    const resumed = await place.writ(['workflow', 'resume', String(open?.runId), '--json', '--config', allowing])
    expect({ code: resumed.code, told: resumed.stdout.includes('INTERRUPTED') }).toEqual({ code: 7, told: true })
  })

  test('a second signal does not wait for a command that will not stop', async () => {
    // The marker comes from inside the loop: a signal that ended `seq` would leave nothing to wait for.
    const command = "trap 'echo x > asked.txt' TERM INT; for i in $(seq 600); do echo x > marker.txt; sleep 0.1; done"
    const deaf = { tool: 'shell', args: { command } }
    place.script('deaf.json', [{ purpose: 'main', calls: [deaf] }])
    const running = place.start(['run', 'x', '--script', 'deaf.json', '--yes', '--json', '--config', unsandboxed()])
    await untilFile('marker.txt', running)
    running.child.kill('SIGINT')
    await untilFile('asked.txt', running)
    // One that comes too soon counts as an echo of the first.
    await until(() => !running.child.kill('SIGINT'))
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(stdout).not.toContain('"type":"result"')
    expect((await place.writ(['trace', '--json'])).json()).toMatchObject([{ stopped: false }])
  })

  test('while the task is still being typed, nothing has begun', async () => {
    const running = place.start(['run', '-', '--script', 'final.json'], { stdin: 'open' })
    // More than fits on the way: when all of it is gone, the command reads.
    await new Promise((taken) => running.child.stdin?.write('x'.repeat(600_000), taken))
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(place.has('.writ')).toBe(false)
  })
})

describe('killed', () => {
  test('S3-52 S3-90: the run is shown interrupted, its half-done call unknown and not repeated; it goes on, and the workspace is tidy', async () => {
    const before = readdirSync(place.workspace)
    const running = place.start(['run', 'x', '--script', 'slow-tool.json', '--yes'])
    await untilFile('marker.txt', running)
    const atWork = (await place.writ(['trace', '--last', '--json'])).json()
    expect(atWork).toMatchObject([
      {
        finish_reason: null,
        trace: [{ action: { tool: 'shell' }, running: true }],
        used_tools: { shell: { count: 1 } },
      },
    ])
    running.child.kill('SIGKILL')
    await running.ended

    const [open] = (await place.writ(['trace', '--json'])).json()
    expect(open).toMatchObject({ stopped: false, stopReason: 'interrupted', task: 'x' })
    const cutOff = (await place.writ(['trace', String(open?.runId), '--json'])).json()
    expect(cutOff).toMatchObject([
      {
        finish_reason: 'interrupted',
        trace: [{ step: 1, observation: expect.stringContaining('took effect is unknown'), error: 'INTERRUPTED' }],
        error: expect.stringMatching(/interrupted/i),
      },
    ])
    const told = (await place.writ(['trace', String(open?.runId), '--lang', 'zh'])).stdout
    expect(told).toMatch(/✗ 1 shell .*已中断：结果未知（INTERRUPTED）\n(?:.*\n)*.*interrupted/)
    const args = ['resume', String(open?.runId), '--script', 'final.json', '--record', 'requests.jsonl']
    const resumed = await place.writ([...args, '--yes', '--json'])
    expect(resumed.code).toBe(0)
    expect(resumed.json().at(-1)).toMatchObject({ runId: open?.runId, reply: 'went on', stopReason: 'final' })
    const types = resumed.json().map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['run.resumed', 'run.interrupted', 'tool.result'])
    expect(types).not.toContain('tool.call')
    expect(place.read('requests.jsonl')).toContain('[错误] INTERRUPTED')
    expect(place.read('marker.txt')).toBe('started\n')
    expect(readdirSync(place.workspace).sort()).toEqual([...before, '.writ', 'marker.txt', 'requests.jsonl'].sort())

    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
    const again = await place.writ(['resume', String(open?.runId), '--script', 'final.json'])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('RUN_ENDED')
  })

  test('--last takes up the latest open run', async () => {
    const running = place.start(['run', 'x', '--script', 'slow-model.json', '--json'])
    await running.said('model.requested')
    // It is shown a moment before it is stored.
    await until(async () => (await place.writ(['trace', '--json'])).json().length === 1)
    running.child.kill('SIGKILL')
    await running.ended
    const resumed = await place.writ(['resume', '--last', '--script', 'final.json'])
    expect(resumed).toMatchObject({ code: 0, stdout: 'went on\n' })
    expect((await place.writ(['resume', '--last', '--script', 'final.json'])).stderr).toContain('RUN_UNKNOWN')
  })
})

describe('tampered with', () => {
  const file = () => join(place.data, 'journal.db')

  test('one flipped bit is found, and its row is named', async () => {
    // Memory keeps a copy of its own, which is no part of the journal.
    const config = place.file('forgetful.json', { agent: { memory: { enabled: false } } })
    const ran = await place.writ(['run', 'teapot-canary', '--script', 'final.json', '--json', '--config', config])
    const runId = String(ran.json().at(-1)?.runId)
    const clean = await place.writ(['audit', 'verify', '--json'])
    expect(clean.code).toBe(0)
    expect(clean.json()).toMatchObject([{ ok: true, runs: 1, seals: 1, breaches: [] }])

    const bytes = readFileSync(file())
    const at = bytes.indexOf('teapot-canary')
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(file(), bytes)
    const { code, stdout } = await place.writ(['audit', 'verify'])
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`run ${runId}, event [23]: the event does not match its hash`))
    const json = await place.writ(['audit', 'verify', '--json'])
    expect(json.json()).toMatchObject([{ ok: false, breaches: [{ runId }] }])
  })

  test('a row that was taken out leaves a gap', async () => {
    await place.writ(['run', 'x', '--script', 'final.json'])
    const db = new DatabaseSync(file())
    db.exec('delete from events where seq = 4')
    db.close()
    const { code, stdout } = await place.writ(['audit', 'verify'])
    expect(code).toBe(1)
    expect(stdout).toContain('event 5: expected event 4, found 5')
  })

  test('a file that is not a store is reported as damaged', async () => {
    await place.writ(['run', 'x', '--script', 'final.json'])
    writeFileSync(file(), 'this was a database once'.repeat(100))
    const { code, stderr } = await place.writ(['audit', 'verify'])
    expect(code).toBe(1)
    expect(stderr).toContain('STORE_CORRUPT')
  })
})
