/** What can go wrong without a fleet: a full disk, a locked store, two at once, and kill -9 with a question open. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ScriptEntry } from '../../src/model/scripted.ts'
import type { Event } from '../../src/protocol/event.ts'
import { createClient } from '../../src/server/client.ts'
import { makePlace, type Place, type Running } from '../support/cli.ts'
import { explore, read, report, scoutSays, search } from '../support/scouts.ts'
import { startStubModel } from '../support/stub-model.ts'
import { until } from '../support/until.ts'
import { limitedDisk, mountedDisk } from './small-disk.ts'

const LONG = 300_000
const FREE = { autonomy: 'Full', allowedCommands: ['*'], sandbox: 'off' }

let place: Place
const cleanUp: (() => unknown)[] = []
beforeEach(async () => {
  place = makePlace()
  await configure({ security: FREE })
  place.script('final.json', [{ purpose: 'main', text: 'went on', times: 9 }])
})
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each()
  place.remove()
})

async function configure(agent: object): Promise<void> {
  place.file('agent.config.json', { agent })
  await place.writ(['trust'])
}

function start(args: string[]): Running {
  const running = place.start(args)
  cleanUp.push(() => running.child.kill('SIGKILL'))
  return running
}

const shell = (command: string) => ({ calls: [{ tool: 'shell', args: { command } }] })
const lines = () => (place.has('log.txt') ? place.read('log.txt').split('\n').slice(0, -1) : [])
const verified = async (args: string[] = []) => (await place.writ(['audit', 'verify', ...args])).code === 0

/** Commands the journal says were begun. */
async function begun(args: string[] = []): Promise<number> {
  const events = (await place.writ(['export', ...args])).json()
  return events.filter(({ type }) => type === 'tool.call').length
}

describe.each([
  ['a full disk', mountedDisk],
  ['a quota', limitedDisk],
])('%s', (_, makeDisk) => {
  test(
    'stops the run before its next act; with room again the journal verifies and the session goes on',
    async () => {
      const data = join(place.root, 'small')
      const { through, code, grow, remove } = makeDisk(data)
      cleanUp.push(remove)
      const padding = 'x'.repeat(60_000)
      const steps = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => shell(`echo ${n} >> log.txt # ${padding}`))
      place.script(
        'many.json',
        steps.map((step): ScriptEntry => ({ purpose: 'main', ...step })),
      )
      const at = ['--data', data]
      const stopped = await place.writ(['run', 'note many things', '--script', 'many.json', ...at], { through })
      expect(stopped).toMatchObject({ code: 1, stdout: '' })
      expect(stopped.stderr).toMatch(new RegExp(`${code}: .*\nhint: .*space`))
      const done = lines()
      expect(done.length).toBeGreaterThan(0)
      expect(done.length).toBeLessThan(steps.length)

      grow()
      expect(await begun(at)).toBe(done.length)
      expect(await verified(at)).toBe(true)
      const resumed = await place.writ(['resume', '--last', '--script', 'final.json', '--json', ...at])
      const { sessionId } = resumed.json().at(-1) ?? {}
      expect(resumed.json().at(-1)).toMatchObject({ reply: 'went on', stopReason: 'final' })
      const next = await place.writ(['run', 'x', '--session', String(sessionId), '--script', 'final.json', ...at])
      expect(next).toMatchObject({ code: 0, stdout: 'went on\n' })
      expect(lines()).toEqual(done)
      expect(await verified(at)).toBe(true)
    },
    LONG,
  )
})

describe('a store on SQLite', () => {
  test(
    'that another process keeps locked for too long: the run stops before its next act, and nothing is lost',
    async () => {
      const locked = Promise.withResolvers<void>()
      const model = await startStubModel({
        async reply(_, index) {
          if (index > 0) await locked.promise
          return shell(`echo ${index === 0 ? 'one' : 'two'} >> log.txt`)
        },
      })
      cleanUp.push(model.close)
      await configure({
        security: FREE,
        model: 'compatible/stub',
        baseURL: `${model.url}/v1`,
        routing: { enabled: false },
        execution: { intentGuard: { detector: 'heuristic' } },
      })
      const running = start(['run', 'note something'])
      await until(() => model.requests.length === 2)
      const other = new DatabaseSync(join(place.data, 'journal.db'))
      cleanUp.push(() => other.isOpen && other.close())
      other.exec('begin immediate')
      locked.resolve()
      const { code, stderr } = await running.ended
      other.exec('rollback')
      other.close()
      expect(code).toBe(1)
      expect(stderr).toMatch(/STORE_BUSY: .*\nhint: /)
      expect(lines()).toEqual(['one'])
      expect(await begun()).toBe(1)
      const resumed = await place.writ(['resume', '--last', '--script', 'final.json'])
      expect(resumed).toMatchObject({ code: 0, stdout: 'went on\n' })
      expect(lines()).toEqual(['one'])
      expect(await verified()).toBe(true)
    },
    LONG,
  )

  test(
    'with several commands at once: all do their work, and the journal verifies',
    async () => {
      const steps = [1, 2, 3, 4, 5].map((n): ScriptEntry => ({ purpose: 'main', ...shell(`echo ${n} >> log.txt`) }))
      place.script('five.json', [...steps, { purpose: 'main', text: 'done' }])
      const all = await Promise.all(
        [1, 2, 3].map((n) => place.writ(['run', `note five things ${n}`, '--script', 'five.json'])),
      )
      expect(all.map(({ code, stdout }) => [code, stdout])).toEqual(all.map(() => [0, 'done\n']))
      expect(lines().sort()).toEqual([1, 2, 3, 4, 5].flatMap((n) => all.map(() => String(n))))
      expect(await begun()).toBe(15)
      expect(await verified()).toBe(true)
    },
    LONG,
  )
})

describe('kill -9', () => {
  async function serve(script: string, token: string) {
    const running = start(['serve', '--port', '0', '--script', script])
    const { promise: url, resolve } = Promise.withResolvers<string>()
    for (const stream of [running.child.stdout, running.child.stderr]) {
      stream?.on('data', (chunk) => {
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    return { running, api: createClient({ base: await url, token: () => token }) }
  }

  test(
    'of a server with a question open: after a restart it is answered, and the call is made once',
    async () => {
      await configure({ security: { ...FREE, autonomy: 'Supervised' } })
      place.script('asks.json', [{ purpose: 'main', ...shell('echo asked >> log.txt') }])
      const [{ token }] = (
        await place.writ(['token', 'add', 'tester', '--scopes', 'read,run,approve', '--json'])
      ).json() as [{ token: string }]
      const first = await serve('asks.json', token)
      const { sessionId } = await first.api.call('POST /api/sessions', {})
      const said = { params: { id: sessionId }, body: { text: 'note something' } }
      expect(await first.api.call('POST /api/sessions/:id/messages', said)).toMatchObject({ stopReason: 'parked' })
      first.running.child.kill('SIGKILL')
      await first.running.ended

      const { api } = await serve('final.json', token)
      const [open] = (await api.call('GET /api/approvals', {})).open
      expect(open).toMatchObject({ sessionId, question: { tool: 'shell' } })
      const { runId = '', question } = open ?? {}
      const answer = { callId: question?.callId ?? '', answer: 'y' } as const
      await api.call('POST /api/approvals/:runId', { params: { runId }, body: answer })
      await until(
        async () => (await api.call('GET /api/runs/:id', { params: { id: runId } })).run.stoppedAt !== undefined,
      )
      const { messages } = await api.call('GET /api/sessions/:id', { params: { id: sessionId } })
      expect(messages.at(-1)).toMatchObject({ text: 'went on' })
      expect(lines()).toEqual(['asked'])
      expect(await verified()).toBe(true)
    },
    LONG,
  )

  test(
    'of a command with scouts on their way: they are ended, what the others reported is used, and every chain is whole',
    async () => {
      place.file('docs/a.md', '# Plan A\n\nThe cap of plan A is five scouts.\n')
      place.script('scouts.json', [
        explore(['first?', 'second?', 'third?']),
        ...scoutSays(1, search, read('docs/a.md'), report()),
        { purpose: 'scout', delayMs: 600_000, text: 'never said', times: 2 },
      ])
      const running = start(['run', 'compare the plans in the docs', '--script', 'scouts.json'])
      const db = () => new DatabaseSync(join(place.data, 'journal.db'), { readOnly: true })
      const count = (type: string) => {
        using found = db()
        return Number(found.prepare('select count(*) as n from events where type = ?').get(type)?.n)
      }
      await until(() => count('SCOUT_COMPLETED') === 1 && count('SCOUT_STARTED') === 3)
      running.child.kill('SIGKILL')
      await running.ended
      const resumed = await place.writ(['resume', '--last', '--script', 'final.json', '--json'])
      expect(resumed.json().at(-1)).toMatchObject({ reply: 'went on', stopReason: 'final' })
      const events = resumed.json().slice(0, -1) as unknown as Event[]
      const told = events.find((event) => event.type === 'tool.result' && event.data.tool === 'explore')
      const explored = JSON.parse(told?.type === 'tool.result' ? told.data.observation.text : '')
      expect(
        explored.results.map((one: { task: string; error?: { code: string } }) => [one.task, one.error?.code]),
      ).toEqual([
        ['first?', undefined],
        ['second?', 'INTERRUPTED'],
        ['third?', 'INTERRUPTED'],
      ])
      expect(explored).toMatchObject({ status: 'partial', results: [{ evidence: [{ source: 'docs/a.md' }] }, {}, {}] })
      expect(String(resumed.json().at(-1)?.notices)).toContain('2 of 3 lookups did not finish')
      expect([count('run.started'), count('run.stopped'), count('turn.committed')]).toEqual([4, 4, 1])
      expect([count('SCOUT_COMPLETED'), count('SCOUT_FAILED'), count('SCOUT_SLOT_RELEASED')]).toEqual([1, 2, 3])
      expect(await verified()).toBe(true)
    },
    LONG,
  )
})
